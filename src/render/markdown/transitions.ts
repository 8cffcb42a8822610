import { contractLabel } from '../../contract/identity.ts';
import type { Transition, UpdatePlan } from '../../plan/plan.ts';
import { count } from '../../core/text.ts';
import type { Block } from './blocks.ts';
import { stateDiagram, type Move } from './mermaid.ts';
import { code, firstRows, table } from './text.ts';

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
