/**
 * Untrusted text inside Markdown: only in code spans, in fences, or as character references, which
 * never act as markup (CommonMark §2.5).
 */

import type { Diagnostic } from '../core/diagnostic.ts';
import { clip, sanitizeLine } from '../core/text.ts';

/** On one line, without markup, mentions, references or links. */
export function prose(text: string): string {
  return sanitizeLine(text)
    .split(insideReferences)
    .map((part) => part.replaceAll(punctuation, characterReference))
    .join(breakable);
}

// GitHub finds mentions, issues and links within one text, so an element inside ends them. Unlike an
// invisible character it is not copied.
const breakable = '<wbr>';
const insideReferences = /(?<=[@#])(?!$)|(?<=www)(?=\.)|(?<=:)(?=\/)|(?<=GH)(?=-\d)/iu;

const punctuation = /["!#$&()*+:<>@[\\\]^_`{|}~]/gu;

function characterReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** A code span, in running Markdown and in the cells of a table. */
export function code(text: string): string {
  const line = clip(sanitizeLine(text), longestName);
  const isLongPath = line.length > 40 && /^[\w:-]*[./][\w./:-]*$/u.test(line);
  if (spansAsItIs.test(line) && !isLongPath) return `\`${line}\``;
  // Such a path breaks behind dots and slashes, or the rest of it would leave the page.
  const steps = line.split(isLongPath ? /(?<=[./])|(?<=www)(?=\.)/iu : /(?<=www)(?=\.)/iu);
  const html = steps.map((step) => step.replaceAll(punctuation, characterReference));
  return `<code>${line === '' ? ' ' : html.join(breakable)}</code>`;
}

// No backtick, which would end the span, no bar, which would end the cell, no comment.
const spansAsItIs = /^[^\s`|\\<](?:[^`|\\<]*[^\s`|\\<])?$/u;

const longestName = 200;

/** No line of it can end the fence (CommonMark §4.5). */
export function fence(language: string, lines: readonly string[]): string {
  // A comment that opens inside could be mistaken for the Action's header.
  const body = lines.map((line) => sanitizeLine(line).replaceAll('<!--', '<!\u200B--'));
  const runs = body.join('\n').match(/`+/gu) ?? [];
  const longest = runs.reduce((most, { length }) => Math.max(most, length), 2);
  const mark = '`'.repeat(longest + 1);
  return [`${mark}${language}`, ...body, mark].join('\n');
}

export function sentence(message: string): string {
  return message
    .split(/`([^`]+)`/u)
    .map((part, index) => (index % 2 === 0 ? prose(part) : code(part)))
    .join('');
}

export function advice({ message, hint = '' }: Diagnostic): string {
  return `${sentence(message)} ${sentence(hint)}`.trimEnd();
}

type Cells = readonly string[];

export function table(header: Cells, rows: readonly Cells[]): string {
  return [row(header), row(header.map(() => '---')), ...rows.map(row)].join('\n');
}

function row(cells: Cells): string {
  return `| ${cells.join(' | ')} |`;
}

export function firstRows(header: Cells, rows: readonly Cells[], most: number): string {
  const rest = rows.length - most;
  const more = header.map((_, column) => (column === 1 ? `… and ${rest} more` : ''));
  return table(header, [...rows.slice(0, most), ...(rest > 0 ? [more] : [])]);
}

export function rowsWithin(header: Cells, rows: readonly Cells[], bytes: number): string {
  let left = bytes - Buffer.byteLength(firstRows(header, [], 0)) - Buffer.byteLength(row(header));
  const most = rows.findIndex((cells) => (left -= Buffer.byteLength(row(cells)) + 1) < 0);
  return most < 0 ? table(header, rows) : firstRows(header, rows, most);
}

/** The first of them that, joined by commas, take so many bytes. */
export function textsWithin(texts: readonly string[], bytes: number): readonly string[] {
  let left = bytes;
  const most = texts.findIndex((text) => (left -= Buffer.byteLength(text) + 2) < 0);
  return most < 0 ? texts : firstOf(texts, most, (text) => text);
}

export function firstOf<Each>(all: readonly Each[], most: number, show: (each: Each) => string) {
  const rest = all.length - most;
  return [...all.slice(0, most).map(show), ...(rest > 0 ? [`… and ${rest} more`] : [])];
}

export function collapsible(summary: string, body: string, { open = false } = {}): string {
  return `<details${open ? ' open' : ''}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** One text in falling detail: whole first; the last and shortest may be empty. */
export type Piece = readonly [string, ...string[]];

/**
 * Fits the pieces into `budget` bytes of UTF-8, favouring earlier ones; `complete` if every piece
 * is whole.
 */
export function fitPieces(pieces: readonly Piece[], budget: number) {
  const chosen = pieces.map((piece) => piece.at(-1) ?? '');
  const steps = pieces.reduce((most, { length }) => Math.max(most, length), 0);
  let used = chosen.reduce((sum, text) => sum + size(text), 0);
  // All pieces by one step before any by two: many contracts in brief tell more than one in full.
  for (let step = 2; step <= steps; step += 1) {
    for (const [index, piece] of pieces.entries()) {
      const finer = piece.at(-step);
      const cost = size(finer) - size(chosen[index]);
      if (finer === undefined || used + cost > budget) continue;
      chosen[index] = finer;
      used += cost;
    }
  }
  const complete = used <= budget && pieces.every(([whole], index) => chosen[index] === whole);
  // Drops the last pieces where even the shortest texts are too long.
  let left = budget;
  const kept = chosen.filter((text) => {
    if (text === '' || size(text) > left) return false;
    left -= size(text);
    return true;
  });
  return { text: kept.join(separator), complete };
}

const separator = '\n\n';

function size(text = ''): number {
  return text === '' ? 0 : Buffer.byteLength(text) + separator.length;
}
