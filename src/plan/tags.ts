/** Tags of columns without a `source`: the catalog would take a glossary term for a tag. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { Problem } from '../core/diagnostic.ts';
import { isArray, isEmpty, isNothing, isObject, type JsonValue } from '../core/json.ts';
import { composed, didYouMean, quote } from '../core/text.ts';
import { evaluate, type Operation } from '../patch/evaluate.ts';
import { formatPointer, type Pointer } from '../patch/pointer.ts';

export type TagAnswer =
  | { readonly kind: 'tag' | 'glossaryTerm' | 'unknown' }
  | { readonly kind: 'unreadable'; readonly why: string };

export type Tags = {
  readonly answers: ReadonlyMap<string, TagAnswer>;
  /** The tags of live contracts. */
  readonly known: ReadonlySet<string>;
};

type PlacedTag = {
  readonly name: string;
  readonly hasSource: boolean;
  readonly column: string;
  readonly pointer: Pointer;
};

export function* tagsIn(
  columns: JsonValue | undefined,
  pointer: Pointer = ['schema'],
  parent = '',
): Generator<PlacedTag> {
  for (const [index, item] of isArray(columns) ? columns.entries() : []) {
    const { name, tags, children } = isObject(item) ? item : {};
    if (isEmpty(tags) && isEmpty(children)) continue;
    const at = [...pointer, String(index)];
    const column = `${parent}\n${typeof name === 'string' ? composed(name) : ''}`;
    for (const [position, tag] of isArray(tags) ? tags.entries() : []) {
      const { tagFQN, source } = isObject(tag) ? tag : {};
      if (typeof tagFQN !== 'string') continue;
      const place = [...at, 'tags', String(position)];
      yield { name: tagFQN, hasSource: !isNothing(source), column, pointer: place };
    }
    yield* tagsIn(children, [...at, 'children'], column);
  }
}

/** A tag that live's column has already keeps the source that it has there. */
export function tagsToLookUp(
  { managed }: DesiredContract,
  live?: LiveContract,
): readonly PlacedTag[] {
  const bare = [...tagsIn(managed['schema'])].filter(({ hasSource }) => !hasSource);
  if (bare.length === 0) return [];
  const keyOf = ({ column, name }: PlacedTag): string => `${column}\n\n${name}`;
  const there = new Set([...tagsIn(live?.document['schema'])].map(keyOf));
  return bare.filter((tag) => !there.has(keyOf(tag)));
}

export function resolveTags(
  desired: DesiredContract,
  live: LiveContract,
  { answers, known }: Tags,
): { readonly desired: DesiredContract; readonly problems: readonly Problem[] } {
  const isTerm = ({ name }: PlacedTag): boolean => answers.get(name)?.kind === 'glossaryTerm';
  const tags = tagsToLookUp(desired, live);
  const sources = tags.filter(isTerm).map(({ pointer }): Operation => {
    const path = formatPointer([...pointer, 'source']);
    return { op: 'add', path, value: 'Glossary' };
  });
  const managed = evaluate(desired.managed, sources);
  return {
    desired: sources.length > 0 && isObject(managed) ? { ...desired, managed } : desired,
    problems: tags.flatMap(({ name, pointer }) => {
      const problem = problemOf(name, answers.get(name), known);
      return problem ? [{ ...problem, source: desired.locate([...pointer, 'tagFQN']) }] : [];
    }),
  };
}

function problemOf(name: string, answer: TagAnswer | undefined, known: ReadonlySet<string>) {
  switch (answer?.kind) {
    case 'unreadable': {
      const message = `Can't look up the tag ${quote(name)}: ${answer.why}`;
      const hint = 'The other contracts can be applied; plan again for this one.';
      return {
        code: 'lookup-failed',
        severity: 'error',
        scope: 'contract',
        message,
        hint,
      } as const;
    }
    case 'unknown': {
      const message = `The catalog has no tag and no glossary term ${quote(name)}.`;
      const hint = didYouMean(name, [...known]) ?? 'Correct it, or create it in the catalog first.';
      return { code: 'unknown-reference', severity: 'error', message, hint } as const;
    }
    default:
      return undefined;
  }
}
