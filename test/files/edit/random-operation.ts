import { isArray, isObject, type JsonValue } from '../../../src/core/json.ts';
import type { TextChange } from '../../../src/files/edit/state.ts';
import { formatPointer, type Pointer, valueAt } from '../../../src/patch/pointer.ts';
import type { Random } from './random.ts';
import { randomKey, randomScalar, randomText, randomValue } from './random-values.ts';

/** An operation that a document allows. */
export function randomOperation(random: Random, document: JsonValue): TextChange {
  const pointers = pointersOf(document, []);
  const pointer = random.pick(pointers.slice(1));
  if (pointer === undefined)
    return { op: 'add', path: isArray(document) ? '/-' : '/new', value: 1 };
  const path = formatPointer(pointer);
  const kind = random.below(10);
  if (kind < 3)
    return { op: 'replace', path, value: replacement(random, valueAt(document, pointer)) };
  if (kind < 6) return addition(random, document, random.pick(pointers));
  const moved = kind > 7 ? move(random, document, pointer) : undefined;
  return moved ?? { op: 'remove', path };
}

function pointersOf(value: JsonValue | undefined, pointer: Pointer): Pointer[] {
  const entries: readonly (readonly [string, JsonValue])[] =
    isArray(value) || isObject(value) ? Object.entries(value) : [];
  return [pointer, ...entries.flatMap(([key, child]) => pointersOf(child, [...pointer, key]))];
}

/** Mostly another value of the same kind. */
function replacement(random: Random, former: JsonValue | undefined): JsonValue {
  if (random.chance(0.2)) return randomValue(random);
  if (typeof former === 'string') return randomText(random);
  if (isArray(former)) {
    const kept = former.filter(() => random.chance(0.7));
    return random.chance(0.5) ? [...kept, randomValue(random, 1)] : kept.toReversed();
  }
  if (!isObject(former)) return randomScalar(random);
  const kept = Object.entries(former).filter(() => random.chance(0.7));
  return Object.fromEntries([...kept, [randomKey(random), randomValue(random, 1)]]);
}

function addition(random: Random, document: JsonValue, near: Pointer): TextChange {
  const there = valueAt(document, near);
  const holder = isArray(there) || isObject(there) ? near : near.slice(0, -1);
  const value = valueAt(document, holder);
  const token = isArray(value)
    ? random.pick(['-', String(random.below(value.length + 1))])
    : randomKey(random);
  const isThere = isObject(value) && Object.hasOwn(value, token);
  return {
    op: isThere ? 'replace' : 'add',
    path: formatPointer([...holder, token]),
    value: randomValue(random),
  };
}

function move(random: Random, document: JsonValue, from: Pointer): TextChange | undefined {
  const siblings = valueAt(document, from.slice(0, -1));
  if (!isArray(siblings)) return undefined;
  const path = formatPointer([...from.slice(0, -1), String(random.below(siblings.length))]);
  return { op: 'move', from: formatPointer(from), path };
}
