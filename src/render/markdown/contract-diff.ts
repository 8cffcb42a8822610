import { contractLabel } from '../../contract/identity.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Change, UpdatePlan } from '../../plan/plan.ts';
import { count } from '../../core/text.ts';
import { differingLines, inlineValue, quoteBlank, type Line } from '../value-lines.ts';
import type { Block } from './blocks.ts';
import { collapsible, fence, htmlCode } from './text.ts';

const contextLines = 2;
/** Lines of one contract; its whole plan stands in the JSON file. */
const mostLines = 2000;

/** What changes in a contract, at a click: as a diff, as a list of operations, not at all. */
export function contractDiff(contract: UpdatePlan, { open }: { readonly open: boolean }): Block {
  const { changes } = contract;
  const summary = `${htmlCode(contractLabel(contract))} · ${count(changes.length, 'change', 'changes')}`;
  const operations = collapsible(summary, fence('diff', changes.map(operationLine)));
  const lines = changes.flatMap(changeLines);
  if (lines.length > mostLines) return [operations, ''];
  return [collapsible(summary, fence('diff', lines), { open }), operations, ''];
}

/** GitHub colours `+` green, `-` red, `!` orange and `@@` as a headline. */
function changeLines(change: Change): string[] {
  const { kind, label, source } = change;
  const line = source ? ` line ${source.line}` : '';
  const headline = `@@ ${label}${movement(change)} @@${line}`;
  if (kind === 'move') return [headline];
  return [headline, ...bodyLines(change).map(diffLine)];
}

function movement({ kind, from = '', path }: Change): string {
  return kind === 'move' ? ` moved from ${lastToken(from)} to ${lastToken(path)}` : '';
}

function lastToken(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function bodyLines({ before, after }: Change): Line[] {
  if (!fitsOneLine(before) || !fitsOneLine(after)) {
    return differingLines(before, after, contextLines);
  }
  return [...oneLine(before, 'removed'), ...oneLine(after, 'added')];
}

function fitsOneLine(value: JsonValue | undefined): boolean {
  return value === undefined || inlineValue(value) !== undefined;
}

function oneLine(value: JsonValue | undefined, kind: Line['kind']): Line[] {
  const text = value === undefined ? undefined : inlineValue(value);
  return text === undefined ? [] : [{ kind, text: quoteBlank(text) }];
}

/** Two characters in front of every line: its text cannot pass for another kind of line. */
function diffLine({ kind, text }: Line): string {
  switch (kind) {
    case 'added':
      return `+ ${text}`;
    case 'removed':
      return `- ${text}`;
    case 'context':
    case 'gap':
      return `  ${text}`;
  }
}

function operationLine(change: Change): string {
  const { kind, label } = change;
  switch (kind) {
    case 'add':
    case 'copy':
      return `+ ${label}`;
    case 'remove':
      return `- ${label}`;
    case 'replace':
    case 'test':
    case 'move':
      return `! ${label}${movement(change)}`;
  }
}
