/** RFC 6901 JSON Pointers, as text and as lists of reference tokens, and patterns of pointers. */

import { isArray, isObject, isScalar, type JsonValue } from '../core/json.ts';
import { suggest } from '../core/text.ts';

export type Pointer = readonly string[];

/** Undefined where the text is no pointer (RFC 6901 §3). */
export function parsePointer(text: string): Pointer | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/u.test(text)) return undefined;
  const tokens = text.slice(1).split('/');
  // `~1` before `~0`, so that `~01` becomes `~1` and not `/` (RFC 6901 §4).
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** RFC 6901 §3. */
export function formatPointer(tokens: Pointer): string {
  let text = '';
  for (const token of tokens) text += `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return text;
}

export function valueAt(document: JsonValue, pointer: Pointer): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of pointer) {
    if (value === undefined) return undefined;
    value = childAt(value, token);
  }
  return value;
}

export function childAt(parent: JsonValue, token: string): JsonValue | undefined {
  if (isArray(parent)) return parent[parseIndex(token) ?? parent.length];
  return isObject(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
}

/** An array index is decimal and has no leading zero (RFC 6901 §4). */
export function parseIndex(token: string): number | undefined {
  return /^(?:0|[1-9]\d*)$/u.test(token) ? Number(token) : undefined;
}

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
  // `**` reaches the same rest of a pattern in many ways: each set of rests is computed once.
  const matchingOf = (left: readonly Pattern[]): Matching => {
    const rests = new Map(left.map((pattern) => [JSON.stringify(pattern), pattern]));
    const key = [...rests.keys()].join('\n');
    const matching = known.get(key) ?? stepwise([...rests.values()]);
    known.set(key, matching);
    return matching;
  };
  const stepwise = (left: readonly Pattern[]): Matching => {
    const steps = new Map<string, Matching>();
    return {
      isMatch: left.some((pattern) => pattern.every((token) => token === '**')),
      goesOn: left.some((pattern) => pattern.length > 0),
      below: (token) => {
        const kind = literals.has(token) ? token : '*';
        const known = steps.get(kind);
        if (known) return known;
        const next = matchingOf(left.flatMap((pattern) => after(pattern, kind)));
        steps.set(kind, next);
        return next;
      },
    };
  };
  return matchingOf(patterns);
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

/** Undefined where the documents have too many places, or nest too deep. */
export function drawOutline(documents: Iterable<JsonValue>): Outline | undefined {
  const root: Growing = new Map();
  let places = 0;
  let isWhole = true;

  function add(value: JsonValue, at: Growing, depth: number): void {
    if (isScalar(value) || !isWhole) return;
    if (depth > deepest) isWhole = false;
    else if (isArray(value)) for (const each of value) addBelow(anyElement, each, at, depth);
    else for (const [name, each] of Object.entries(value)) addBelow(name, each, at, depth);
  }

  function addBelow(name: string, value: JsonValue, at: Growing, depth: number): void {
    const known = at.get(name);
    if (!known) places += 1;
    isWhole &&= places <= mostPlaces;
    if (!isWhole) return;
    const below: Growing = known ?? new Map();
    at.set(name, below);
    add(value, below, depth + 1);
  }

  for (const document of documents) add(document, root, 0);
  return isWhole ? root : undefined;
}

export function isInOutline(pattern: Pattern, outline: Outline): boolean {
  const isFound = (matching: Matching, at: Outline): boolean =>
    matching.isMatch ||
    (matching.goesOn && at.entries().some(([name, below]) => isFound(matching.below(name), below)));
  return isFound(startMatching([pattern]), outline);
}

export function nearestPointer(pattern: Pattern, outline: Outline): Pattern | undefined {
  const fitted: string[] = [];
  let at: readonly Outline[] = [outline];
  for (const [depth, token] of pattern.entries()) {
    if (token === '**') {
      fitted.push(...pattern.slice(depth));
      break;
    }
    const names = new Set(at.flatMap((each) => [...each.keys()]));
    // Patterns have no indices.
    const isIndex = names.has(anyElement) && /^(?:\d+|-)$/u.test(token);
    const name = isIndex && !names.has(token) ? anyElement : token;
    const step = name === anyElement || names.has(name) ? name : suggest(name, [...names]);
    if (step === undefined) return undefined;
    at = at.flatMap((each) => (step === anyElement ? [...each.values()] : (each.get(step) ?? [])));
    fitted.push(step);
  }
  return isInOutline(fitted, outline) ? fitted : undefined;
}

export function elementMembers(outline: Outline): ReadonlyMap<string, ReadonlySet<string>> {
  const members = new Map<string, Set<string>>();
  const visit = (at: Outline): void => {
    for (const [name, below] of at) {
      const element = below.get(anyElement);
      if (element) members.set(name, new Set([...(members.get(name) ?? []), ...element.keys()]));
      visit(below);
    }
  };
  visit(outline);
  return members;
}
