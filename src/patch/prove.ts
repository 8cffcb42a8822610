import fastJsonPatch from 'fast-json-patch';
import {
  canonicalJson,
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../json.ts';
import type { DiffOptions } from './edit.ts';
import { evaluate, PatchError } from './evaluate.ts';
import type { Patch } from './operation.ts';

/**
 * Throws a PatchError unless two evaluators that know nothing of each other, ours and
 * fast-json-patch, bring live to desired by this patch. `unordered` as the diff was given it.
 */
export function prove(
  live: JsonValue,
  desired: JsonValue,
  patch: Patch,
  { unordered = [] }: Pick<DiffOptions, 'unordered'> = {},
): void {
  for (const run of [evaluate, evaluateElsewhere]) {
    if (!areEqual(run(live, patch), desired, unordered))
      throw new PatchError(-1, 'The patch applies, but it does not lead to the desired document.');
  }
}

function areEqual(a: JsonValue, b: JsonValue, unordered: readonly string[]): boolean {
  return deepEqual(a, b) || deepEqual(sortUnordered(a, unordered), sortUnordered(b, unordered));
}

/** fast-json-patch changes what it is given, and keeps parts of the patch for the result. */
function evaluateElsewhere(live: JsonValue, patch: Patch): JsonValue {
  try {
    return fastJsonPatch.applyPatch(structuredClone(live), structuredClone([...patch]), true)
      .newDocument;
  } catch (error) {
    // Its messages contain the whole document.
    const name = error instanceof Error ? error.name : 'error';
    throw new PatchError(-1, `fast-json-patch refuses the patch: ${name}.`);
  }
}

function sortUnordered(value: JsonValue, unordered: readonly string[], name = ''): JsonValue {
  if (unordered.length === 0) return value;
  if (isObject(value)) return sortMembers(value, unordered);
  if (!isArray(value)) return value;
  const elements = value.map((element) => sortUnordered(element, unordered));
  return unordered.includes(name) ? elements.map((e) => canonicalJson(e)).toSorted() : elements;
}

function sortMembers(object: JsonObject, unordered: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, sortUnordered(value, unordered, name)]),
  );
}
