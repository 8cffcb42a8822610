import { describe, expect, it } from 'vitest';
import { diff } from '../../src/patch/diff.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { seededRandom } from '../bench/random.ts';
import { rounds } from '../support/rounds.ts';
import { bytesOf, type Cost, costOf } from './brute-force.ts';

const timeout = 300_000;

// An order of elements, which are told by their index in the live list; new ones are negative.
type Order = readonly number[];

/** All that one operation can do, if its value is to hold nothing that the live list has. */
function* edits(order: Order, added: number): Generator<readonly [Order, Patch[number]]> {
  const value = element(added);
  for (let at = 0; at <= order.length; at += 1) {
    const path = at === order.length ? '/a/-' : `/a/${at}`;
    yield [order.toSpliced(at, 0, added), { op: 'add', path, value }];
  }
  for (const [from, each] of order.entries()) {
    if (each < 0) continue;
    const rest = order.toSpliced(from, 1);
    yield [rest, { op: 'remove', path: `/a/${from}` }];
    const name = { op: 'replace', path: `/a/${from}/name`, value: value.name } as const;
    yield [order.with(from, added), name];
    for (let to = 0; to <= rest.length; to += 1) {
      const move = { op: 'move', from: `/a/${from}`, path: `/a/${to}` } as const;
      if (to !== from) yield [rest.toSpliced(to, 0, each), move];
    }
  }
}

function element(id: number) {
  return { name: `n${id}`, note: 'a text of all of them, too long to be sent for nothing' };
}

/** The patch that is found where so many operations turn the live list into this order. */
function found(length: number, order: Order): Patch {
  const live = Array.from({ length }, (_, id) => element(id));
  return diff({ a: live }, { a: order.map(element) }).map(({ operation }) => operation);
}

function indices(length: number): Order {
  return Array.from({ length }, (_, id) => id);
}

describe('for keyed arrays of up to 30 elements', { timeout }, () => {
  it('whatever one operation does, no other patch has fewer bytes', () => {
    let scripts = 0;
    for (let length = 0; length <= 30; length += 1) {
      for (const [order, operation] of edits(indices(length), -1)) {
        scripts += 1;
        const patch = found(length, order);
        expect(patch).toHaveLength(1);
        expect(costOf(patch).bytes).toBeLessThanOrEqual(bytesOf(operation));
      }
    }
    expect(scripts).toBe(10_416);
  });

  it('whatever two operations do to twelve elements, two do', () => {
    const shortest = new Map<string, { readonly ours: Cost; readonly bytes: number }>();
    for (const [between, first] of edits(indices(12), -1)) {
      for (const [order, second] of edits(between, -2)) {
        // An element that is moved and renamed counts as another one.
        if (first.op === 'move' && second.path === `${first.path}/name`) continue;
        const key = order.join(' ');
        const known = shortest.get(key) ?? { ours: costOf(found(12, order)), bytes: Infinity };
        const { bytes } = costOf([first, second]);
        shortest.set(key, { ...known, bytes: Math.min(bytes, known.bytes) });
      }
    }
    const pairs = [...shortest.values()];
    expect(pairs.filter(({ ours }) => ours.operations > 2)).toEqual([]);
    // Whether an index has one digit or two depends on the order of the operations.
    const longer = pairs.filter(({ ours, bytes }) => ours.operations === 2 && ours.bytes > bytes);
    expect([longer.length, pairs.length]).toEqual([228, 14_272]);
    expect(Math.max(...longer.map(({ ours, bytes }) => ours.bytes - bytes))).toBe(1);
  });

  it('whatever a number of operations does, no more are found', () => {
    const random = seededRandom(1);
    for (let round = 0; round < rounds(5000); round += 1) {
      const length = random.below(31);
      const operations = 1 + random.below(15);
      let order = indices(length);
      for (let made = 1; made <= operations; made += 1) {
        [order] = random.pick([...edits(order, -made)]);
      }
      expect(found(length, order).length).toBeLessThanOrEqual(operations);
    }
  });
});
