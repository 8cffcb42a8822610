import { count } from '../../core/text.ts';
import { fence } from './text.ts';

/** Contracts that make the same move. */
export type Move = {
  readonly from: string | null;
  readonly to: string | null;
  readonly of: number;
};

/** The moves as a state diagram, which GitHub draws. */
export function stateDiagram(moves: readonly Move[]): string {
  const statuses = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const alias = (status: string | null) =>
    status === null ? '[*]' : `s${statuses.indexOf(status)}`;
  return fence('mermaid', [
    'stateDiagram-v2',
    '  direction LR',
    ...statuses
      .filter((status) => status !== null)
      .map((status) => `  state "${plainLabel(status)}" as ${alias(status)}`),
    ...moves.map(
      ({ from, to, of }) =>
        `  ${alias(from)} --> ${alias(to)}: ${count(of, 'contract', 'contracts')}`,
    ),
  ]);
}

/** Statuses are the configuration's to name: of a strange one only the letters are drawn. */
function plainLabel(status: string): string {
  return status.replaceAll(/[^\p{L}\p{N} _-]/gu, ' ').slice(0, 40);
}
