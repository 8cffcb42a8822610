import fastJsonPatch from 'fast-json-patch';
import { create } from 'jsondiffpatch';
import { format } from 'jsondiffpatch/formatters/jsonpatch';
import { createPatch } from 'rfc6902';
import { deepEqual, type JsonObject } from '../../src/core/json.ts';
import { diff } from '../../src/patch/diff.ts';
import { evaluate, type Patch } from '../../src/patch/evaluate.ts';

export type Generator = (live: JsonObject, desired: JsonObject) => Patch;

const byName = create({
  objectHash: (item) => ('name' in item ? String(item.name) : JSON.stringify(item)),
});

/** All make RFC 6902 patches; jsondiffpatch is told the key, and reports moves. */
export const generators = {
  'contract-sync': (live, desired) => diff(live, desired).map(({ operation }) => operation),
  'fast-json-patch': (live, desired) => fastJsonPatch.compare(live, desired) as Patch,
  rfc6902: (live, desired) => createPatch(live, desired),
  jsondiffpatch: (live, desired) => format(byName.diff(live, desired)) as Patch,
} satisfies Readonly<Record<string, Generator>>;

/** The generator's patch, or undefined where it fails or makes one that is wrong. */
export function correctPatch(
  generate: Generator,
  live: JsonObject,
  desired: JsonObject,
): Patch | undefined {
  try {
    const patch = generate(live, desired);
    return deepEqual(evaluate(live, patch), desired) ? patch : undefined;
  } catch {
    return undefined;
  }
}
