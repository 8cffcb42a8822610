import { judgeCompatibility } from '../compatibility/compatibility.ts';
import type { DesiredContract, Identity, LiveContract } from '../contract/contract.ts';
import {
  type AllowedMove,
  type Lifecycle,
  nextStatuses,
  placeProblems,
} from '../contract/conventions.ts';
import { namesInFiles, namesToGuard } from '../contract/identity.ts';
import { matchesName } from '../contract/names.ts';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { allowExceptions } from './exceptions.ts';
import type { Transition } from './plan.ts';
import type { Rules } from './rules.ts';

export type JudgedChange = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly target: JsonObject;
  readonly transition: Transition | undefined;
};

export function judgeChange({ live, desired, target, transition }: JudgedChange, rules: Rules) {
  const effects = judgeCompatibility(live, target, desired, rules.compatibility);
  const moves = transition ? judgeTransition(transition, desired, rules.lifecycle) : [];
  return [
    ...(rules.protected.length > 0 ? judgeProtection(live, desired.source, rules) : []),
    ...allowExceptions([...moves, ...effects], live, rules),
    ...placeProblems(rules.conventions.checkChange(live.document, target), desired),
  ];
}

/** By the names of the catalog, whatever the file says. */
export function judgeScope(live: Identity, source: SourcePosition, rules: Rules): Problem[] {
  return isScoped(rules) ? outsideScope(namesInFiles(live, rules.names), source, rules) : [];
}

/** A contract without a name in its file may have one in the catalog. */
export function judgeScopeOfFile({ identity, source }: DesiredContract, rules: Rules): Problem[] {
  const names = isScoped(rules) ? namesInFiles(identity, rules.names) : [];
  return names.length > 0 ? outsideScope(names, source, rules) : [];
}

function isScoped({ scope, teams }: Rules): boolean {
  return scope.length + teams.length > 0;
}

function outsideScope(
  names: readonly string[],
  source: SourcePosition,
  { scope, team, teamInScope, names: mapping }: Rules,
): Problem[] {
  const owner = teamInScope(names);
  const isInScope = scope.length === 0 || matchesName(scope, names);
  // Shared rules may name a wide scope, of which each team has a part.
  if (isInScope && owner === team) return [];
  const outside = (message: string, hint: string): Problem[] => [
    { code: 'outside-scope', severity: 'error', message, hint, source },
  ];
  if (names.length === 0 && mapping.length > 0)
    return outside(
      'No name in files leads to this contract by `names`, so it counts as outside `scope`.',
      'Correct `names`, or rename the contract in the catalog.',
    );
  if (names.length === 0)
    return outside(
      'This contract has no qualified name, so it counts as outside `scope`.',
      toBeNamed,
    );
  if (owner !== undefined)
    return outside(
      `This contract is in the scope of the team ${owner}, and this file is not.`,
      'Move the file to a folder of that team, or narrow its `scope`.',
    );
  return outside(
    `This contract is outside \`scope\`${team === undefined ? '' : ` of the team ${team}`}.`,
    'Remove the file, or widen `scope` if the contract belongs to this repository.',
  );
}

const toBeNamed = 'Give the contract or its asset a qualified name in the catalog.';

function judgeProtection(live: LiveContract, source: SourcePosition, rules: Rules): Problem[] {
  const names = namesToGuard(live, rules.names);
  const isNamed = names.length > 0;
  if (isNamed && !matchesName(rules.protected, names)) return [];
  const [message, hint] = isNamed
    ? [
        "This contract is protected: it can't be changed.",
        'Revert the change, or remove the name from `protected` in the configuration.',
      ]
    : ['This contract has no qualified name, so it counts as protected.', toBeNamed];
  return [{ code: 'contract-protected', severity: 'error', message, hint, source }];
}

// Both ends included.
function shortestPath({ from, to }: Transition, moves: readonly AllowedMove[]) {
  const paths = from === null ? [] : [[from]];
  const reached = new Set([from]);
  // Breadth-first: the list grows during the loop.
  for (const path of paths) {
    if (path.at(-1) === to) return path;
    for (const move of moves) {
      if (move.from !== path.at(-1) || reached.has(move.to)) continue;
      reached.add(move.to);
      paths.push([...path, move.to]);
    }
  }
  return undefined;
}

export function findTransition(live: JsonObject, target: JsonObject): Transition | undefined {
  const from = statusOf(live);
  const to = statusOf(target);
  return from === to ? undefined : { from, to };
}

function statusOf({ entityStatus: status }: JsonObject): string | null {
  return typeof status === 'string' ? status : null;
}

export function judgeTransition(
  transition: Transition,
  { locate }: DesiredContract,
  lifecycle: Lifecycle,
): Problem[] {
  const source = locate(['entityStatus']);
  const { from, to } = transition;
  const move = spell([from, to]);
  const listed = lifecycle.transitions.find((each) => each.from === from && each.to === to);
  // A first status has no predecessor, so any is allowed.
  const unlisted = from === null ? 'allow' : 'block';
  switch (listed ? (listed.rule ?? 'allow') : unlisted) {
    case 'allow':
      return [];
    case 'warn': {
      const message = `The transition ${move} is unusual.`;
      const hint = 'It will be applied. Check that you mean it.';
      return [{ code: 'transition-unusual', severity: 'warning', message, hint, source }];
    }
    case 'block': {
      const code = 'transition-blocked';
      const message = listed
        ? `The transition ${move} is blocked by \`rule: block\` in \`lifecycle.transitions\`.`
        : `The lifecycle doesn't allow the transition ${move}.`;
      const hint = wayOut(transition, lifecycle, listed !== undefined);
      return [{ code, severity: 'error', scope: 'change', message, hint, source }];
    }
  }
}

function spell(statuses: readonly (string | null)[]): string {
  return statuses.map((status) => status ?? 'no status').join(' → ');
}

function wayOut(transition: Transition, lifecycle: Lifecycle, isListed: boolean): string {
  const otherwise = isListed
    ? 'agree on it for this contract in `allow`, with `rule: transition-blocked` and a reason.'
    : 'add the transition to `lifecycle.transitions` in the configuration.';
  const moves = lifecycle.transitions.filter(({ rule }) => rule !== 'block');
  const path = shortestPath(transition, moves);
  if (path) return `Go step by step, one apply each (${spell(path)}), or ${otherwise}`;
  const next = transition.from === null ? [] : nextStatuses(transition.from, lifecycle);
  return next.length > 0
    ? `From ${transition.from}, a contract can become ${next.join(' or ')}. Otherwise, ${otherwise}`
    : `A${otherwise.slice(1)}`;
}
