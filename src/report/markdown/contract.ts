import { contractLabel } from '../../contract/identity.ts';
import type { JsonValue } from '../../core/json.ts';
import { count } from '../../core/text.ts';
import { type Change, isBreaking, type MissingPlan, type UpdatePlan } from '../../plan/plan.ts';
import { differingLines, inlineValue, type Line, quoteBlank } from '../values.ts';
import type { Place } from './problems.ts';
import type { Block } from './report.ts';
import { code, collapsible, fence, firstRows, htmlCode, prose, table } from './text.ts';
import { describeMove } from './transitions.ts';

const header = ['', 'Contract', 'Changes', 'Version', 'File'];

/** A line for each contract, or for the first of them. */
export function contractTable(
  contracts: readonly (UpdatePlan | MissingPlan)[],
  place: Place,
): Block {
  const rows = contracts.map((contract) => [
    verdict(contract),
    code(contractLabel(contract)),
    contract.action === 'missing' ? 'not in the catalog' : changedFields(contract),
    contract.action === 'missing' ? '' : versions(contract),
    place(contract.source),
  ]);
  return [table(header, rows), firstRows(header, rows, 100), ''];
}

function verdict(contract: UpdatePlan | MissingPlan): string {
  const words = contract.action === 'update' ? 'update' : `**${contract.action}**`;
  return isBreaking(contract) ? `${words}, **breaking**` : words;
}

/** `Draft → **Active**, description, schema +1 −2`. */
function changedFields({ transition, changes }: UpdatePlan): string {
  const fields = Map.groupBy(
    changes.filter(({ path }) => path !== '/entityStatus'),
    ({ path }) => path.split('/')[1] ?? '',
  );
  return [
    ...(transition ? [describeMove(transition)] : []),
    ...[...fields].map(([field, edits]) => `${prose(field)}${tally(edits)}`),
  ].join(', ');
}

/** How many elements come and go; a field that changes as a whole has none. */
function tally(edits: readonly Change[]): string {
  const inside = edits.filter(({ path }) => path.split('/').length > 2);
  const signs: readonly (readonly [string, readonly Change['kind'][]])[] = [
    ['+', ['add', 'copy']],
    ['−', ['remove']],
    ['~', ['replace', 'move', 'test']],
  ];
  return signs
    .map(([sign, kinds]) => ({
      sign,
      of: inside.filter(({ kind }) => kinds.includes(kind)).length,
    }))
    .filter(({ of }) => of > 0)
    .map(({ sign, of }) => ` ${sign}${of}`)
    .join('');
}

function versions({ liveVersion, predictedVersions }: UpdatePlan): string {
  if (liveVersion === undefined) return '';
  if (predictedVersions.length === 0) return code(liveVersion);
  return `${code(liveVersion)} → ${predictedVersions.join(' or ')}`;
}

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
