/** RFC 6901 JSON Pointers, as text and as lists of reference tokens, and patterns of pointers. */

import { isArray, isObject, type JsonValue } from '../core/json.ts';

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
  const matchingOf = (left: readonly Pattern[]): Matching => {
    const steps = new Map<string, Matching>();
    return {
      isMatch: left.some((pattern) => pattern.every((token) => token === '**')),
      goesOn: left.some((pattern) => pattern.length > 0),
      below: (token) => {
        const kind = literals.has(token) ? token : '*';
        const known = steps.get(kind);
        if (known) return known;
        const rests = left.flatMap((pattern) => after(pattern, kind));
        // `**` reaches the same rest of a pattern in many ways.
        const distinct = new Map(rests.map((rest) => [JSON.stringify(rest), rest]));
        const next = matchingOf([...distinct.values()]);
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
