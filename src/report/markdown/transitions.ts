import { contractLabel } from '../../contract/identity.ts';
import { count } from '../../core/text.ts';
import type { Transition, UpdatePlan } from '../../plan/plan.ts';
import type { Block } from './report.ts';
import { code, fence, firstRows, table } from './text.ts';

/** The changes of status, drawn and listed: what a consumer of a contract notices first. */
export function transitionsBlock(contracts: readonly UpdatePlan[]): Block[] {
  const moving = contracts.flatMap(({ transition, ...contract }) =>
    transition ? [{ transition, label: contractLabel(contract) }] : [],
  );
  if (moving.length === 0) return [];
  const moves = countMoves(moving.map(({ transition }) => transition));
  const header = ['Status', 'Contract'];
  const rows = moving.map(({ transition, label }) => [describeMove(transition), code(label)]);
  const counts = moves.map((move) => [describeMove(move), count(move.of, 'contract', 'contracts')]);
  const title = '### Status transitions';
  const diagram = stateDiagram(moves);
  return [
    [
      [title, diagram, table(header, rows)].join('\n\n'),
      [title, diagram, firstRows(header, rows, 50)].join('\n\n'),
      [title, table(header, counts)].join('\n\n'),
    ],
  ];
}

/** `Draft → **Active**`. */
export function describeMove({ from, to }: Transition): string {
  return `${from === null ? 'none' : code(from)} → **${to === null ? 'none' : code(to)}**`;
}

function countMoves(transitions: readonly Transition[]): Move[] {
  const groups = Map.groupBy(transitions, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ from, to }) => ({ from, to, of: group.length })),
  );
}

/** Contracts that make the same move. */
type Move = {
  readonly from: string | null;
  readonly to: string | null;
  readonly of: number;
};

/** The moves as a state diagram, which GitHub draws. */
function stateDiagram(moves: readonly Move[]): string {
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
