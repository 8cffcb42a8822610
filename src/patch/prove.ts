import fastJsonPatch from 'fast-json-patch';
import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { evaluate, PatchError } from './evaluate.ts';
import { equalInAnyOrder } from './identity.ts';
import type { DiffOptions, Patch } from './operation.ts';

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
    if (!equalInAnyOrder(run(live, patch), desired, unordered))
      throw new PatchError(-1, 'The patch applies, but it does not lead to the desired document.');
  }
}

/** structuredClone would make a plain object of a number that is no double. */
function copyOf(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map((item) => copyOf(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}

/** fast-json-patch changes what it is given, and keeps parts of the patch for the result. */
function evaluateElsewhere(live: JsonValue, patch: Patch): JsonValue {
  try {
    const operations = patch.map((operation) =>
      'value' in operation ? { ...operation, value: copyOf(operation.value) } : { ...operation },
    );
    return fastJsonPatch.applyPatch(copyOf(live), operations, true).newDocument;
  } catch (error) {
    // Its messages contain the whole document.
    const name = error instanceof Error ? error.name : 'error';
    throw new PatchError(-1, `fast-json-patch refuses the patch: ${name}.`);
  }
}
