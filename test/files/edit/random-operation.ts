import { isArray, isObject, type JsonValue } from '../../../src/core/json.ts';
import type { Operation } from '../../../src/patch/evaluate.ts';
import { formatPointer, type Pointer, valueAt } from '../../../src/patch/pointer.ts';
import type { Random } from './random.ts';
import { randomKey, randomScalar, randomText, randomValue } from './random-values.ts';

/** An operation that a document allows. */
export function randomOperation(random: Random, document: JsonValue): Operation {
  const pointers = pointersOf(document, []);
  const pointer = random.pick(pointers.slice(1));
  if (pointer === undefined)
    return { op: 'add', path: isArray(document) ? '/-' : '/new', value: 1 };
  const path = formatPointer(pointer);
  const kind = random.below(10);
  if (kind < 3)
    return { op: 'replace', path, value: replacement(random, valueAt(document, pointer)) };
  if (kind < 6) return addition(random, document, random.pick(pointers));
  const moved =
    kind === 8
      ? rename(random, document, pointer)
      : kind === 9
        ? move(random, document, pointer, pointers)
        : undefined;
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

function addition(random: Random, document: JsonValue, near: Pointer): Operation {
  const there = valueAt(document, near);
  const holder = isArray(there) || isObject(there) ? near : near.slice(0, -1);
  const value = valueAt(document, holder);
  const token = isArray(value)
    ? random.pick(['-', String(random.below(value.length + 1))])
    : randomKey(random);
  return { op: 'add', path: formatPointer([...holder, token]), value: randomValue(random) };
}

function rename(random: Random, document: JsonValue, pointer: Pointer): Operation | undefined {
  const holder = valueAt(document, pointer.slice(0, -1));
  const name = randomKey(random);
  if (!isObject(holder) || Object.hasOwn(holder, name)) return undefined;
  const path = formatPointer([...pointer.slice(0, -1), name]);
  return { op: 'move', from: formatPointer(pointer), path };
}

function move(
  random: Random,
  document: JsonValue,
  from: Pointer,
  pointers: readonly Pointer[],
): Operation | undefined {
  const siblings = valueAt(document, from.slice(0, -1));
  if (isArray(siblings) && random.chance(0.6)) {
    const path = formatPointer([...from.slice(0, -1), String(random.below(siblings.length))]);
    return { op: 'move', from: formatPointer(from), path };
  }
  const holders = pointers.filter((pointer) => {
    const value = valueAt(document, pointer);
    const isInside = from.every((token, depth) => token === pointer[depth]);
    const isShifted = isArray(siblings) && from.slice(0, -1).every((t, d) => t === pointer[d]);
    return (isArray(value) || isObject(value)) && !isInside && !isShifted;
  });
  if (holders.length === 0) return undefined;
  const holder = random.pick(holders);
  const there = valueAt(document, holder);
  const token = isArray(there) ? '-' : randomKey(random);
  if (isObject(there) && Object.hasOwn(there, token)) return undefined;
  return { op: 'move', from: formatPointer(from), path: formatPointer([...holder, token]) };
}
