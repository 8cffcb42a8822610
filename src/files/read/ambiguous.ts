import { type Event, EVENT_ID, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { OffsetDiagnostic } from './finding.ts';

/** What js-yaml and the package `yaml` read as different values, with no error from either. */
export function findAmbiguity(
  text: string,
  events: readonly Event[],
  marks: number,
): OffsetDiagnostic | undefined {
  const [offset, hint] = inStream(text, events, marks) ?? inScalars(text, events) ?? [];
  if (offset === undefined || hint === undefined) return undefined;
  return { code: 'yaml-ambiguous', message: 'YAML readers differ on this.', hint, offset };
}

type Place = readonly [offset: number, hint: string];

function inStream(text: string, events: readonly Event[], marks: number): Place | undefined {
  const invisible = text.search(/(?<![^\r\n])\ufeff/u);
  if (invisible !== -1) return [invisible, 'Delete the invisible character here (U+FEFF).'];
  const carriage = text.search(/\r(?!\n)/u);
  if (carriage !== -1) return [carriage, 'End lines with a line feed.'];
  const end = endOfNothing.exec(text);
  if (end) return [end.index + end[0].length - 3, 'Remove the `...`: it ends no document.'];
  const documents = events.filter((event) => event.type === EVENT_ID.DOCUMENT);
  if (documents.some(({ directives }) => directives.some(({ kind }) => kind === 'tag')))
    return [
      Math.max(0, text.search(/^%TAG/mu)),
      'Remove the directive, and the tags that need it.',
    ];
  if (documents.filter(({ explicitStart }) => explicitStart).length <= marks) return undefined;
  return [Math.max(0, text.search(/^[ \t]+---/mu)), 'Put the `---` at the start of its line.'];
}

const endOfNothing =
  /(?:(?<![^])|^\.{3}[ \t]*(?:#.*)?\r?\n)(?:[ \t]*(?:#.*)?\r?\n)*\.{3}(?=\s|$)/mu;

function inScalars(text: string, events: readonly Event[]): Place | undefined {
  const hasTightComment = /^[ \t]*#\S/mu.test(text);
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || (event.fast && !hasTightComment)) continue;
    const hint = hintFor(text, event);
    if (hint !== undefined) return [event.valueStart, hint];
  }
  return undefined;
}

function hintFor(text: string, event: ScalarEvent): string | undefined {
  const { style, valueStart, valueEnd } = event;
  const written = text.slice(valueStart, valueEnd);
  switch (style) {
    case SCALAR_STYLE.PLAIN:
      afterTightComment.lastIndex = valueStart;
      return afterTightComment.test(text) && !/^[ \t]*:(?:\s|$)/u.test(text.slice(valueEnd))
        ? 'Put a space behind the # of the comment above.'
        : undefined;
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return /(?<!\\)(?:\\\\)*\\\r?\n[ \t]*\r?\n/u.test(written)
        ? String.raw`Write a line break as \n, or leave out the blank line below the backslash.`
        : undefined;
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK:
      return /(?:^|\n)[ \t]+(?:\r?\n)*$/u.test(written) && hasOddEnd(text, event)
        ? 'Remove the spaces on the last line of the text, or put it in double quotes.'
        : undefined;
    case SCALAR_STYLE.SINGLE_QUOTED:
      return undefined;
  }
}

// The end of the file without a line break, or a digit in the header, as in `|2`.
function hasOddEnd(text: string, { valueStart, valueEnd }: ScalarEvent): boolean {
  const line = text.lastIndexOf('\n', valueStart - 2) + 1;
  const isLast = valueEnd === text.length && !text.endsWith('\n');
  return isLast || /[|>][-+]?\d[-+]?\s/u.test(text.slice(line, valueStart));
}

// A text on a line of its own, right below a comment such as `#this`.
const afterTightComment = /(?<=^[ \t]*#\S.*\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*)/muy;
