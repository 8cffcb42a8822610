import type { Span } from './owned.ts';
import type { YamlComment } from './tree.ts';

/**
 * The comments that a later text has no more, if all of them stood where they may be lost; else
 * undefined. Where an equal one is left, it is taken to be the one that stood elsewhere.
 */
export function lostComments(
  before: readonly YamlComment[],
  after: readonly YamlComment[],
  losing: Span | undefined,
): readonly YamlComment[] | undefined {
  const left = new Map<string, number>();
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1);
  const isLosable = ({ offset }: YamlComment): boolean =>
    losing !== undefined && offset >= losing.start && offset < losing.end;
  const isFound = ({ text }: YamlComment): boolean => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  };
  const [inside, outside] = [before.filter(isLosable), before.filter((c) => !isLosable(c))];
  return outside.every(isFound) ? inside.filter((comment) => !isFound(comment)) : undefined;
}
