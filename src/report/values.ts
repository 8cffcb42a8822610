import { diffArrays } from 'diff';
import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { stringify } from 'yaml';

/** A value on one line, where that is how people would write it. */
export function inlineValue(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? undefined : value;
  if (isArray(value) || isObject(value))
    return isEmptyCollection(value) ? emptyText(value) : undefined;
  return String(value);
}

/** Text that is empty, or that begins or ends with a blank, would not be seen. */
export function quoteBlank(text: string): string {
  return text === '' || text !== text.trim() ? JSON.stringify(text) : text;
}

function isEmptyCollection(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function emptyText(value: JsonValue): string {
  return isArray(value) ? '[]' : '{}';
}

/** A value as the lines that a contract file would hold. */
function valueLines(value: JsonValue): string[] {
  const text =
    typeof value === 'string' ? value : stringify(value, { lineWidth: 0, indentSeq: false });
  return text.replace(/\n$/u, '').split('\n');
}

export type Line = {
  readonly kind: 'added' | 'removed' | 'context' | 'gap';
  readonly text: string;
};

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
