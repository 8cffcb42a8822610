import { judgeCompatibility } from '../compatibility/compatibility.ts';
import type { DesiredContract, Identity, LiveContract } from '../contract/contract.ts';
import {
  type AllowedMove,
  type Lifecycle,
  nextStatuses,
  placeProblems,
} from '../contract/conventions.ts';
import { namesInFiles, namesToGuard } from '../contract/identity.ts';
import { matchesName, splitSegments, writeSegments } from '../contract/names.ts';
import {
  type Problem,
  type SourcePosition,
  type Diagnostic,
  hasErrors,
} from '../core/diagnostic.ts';
import {
  type JsonObject,
  defined,
  isArray,
  isNothing,
  isObject,
  type JsonValue,
} from '../core/json.ts';
import { quote, suggest } from '../core/text.ts';
import { type Transition, type ContractPlan, contractProblems } from './plan.ts';
import { type Rules, everyRule, type Exception, rulesFor } from './rules.ts';
import { hasPlaces } from '../compatibility/rule.ts';
import { itemsOf } from '../compatibility/schema.ts';
import { type FiledPair, isFiled, type Pair } from './pair.ts';

export type JudgedChange = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly target: JsonObject;
  readonly transition: Transition | undefined;
};

export function judgeChange({ live, desired, target, transition }: JudgedChange, rules: Rules) {
  const found = judgeCompatibility(live, target, desired, rules.compatibility);
  const effects = rules.reviews.readers
    ? found.map((each) => namingReaders(each, live, desired))
    : found;
  const moves = transition ? judgeTransition(transition, desired, rules.lifecycle) : [];
  return [
    ...(rules.protected.length > 0 ? judgeProtection(live, desired.source, rules) : []),
    ...allowExceptions([...moves, ...effects], live, rules),
    ...placeProblems(rules.conventions.checkChange(live.document, target), desired),
  ];
}

// A block asks nobody: only what the level lets through can wait for those who read it.
function namingReaders(
  problem: Problem,
  { entityStatus: status = 'Active' }: LiveContract,
  { slips = [] }: DesiredContract,
): Problem {
  const isSlip = slips.some(({ message }) => message === problem.message);
  if (problem.severity !== 'error' || problem.impact !== 'breaking' || isSlip) return problem;
  const level = `\`compatibility.${status.toLowerCase()}: warn\``;
  const hint = `${problem.hint} Or set ${level}: then those who read it decide, by \`reviews.breaking: readers\`.`;
  return { ...problem, hint };
}

/** A contract without a name in its file may have one in the catalog. */
export function judgeScopeOfFile({ identity, source }: DesiredContract, rules: Rules): Problem[] {
  const isNamed = namesInFiles(identity, rules.names).length > 0;
  return isNamed ? judgeScope(identity, source, rules) : [];
}

