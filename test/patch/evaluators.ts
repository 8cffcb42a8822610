import fastJsonPatch from 'fast-json-patch';
import { applyPatch } from 'rfc6902';
import type { JsonValue } from '../../src/core/json.ts';
import { evaluate, type Patch } from '../../src/patch/evaluate.ts';

/** Three evaluators that share no code. */
export const evaluators = {
  ours: evaluate,
  fastJsonPatch: (document: JsonValue, patch: Patch): JsonValue =>
    fastJsonPatch.applyPatch(structuredClone(document), structuredClone([...patch]), true)
      .newDocument,
  rfc6902: (document: JsonValue, patch: Patch): JsonValue => {
    // It replaces the root only inside of something.
    const holder = { root: structuredClone(document) };
    const below = structuredClone(patch).map((operation) => ({
      ...operation,
      path: `/root${operation.path}`,
      ...('from' in operation && { from: `/root${operation.from}` }),
    }));
    for (const error of applyPatch(holder, below)) if (error) throw error;
    return holder.root;
  },
};

/** The operations that fast-json-patch finds, index by index. */
export function compareByIndex(live: JsonValue, desired: JsonValue): Patch {
  // It says nothing about a root that is no object.
  return fastJsonPatch.compare({ root: live as object }, { root: desired as object }) as Patch;
}

/** rfc6902 passes over a member named `constructor` or `prototype`, and changes what is above it. */
export function evaluatorsFor(patch: Patch): readonly (typeof evaluators)['ours'][] {
  const { ours, fastJsonPatch: other, rfc6902 } = evaluators;
  const isSkipped = patch.some(({ path }) => /\/(?:constructor|prototype)\//u.test(`${path}/`));
  return isSkipped ? [ours, other] : [ours, other, rfc6902];
}
