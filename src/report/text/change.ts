import type { JsonValue } from '../../core/json.ts';
import { sanitizeLine } from '../../core/text.ts';
import type { Change } from '../../plan/plan.ts';
import { differingLines, inlineValue, type Line, quoteBlank } from '../values.ts';
import type { Palette } from './palette.ts';

const contextLines = 1;
const longestInline = 100;

/** One change: on one line where it fits, else a headline and the lines that differ. */
export function changeLines(change: Change, palette: Palette): string[] {
  const { kind, before, after } = change;
  const headline = `${symbol(kind, palette)} ${sanitizeLine(change.label)}`;
  const line = change.source ? `  ${palette.faint(`:${change.source.line}`)}` : '';
  if (kind === 'move') return [`${headline}  ${palette.faint(movement(change))}${line}`];
  const short = inlineChange(before, after, palette);
  if (short !== undefined) return [`${headline}  ${short}${line}`];
  return [
    `${headline}${line}`,
    ...differingLines(before, after, contextLines).map((body) => paintLine(body, palette)),
  ];
}

function symbol(kind: Change['kind'], palette: Palette): string {
  switch (kind) {
    case 'add':
    case 'copy':
      return palette.added('+');
    case 'remove':
      return palette.removed('-');
    case 'replace':
    case 'test':
      return palette.changed('~');
    case 'move':
      return palette.changed('>');
  }
}

function movement({ from = '', path }: Change): string {
  return `moved from ${sanitizeLine(lastToken(from))} to ${sanitizeLine(lastToken(path))}`;
}

function lastToken(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function inlineChange(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  palette: Palette,
): string | undefined {
  const left = before === undefined ? '' : inlineValue(before);
  const right = after === undefined ? '' : inlineValue(after);
  if (left === undefined || right === undefined) return undefined;
  if (left.length + right.length > longestInline) return undefined;
  const parts = [
    ...(before === undefined ? [] : [palette.removed(sanitizeLine(quoteBlank(left)))]),
    ...(after === undefined ? [] : [palette.added(sanitizeLine(quoteBlank(right)))]),
  ];
  return parts.join(' → ');
}

function paintLine({ kind, text }: Line, palette: Palette): string {
  const clean = sanitizeLine(text);
  switch (kind) {
    case 'added':
      return palette.added(`    + ${clean}`);
    case 'removed':
      return palette.removed(`    - ${clean}`);
    case 'context':
      return `      ${clean}`;
    case 'gap':
      return palette.faint(`      ${clean}`);
  }
}