/** By the names of the catalog, whatever the file says. */
export function judgeScope(
  identity: Identity,
  source: SourcePosition,
  { scope, team, teamInScope, names: mapping }: Rules,
): Problem[] {
  const names = namesInFiles(identity, mapping);
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
  const nameless = 'This contract has no qualified name, so it counts as outside `scope`.';
  if (names.length === 0) return outside(nameless, toBeNamed);
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

// Breadth-first, with both ends. The list grows during the loop.
function shortestPath({ from, to }: Transition, moves: readonly AllowedMove[]) {
  const paths = from === null ? [] : [[from]];
  const reached = new Set([from]);
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
  const everywhere =
    'or for all contracts in `lifecycle.transitions`, which replaces the default list';
  const otherwise = `allow it for this contract in \`allow\`, with \`rule: transition-blocked\` and a reason${isListed ? '' : `, ${everywhere}`}.`;
  const moves = lifecycle.transitions.filter(({ rule }) => rule !== 'block');
  const path = shortestPath(transition, moves);
  if (path) return `Go step by step, one apply each (${spell(path)}), or ${otherwise}`;
  const next = transition.from === null ? [] : nextStatuses(transition.from, lifecycle);
  return next.length > 0
    ? `From ${transition.from}, a contract can become ${next.join(' or ')}. Otherwise, ${otherwise}`
    : `A${otherwise.slice(1)}`;
}

export function allowExceptions(
  problems: readonly Problem[],
  live: LiveContract,
  { exceptionsFor, names }: Rules,
): Problem[] {
  if (!hasErrors(problems)) return [...problems];
  const near = exceptionsFor(namesInFiles(live, names));
  const told = new Set<Exception>();
  return problems.flatMap((problem) => {
    const covering = near.filter(
      ({ rule, place }) =>
        rule === problem.code && (place === undefined || place === problem.place),
    );
    if (problem.severity !== 'error' || covering.length === 0) return [problem];
    const valid = covering.find(({ expired }) => !expired);
    if (!valid) {
      const untold = covering.filter((exception) => !told.has(exception));
      for (const exception of untold) told.add(exception);
      return [problem, ...untold.map(ended)];
    }
    const { reason, until } = valid;
    const hint = `Allowed${until === undefined ? '' : ` until ${until}`}: ${reason}`;
    return [{ ...problem, severity: 'warning', hint, allowed: { reason, ...defined({ until }) } }];
  });
}

// The finding itself is the error: what lifts that needs no exception.
function ended(exception: Exception): Problem {
  const { until, source } = exception;
  const message = `The exception for ${subjectOf(exception)} ended on ${until}.`;
  const hint = 'Revert the change, or agree on a later day and set `until`.';
  return { code: 'exception-expired', severity: 'warning', scope: 'change', message, hint, source };
}

function subjectOf({ rule, place, reason }: Exception): string {
  return `${rule}${place === undefined ? '' : ` of ${place}`} (${reason})`;
}

/**
 * Warns of an exception that allows more than one place, and of one that allows nothing any more:
 * its last day is over, or its place is gone. A place that is still there may be about to change.
 * `pairs` are empty unless they are all that the files and the catalog have.
 */
export function judgeExceptions(
  rules: Rules,
  pairs: readonly Pair[] = [],
  contracts: readonly ContractPlan[] = [],
): Diagnostic[] {
  // Each team repeats the entries of the shared part.
  const entries = new Map<string, Exception>();
  for (const { exceptions } of everyRule(rules))
    for (const exception of exceptions) entries.set(keyOf(exception.source), exception);
  if (entries.size === 0) return [];
  const gone = placesGone(pairs, rules);
  // A change that waits for an ended exception says so at its place.
  const said = new Set(
    contracts.flatMap(contractProblems).map(({ source }) => source && keyOf(source)),
  );
  const found: Diagnostic[] = [];
  for (const [key, exception] of entries) {
    const { rule, place, expired, until, isShared, source } = exception;
    const warn = (code: string, says: string, hint: string): void => {
      const message = `The exception for ${subjectOf(exception)} ${says}.`;
      found.push({ code, severity: 'warning', message, hint, source });
    };
    if (said.has(key)) continue;
    if (expired) {
      const hint = 'Remove it from `allow`, or agree on a later day and set `until`.';
      warn('exception-unused', `ended on ${until}: it allows nothing any more`, hint);
    } else if (!isShared && gone.has(key)) {
      const near = nearPlace(exception, gone.get(key), contracts);
      if (near === undefined) {
        const says = 'is used up: neither the file nor the catalog has that place any more';
        warn('exception-unused', says, 'Remove it from `allow`.');
      } else {
        const says = 'allows nothing: neither the file nor the catalog has that place';
        const hint = `Did you mean ${quote(near)}? If not, it is used up: remove it from \`allow\`.`;
        warn('exception-unused', says, hint);
      }
    } else if (place === undefined && hasPlaces(rule)) {
      const example = rule === 'sla-worsened' ? 'sla.maxLatency' : 'schema.fax_number';
      const hint = `Name the place that was agreed on, such as \`place: ${example}\`.`;
      warn('exception-wide', 'has no `place`, so it allows this anywhere in the contract', hint);
    }
  }
  return found;
}

function keyOf(source: SourcePosition): string {
  return JSON.stringify(source);
}

// That of a blocked change first: the exception was written for one.
function nearPlace(
  { rule, place = '' }: Exception,
  pairs: readonly FiledPair[] = [],
  contracts: readonly ContractPlan[],
): string | undefined {
  const ids = new Set(pairs.map(({ live }) => live.id));
  const blocked = contracts
    .filter((plan) => 'id' in plan && ids.has(plan.id))
    .flatMap(contractProblems)
    .flatMap(({ code, severity, place: at }) =>
      code === rule && severity === 'error' ? (at ?? []) : [],
    );
  const documents = pairs.flatMap(({ live, desired }) => [live.document, desired.managed]);
  const places = documents.flatMap((document) => [
    ...columnPlaces(document['schema'], ['schema']),
    ...Object.keys(isObject(document['sla']) ? document['sla'] : {}).map((key) => `sla.${key}`),
  ]);
  return suggest(place, blocked) ?? suggest(place, places) ?? blocked[0];
}

function columnPlaces(columns: JsonValue | undefined, above: readonly string[]): string[] {
  return itemsOf(columns).flatMap((column) => {
    if (!isObject(column) || typeof column['name'] !== 'string') return [];
    const path = [...above, column['name']];
    return [writeSegments(path), ...columnPlaces(column['children'], path)];
  });
}

/** By their keys, exceptions of which no contract that they match may have the place, with those. */
function placesGone(pairs: readonly Pair[], rules: Rules): ReadonlyMap<string, FiledPair[]> {
  const gone = new Map<string, FiledPair[]>();
  const kept = new Set<string>();
  for (const pair of pairs) {
    const { exceptionsFor, names } = rulesFor(pair, rules);
    const identity = pair.live ?? pair.desired.identity;
    for (const exception of exceptionsFor(namesInFiles(identity, names))) {
      const key = keyOf(exception.source);
      // Of a contract without a file, the list keeps no columns.
      if (!isFiled(pair) || mayHavePlace(pair, exception)) kept.add(key);
      else gone.set(key, [...(gone.get(key) ?? []), pair]);
    }
  }
  return new Map([...gone].filter(([key]) => !kept.has(key)));
}

function mayHavePlace(pair: FiledPair, { rule, place }: Exception): boolean {
  if (pair.live.tooDeep?.length || rule === 'transition-blocked') return true;
  const named = rule === 'contract-emptied' ? 'schema' : place;
  if (named === undefined) return true;
  return [pair.live.document, pair.desired.managed].some((document) => hasPlace(document, named));
}

function hasPlace(document: JsonObject, place: string): boolean {
  const [section = '', ...path] = splitSegments(place);
  let value: JsonValue | undefined = document[section];
  for (const name of path) {
    // A key of several columns.
    if (name.startsWith('{')) return true;
    const parent = isObject(value) ? value : {};
    // The columns of a column are its `children`.
    const columns = isArray(value) ? value : itemsOf(parent['children']);
    value =
      section === 'schema'
        ? columns.filter(isObject).find((column) => column['name'] === name)
        : parent[name];
  }
  return !isNothing(value) && !(isArray(value) && value.length === 0);
}
