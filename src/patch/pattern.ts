import { parsePointer } from './pointer.ts';

/** A pointer in which `*` stands for any one token, and `**` for any number of them, also none. */
export type Pattern = readonly string[];

/** The pattern that a text such as `/schema/*` + `/tags` writes; undefined where it writes none. */
export function parsePattern(text: string): Pattern | undefined {
  const tokens = parsePointer(text);
  return tokens && tokens.length > 0 ? tokens : undefined;
}

/** How far patterns are matched at one place of a document. */
export type Matching = {
  /** Whether one of them matches right here. */
  readonly isMatch: boolean;
  /** Whether one of them can match further down. */
  readonly goesOn: boolean;
  /** The matching at a child. */
  readonly below: (token: string) => Matching;
};

/** The matching of patterns at the root; it remembers its steps, so keep it for many documents. */
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
      // Tokens that no pattern names are all alike: the memory stays small.
      const kind = literals.has(token) ? token : '*';
      const next =
        known.get(kind) ?? matchingOf(patterns.flatMap((pattern) => after(pattern, kind)));
      known.set(kind, next);
      return next;
    },
  };
}

/** What of a pattern is left once it has taken a token. */
function after([head, ...rest]: Pattern, token: string): readonly Pattern[] {
  if (head === undefined) return [];
  if (head === '**') return [[head, ...rest], ...after(rest, token)];
  return head === '*' || head === token ? [rest] : [];
}
