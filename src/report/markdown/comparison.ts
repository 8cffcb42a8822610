import { contractLabel } from '../../contract/identity.ts';
import type { Comparison, OperationComparison } from '../../review/compare.ts';
import { describeComparison, operationText } from '../text/comparison.ts';
import type { Block } from './report.ts';
import { code, fence, prose } from './text.ts';

/** What is new, gone or changed since the review, operation by operation. */
export function comparisonBlocks({ contracts }: Comparison): Block[] {
  if (contracts.length === 0) return [];
  return [
    ['### Since the review'],
    ...contracts.map((contract): Block => {
      const headline = `- ${code(contractLabel(contract))}: ${prose(describeComparison(contract))}`;
      const lines = contract.operations.flatMap(operationLines);
      if (contract.kind === 'landed' || lines.length === 0) return [headline, ''];
      return [`${headline}\n\n${fence('diff', lines)}`, headline, ''];
    }),
  ];
}

function operationLines(compared: OperationComparison): string[] {
  switch (compared.kind) {
    case 'same':
      return [`  ${operationText(compared.operation)}`];
    case 'new':
      return [`+ ${operationText(compared.operation)}`];
    case 'gone':
      return [`- ${operationText(compared.operation)}`];
    case 'changed':
      return [`- ${operationText(compared.approved)}`, `+ ${operationText(compared.operation)}`];
  }
}
