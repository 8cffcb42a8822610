import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { suggest } from '../core/text.ts';
import { parsePointer } from './pointer.ts';

/** A pointer in which `*` matches any one token, and `**` any number of them, also none. */
export type Pattern = readonly string[];

export function parsePattern(text: string): Pattern | undefined {
  const tokens = parsePointer(text);
  return tokens && tokens.length > 0 ? tokens : undefined;
}

export type Matching = {
  readonly isMatch: boolean;
  readonly goesOn: boolean;
  readonly below: (token: string) => Matching;
};

export function startMatching(patterns: readonly Pattern[]): Matching {
  const literals = new Set(patterns.flatMap((pattern) => pattern));
  const known = new Map<string, Matching>();
  // Many ways lead `**` to what is left of a pattern: each rest counts once, and so does each set of them.
  const matchingOf = (left: readonly Pattern[]): Matching => {
    const rests = new Map(left.map((pattern) => [JSON.stringify(pattern), pattern]));
    const key = [...rests.keys()].join('\n');
    const matching = known.get(key) ?? stepwise([...rests.values()], literals, matchingOf);
    known.set(key, matching);
    return matching;
  };
  return matchingOf(patterns);
}

function stepwise(
  patterns: readonly Pattern[],
  literals: ReadonlySet<string>,
  matchingOf: (left: readonly Pattern[]) => Matching,
): Matching {
  const known = new Map<string, Matching>();
  return {
    isMatch: patterns.some((pattern) => pattern.every((token) => token === '**')),
    goesOn: patterns.some((pattern) => pattern.length > 0),
    below: (token) => {
      const kind = literals.has(token) ? token : '*';
      const next =
        known.get(kind) ?? matchingOf(patterns.flatMap((pattern) => after(pattern, kind)));
      known.set(kind, next);
      return next;
    },
  };
}

function after([head, ...rest]: Pattern, token: string): readonly Pattern[] {
  if (head === undefined) return [];
  if (head === '**') return [[head, ...rest], ...after(rest, token)];
  return head === '*' || head === token ? [rest] : [];
}

export type Outline = ReadonlyMap<string, Outline>;

type Growing = Map<string, Growing>;

const anyElement = '*';

const mostPlaces = 10_000;
const deepest = 100;

export function drawOutline() {
  const root: Growing = new Map();
  let places = 0;
  let isWhole = true;

  function add(value: JsonValue, at: Growing, depth: number): void {
    const isLeaf = !isArray(value) && !isObject(value);
    if (isLeaf || !isWhole) return;
    if (depth > deepest) isWhole = false;
    else if (isArray(value)) for (const each of value) addBelow(anyElement, each, at, depth);
    else for (const name of Object.keys(value)) addBelow(name, value[name] ?? null, at, depth);
  }

  function addBelow(name: string, value: JsonValue, at: Growing, depth: number): void {
    const below = at.get(name) ?? grow(at, name);
    if (below) add(value, below, depth + 1);
  }

  function grow(at: Growing, name: string): Growing | undefined {
    places += 1;
    if (places > mostPlaces) {
      isWhole = false;
      return undefined;
    }
    const below: Growing = new Map();
    at.set(name, below);
    return below;
  }

  return {
    add: (document: JsonValue): void => add(document, root, 0),
    outline: (): Outline | undefined => (isWhole ? root : undefined),
  };
}

export function isInOutline(pattern: Pattern, outline: Outline): boolean {
  return isFound(startMatching([pattern]), outline);
}

function isFound(matching: Matching, outline: Outline): boolean {
  if (matching.isMatch) return true;
  return (
    matching.goesOn &&
    outline.entries().some(([name, below]) => isFound(matching.below(name), below))
  );
}

export function nearestPointer(pattern: Pattern, outline: Outline): Pattern | undefined {
  const fitted: string[] = [];
  let at: readonly Outline[] = [outline];
  for (const [depth, token] of pattern.entries()) {
    if (token === '**') {
      fitted.push(...pattern.slice(depth));
      break;
    }
    const step = stepFor(token, new Set(at.flatMap((each) => [...each.keys()])));
    if (step === undefined) return undefined;
    at = at.flatMap((each) => childrenAt(each, step));
    fitted.push(step);
  }
  return isInOutline(fitted, outline) ? fitted : undefined;
}

function stepFor(token: string, names: ReadonlySet<string>): string | undefined {
  if (token === anyElement || names.has(token)) return token;
  // Patterns know no indices.
  const isIndex = names.has(anyElement) && /^(?:\d+|-)$/u.test(token);
  return isIndex ? anyElement : suggest(token, [...names]);
}

function childrenAt(outline: Outline, token: string): Outline[] {
  if (token === anyElement) return [...outline.values()];
  const child = outline.get(token);
  return child ? [child] : [];
}

export function elementMembers(outline: Outline): ReadonlyMap<string, ReadonlySet<string>> {
  const members = new Map<string, Set<string>>();
  const visit = (at: Outline): void => {
    for (const [name, below] of at) {
      const element = below.get(anyElement);
      if (element) {
        members.set(name, new Set([...(members.get(name) ?? []), ...element.keys()]));
      }
      visit(below);
    }
  };
  visit(outline);
  return members;
}
