import { parsePointer } from './pointer.ts';

/** A pointer in which `*` stands for any one token, and `**` for any number of them, also none. */
export type Pattern = readonly string[];

/** The pattern of a text such as `/schema/**\/tags`; undefined where it is none, or is empty. */
export function parsePattern(text: string): Pattern | undefined {
  const tokens = parsePointer(text);
  return tokens && tokens.length > 0 ? tokens : undefined;
}

/** What of the patterns is left to be matched below a child. */
export function descend(patterns: readonly Pattern[], token: string): readonly Pattern[] {
  return patterns.flatMap((pattern) => afterToken(pattern, token));
}

function afterToken([head, ...rest]: Pattern, token: string): readonly Pattern[] {
  if (head === undefined) return [];
  if (head === '**') return [[head, ...rest], ...afterToken(rest, token)];
  return head === '*' || head === token ? [rest] : [];
}

/** Whether one of the patterns matches here, nothing of it being left. */
export function isMatched(patterns: readonly Pattern[]): boolean {
  return patterns.some((pattern) => pattern.every((token) => token === '**'));
}
