/** Values, differences and places of files in words. */

import { diffArrays } from 'diff';
import { type SchemaOptions, stringify, type ToStringOptions } from 'yaml';
import type { SourcePosition } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { InexactNumber } from '../core/number.ts';
import type { Difference } from '../patch/difference.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { parsePointer } from '../patch/pointer.ts';

/** A value on one line, where that is how people would write it. */
function inlineValue(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? undefined : value;
  if (!isArray(value) && !isObject(value)) return String(value);
  return Object.keys(value).length === 0 ? JSON.stringify(value) : undefined;
}

/** Text that is empty, or that begins or ends with a blank, would not be seen. */
function quoteBlank(text: string): string {
  return text === '' || text !== text.trim() ? JSON.stringify(text) : text;
}

const yamlOptions: ToStringOptions & SchemaOptions = {
  lineWidth: 0,
  indentSeq: false,
  customTags: [
    {
      tag: 'tag:yaml.org,2002:float',
      default: true,
      identify: (value) => value instanceof InexactNumber,
      resolve: Number,
      stringify: ({ value }) => String(value),
    },
  ],
};

/** A value as the lines that a contract file would hold. */
function valueLines(value: JsonValue): string[] {
  const text = typeof value === 'string' ? value : stringify(value, yamlOptions);
  return text.replace(/\n$/u, '').split('\n');
}

/** What is said of a value that is on one side alone, or that has moved. */
export type Verbs = Readonly<Record<'removed' | 'added' | 'moved', string>>;

/** A difference on one line, its values shortened: `schema[amount].dataType: "INT" → "BIGINT"`. */
export function differenceText(
  { place, before, after, behind }: Difference,
  verbs: Verbs = { removed: 'removed', added: 'added', moved: 'moved' },
): string {
  const label = labelOfPlace(place);
  const [from, to] = [before, after].map(
    (value) => value !== undefined && clip(JSON.stringify(value), 160),
  );
  if (from && to) return `${label}: ${from} → ${to}`;
  if (from) return `${label}: ${from} ${verbs.removed}`;
  if (to) return `${label}: ${to} ${verbs.added}`;
  return `${label}: ${verbs.moved} ${behind === undefined ? 'to the start' : `behind ${clip(behind, 160)}`}`;
}

/** `schema[amount].dataType`. */
export function labelOfPlace(place: string): string {
  return labelKeyPath(parsePointer(place) ?? []);
}

/** Enough of a text to recognise it by. */
export function clip(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export type Line = {
  readonly kind: 'added' | 'removed' | 'context' | 'gap';
  readonly text: string;
};

/** In front of a line in a diff: one character, so that no text can pass for another kind of line. */
export const lineSigns = { added: '+', removed: '-', context: ' ', gap: ' ' } as const;

type Sides = { readonly before?: JsonValue; readonly after?: JsonValue };

/** Each side on a line of its own, if people would write both so and they are not too long. */
export function inlineLines({ before, after }: Sides, longest = Infinity) {
  const left = before === undefined ? '' : inlineValue(before);
  const right = after === undefined ? '' : inlineValue(after);
  if (left === undefined || right === undefined) return undefined;
  if (left.length + right.length > longest) return undefined;
  return [
    ...(before === undefined ? [] : [{ kind: 'removed', text: quoteBlank(left) } as const]),
    ...(after === undefined ? [] : [{ kind: 'added', text: quoteBlank(right) } as const]),
  ];
}

/** How one value becomes the other; a side that is absent adds or removes every line. */
export function differingLines(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  context: number,
): Line[] {
  if (before === undefined) return allLines(after, 'added');
  if (after === undefined) return allLines(before, 'removed');
  return changedLines(before, after, context);
}

function allLines(value: JsonValue | undefined, kind: Line['kind']): Line[] {
  return value === undefined ? [] : valueLines(value).map((text) => ({ kind, text }));
}

/** Time grows with the square of the lines that differ: two texts of 100,000 would take hours. */
const mostEdits = 1000;

/** The lines that differ, each with up to `context` equal lines around it. */
function changedLines(before: JsonValue, after: JsonValue, context: number): Line[] {
  const options = { maxEditLength: mostEdits };
  const parts = diffArrays(valueLines(before), valueLines(after), options);
  if (!parts) return [...allLines(before, 'removed'), ...allLines(after, 'added')];
  const lines = parts.flatMap(({ value, added, removed }): Line[] => {
    const kind = added ? 'added' : removed ? 'removed' : 'context';
    return value.map((text) => ({ kind, text }));
  });
  return foldContext(lines, context);
}

function foldContext(lines: readonly Line[], context: number): Line[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, index) => {
    if (kind === 'context') return;
    for (let other = index - context; other <= index + context; other += 1) near.add(other);
  });
  return lines.flatMap((line, index): Line[] => {
    if (near.has(index)) return [line];
    return index === 0 || near.has(index - 1) ? [{ kind: 'gap', text: '…' }] : [];
  });
}

/** `contracts/orders.yaml:2`; of a contract that returns to its past, to what. */
export function placeText(source: SourcePosition): string {
  const { file, format } = source;
  return format === 'version' ? `back to ${file}` : `${file}:${lineWithKey(source)}`;
}

/** The line of a file, and its key where that has its own word: `41 (physicalType)`. */
export function lineWithKey({ line, key }: SourcePosition): string {
  return key === undefined ? `${line}` : `${line} (${key})`;
}

/** The address of a line, below `base`, the page of the repository's files; none of a past version. */
export function linkToPlace(base: string | undefined, source: SourcePosition): string | undefined {
  const { file, line, format } = source;
  return base === undefined || format === 'version'
    ? undefined
    : `${base}/${encodePath(file)}#L${line}`;
}

/** Parentheses would end a link's target in Markdown; `encodeURIComponent` leaves them alone. */
function encodePath(file: string): string {
  return file
    .toWellFormed()
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');
}
