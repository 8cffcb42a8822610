import { contractLabel } from '../../contract/identity.ts';
import { sanitizeLine } from '../../core/text.ts';
import type { Operation } from '../../patch/operation.ts';
import type { Comparison, ContractComparison, OperationComparison } from '../../review/compare.ts';
import type { Palette } from './palette.ts';

/** What is new, gone or changed since the review; ends with a line break. */
export function renderComparisonText({ contracts }: Comparison, palette: Palette): string {
  const lines = contracts.flatMap((contract) => contractLines(contract, palette));
  return `${palette.strong('Since the review:')}\n${lines.map((line) => `${line}\n`).join('')}`;
}

function contractLines(contract: ContractComparison, palette: Palette): string[] {
  const label = palette.strong(sanitizeLine(contractLabel(contract)));
  const headline = `${symbolOf(contract.kind, palette)} ${label}  ${describeComparison(contract)}`;
  if (contract.kind === 'landed') return [headline];
  return [headline, ...contract.operations.flatMap((one) => operationLines(one, palette))];
}

function symbolOf(kind: ContractComparison['kind'], palette: Palette): string {
  switch (kind) {
    case 'landed':
      return palette.good('✓');
    case 'new':
      return palette.added('+');
    case 'gone':
      return palette.removed('-');
    case 'moved':
    case 'changed':
      return palette.changed('~');
  }
}

/** What became of a reviewed contract, in words. */
export function describeComparison({
  kind,
  approvedVersion,
  proposedVersion,
}: ContractComparison): string {
  switch (kind) {
    case 'landed':
      return 'has landed already';
    case 'new':
      return 'was not in the reviewed plan';
    case 'gone':
      return 'was reviewed, and nothing is to be done any more';
    case 'moved':
    case 'changed': {
      const change = kind === 'moved' ? 'the same operations' : 'other operations';
      const hasMoved = approvedVersion !== proposedVersion;
      return hasMoved
        ? `${change}, and version ${sanitizeLine(approvedVersion ?? 'unknown')} is now ${sanitizeLine(proposedVersion ?? 'unknown')}`
        : change;
    }
  }
}

function operationLines(compared: OperationComparison, palette: Palette): string[] {
  switch (compared.kind) {
    case 'same':
      return [`    ${palette.faint(`= ${operationText(compared.operation)}`)}`];
    case 'new':
      return [`    ${palette.added(`+ ${operationText(compared.operation)}`)}`];
    case 'gone':
      return [`    ${palette.removed(`- ${operationText(compared.operation)}`)}`];
    case 'changed':
      return [
        `    ${palette.removed(`- ${operationText(compared.approved)}`)}`,
        `    ${palette.added(`+ ${operationText(compared.operation)}`)}`,
      ];
  }
}

/** An operation on one line, its value shortened. */
export function operationText(operation: Operation): string {
  const origin = 'from' in operation ? ` from ${operation.from}` : '';
  const value = 'value' in operation ? ` ${shortened(JSON.stringify(operation.value))}` : '';
  return sanitizeLine(`${operation.op} ${operation.path}${origin}${value}`);
}

/** Enough to recognise a value by. */
const longestValue = 160;

function shortened(value: string): string {
  return value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
}
