import { isArray, isObject, type JsonValue } from '../../core/json.ts';
import { evaluate } from '../../patch/evaluate.ts';
import type { Operation, Patch } from '../../patch/operation.ts';
import { valueAt } from '../../patch/pointer.ts';
import { tokensOf } from './change.ts';
import { obstacleFor } from './refusal.ts';
import type { Splice } from './splice.ts';
import { firstProved, type State, valueOf } from './state.ts';
import { followPointer } from './way.ts';
import { writeValue } from './write-value.ts';

type Replacement = Extract<Operation, { readonly op: 'replace' }>;

/** A patch in pieces: scalars that are replaced one after the other, or a single operation. */
export function* piecesOf(patch: Patch): Generator<Patch> {
  let run: Replacement[] = [];
  for (const operation of patch) {
    const isNext =
      isScalarReplacement(operation) && run.every(({ path }) => path !== operation.path);
    if (!isNext && run.length > 0) yield run;
    if (!isNext) run = [];
    if (isScalarReplacement(operation)) run.push(operation);
    else yield [operation];
  }
  if (run.length > 0) yield run;
}

function isScalarReplacement(operation: Operation): operation is Replacement {
  return operation.op === 'replace' && isScalarValue(operation.value);
}

function isScalarValue(value: JsonValue | undefined): boolean {
  return value !== undefined && !isArray(value) && !isObject(value);
}

/**
 * Replaces scalars by scalars in one step, since none is in the way of another: each step reads the
 * whole text again. Undefined where one of them needs more than that.
 */
export function replaceTogether(state: State, patch: Patch): State | undefined {
  if (patch.length < 2) return undefined;
  const splices: Splice[] = [];
  for (const operation of patch) {
    const own = isScalarReplacement(operation) ? scalarSplices(state, operation) : undefined;
    if (!own) return undefined;
    splices.push(...own);
  }
  return firstProved(state, [{ splices }], evaluate(valueOf(state), patch));
}

function scalarSplices(state: State, operation: Replacement): readonly Splice[] | undefined {
  const pointer = tokensOf(operation.path);
  const former = valueAt(valueOf(state), pointer);
  const tree = state.tree();
  if (former === operation.value) return [];
  const isOther =
    !isScalarValue(former) ||
    followPointer(tree.root, pointer).kind !== 'found' ||
    obstacleFor(state, operation) !== undefined;
  const [best] = isOther ? [] : writeValue(tree, pointer, operation.value);
  return best?.splices;
}
