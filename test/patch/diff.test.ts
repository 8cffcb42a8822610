import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InexactNumber, type JsonValue } from '../../src/core/json.ts';
import { heaviestChain, type Point } from '../../src/patch/align.ts';
import { labelPointer } from '../../src/patch/describe.ts';
import { diff } from '../../src/patch/diff.ts';
import { evaluate } from '../../src/patch/evaluate.ts';
import type { DiffOptions } from '../../src/patch/identity.ts';
import { outputOf } from '../support/process.ts';
import { rounds } from '../support/rounds.ts';
import { sourceUrl } from '../support/source-url.ts';

function patchOf(live: JsonValue, desired: JsonValue, options?: DiffOptions): readonly string[] {
  return diff(live, desired, options).map(({ operation }) => {
    const { op, path } = operation;
    const from = 'from' in operation ? ` ${operation.from}` : '';
    const value = 'value' in operation ? ` ${JSON.stringify(operation.value)}` : '';
    return `${op}${from} ${path}${value}`;
  });
}

const text = 'a description that is long enough not to be sent for nothing';

function columns(names: string): JsonValue[] {
  return names.split(' ').map((name) => ({ name, description: `${text} ${name}` }));
}

function schema(names: string): JsonValue {
  return { schema: columns(names) };
}

function address(children: string): JsonValue {
  return { schema: [{ name: 'address', children: columns(children) }] };
}

function keyed(names: readonly number[]): JsonValue {
  return names.map((name) => ({ name, note: text }));
}

function check(table: string, column: string): JsonValue {
  return { table, column, note: text };
}

function tagged(...tags: readonly string[]): JsonValue {
  return { note: text, tags };
}

function element(name: string, id: number): JsonValue {
  return { name, id, note: `${text} ${id}` };
}

function sized(name: string, size: number): JsonValue {
  return { name, size, note: `${text} ${name}` };
}

describe('the patch of an object', () => {
  it('adds, removes and replaces members, in the order of their names', () => {
    const live = { b: 1, c: text, d: 1 };
    expect(patchOf(live, { a: 1, b: 2, c: text })).toEqual([
      'add /a 1',
      'replace /b 2',
      'remove /d',
    ]);
  });

  it('replaces a value whose type changes', () => {
    expect(patchOf({ a: [] }, { a: {} })).toEqual(['replace /a {}']);
    expect(patchOf({ a: 1 }, { a: '1' })).toEqual(['replace /a "1"']);
    expect(patchOf([], {})).toEqual(['replace  {}']);
  });

  it('replaces an object whole where that is shorter, but never the document', () => {
    const live = { interval: 1, unit: 'day' };
    const desired = { interval: 2, unit: 'hour' };
    expect(patchOf({ sla: live }, { sla: desired })).toEqual([
      'replace /sla {"interval":2,"unit":"hour"}',
    ]);
    expect(patchOf(live, desired)).toEqual(['replace /interval 2', 'replace /unit "hour"']);
  });

  it('sends no number again that is no double', () => {
    const exact = new InexactNumber('0.12345678901234567891');
    const [live, desired] = [1, 2].map((each) => ({ a: each, b: each, c: each, exact }));
    expect(patchOf({ sla: live ?? 0 }, { sla: desired ?? 0 })).toEqual([
      'replace /sla/a 2',
      'replace /sla/b 2',
      'replace /sla/c 2',
    ]);
  });
});

describe('the patch of an array with keys', () => {
  it('inserts, removes and moves one element with one operation', () => {
    const [added] = columns('x');
    expect(patchOf(schema('a b c'), schema('a x b c'))).toEqual([
      `add /schema/1 ${JSON.stringify(added)}`,
    ]);
    expect(patchOf(schema('a b c'), schema('a b c x'))).toEqual([
      `add /schema/- ${JSON.stringify(added)}`,
    ]);
    expect(patchOf(schema('a b c d'), schema('a c d'))).toEqual(['remove /schema/1']);
    expect(patchOf(schema('a b c d'), schema('d a b c'))).toEqual(['move /schema/3 /schema/0']);
  });

  it('moves two elements as far in the order of their new places', () => {
    expect(patchOf(schema('a b c d'), schema('c d a b'))).toEqual([
      'move /schema/2 /schema/0',
      'move /schema/3 /schema/1',
    ]);
  });

  it('gives the slot of a removed element to a new one', () => {
    const [added] = columns('x');
    expect(patchOf(schema('a b c'), schema('a x c'))).toEqual([
      `replace /schema/1 ${JSON.stringify(added)}`,
    ]);
  });

  it('moves the element between two that change rather than keeping it', () => {
    const operations = patchOf(schema('r s k p q o'), schema('k d e p q o')).map(
      (each) => each.split(' ')[0],
    );
    expect(operations).toEqual(['replace', 'replace', 'move']);
  });

  it('renames an element that is the same otherwise', () => {
    const live = { schema: [{ name: 'a', description: text }] };
    const desired = { schema: [{ name: 'b', description: text }] };
    expect(patchOf(live, desired)).toEqual(['replace /schema/0/name "b"']);
  });

  it('sends an element that differs twice from the removed one as a whole', () => {
    const [kept] = columns('a');
    const [live, desired] = ['b', 'c'].map((name, size) => ({ name, size, note: text.repeat(9) }));
    expect(
      patchOf({ schema: [kept ?? 0, live ?? 0] }, { schema: [kept ?? 0, desired ?? 0] }),
    ).toEqual([`replace /schema/1 ${JSON.stringify(desired)}`]);
  });

  it('renames of several removed elements the one that is nearly the new one', () => {
    const added = { name: 'x', description: `${text} b` };
    expect(patchOf(schema('a b'), { schema: [added] })).toEqual([
      'replace /schema/1/name "x"',
      'remove /schema/0',
    ]);
    const steps = [
      { do: 'a', note: 'short' },
      { do: 'b', note: text },
    ];
    expect(patchOf({ steps }, { steps: [{ do: 'a', note: text }] })).toEqual([
      'replace /steps/1/do "a"',
      'remove /steps/0',
    ]);
    const rows = [1, 2].map((each) => [`${text} ${each}`, each]);
    expect(patchOf({ rows }, { rows: [[`${text} 2`, 3]] })).toEqual([
      'replace /rows/1/1 3',
      'remove /rows/0',
    ]);
  });

  it('moves an element with a key also where others have none', () => {
    const [key, first, second, third] = [{ name: 'k' }, { do: 1 }, { do: 2 }, { do: 3 }].map(
      (each) => ({ ...each, note: text }),
    );
    const live = { steps: [key ?? 0, first ?? 0, second ?? 0] };
    expect(patchOf(live, { steps: [third ?? 0, first ?? 0, key ?? 0] })).toEqual([
      'replace /steps/2/do 3',
      'move /steps/0 /steps/2',
      'move /steps/0 /steps/1',
    ]);
  });

  it('edits within an element at its live index, before anything moves', () => {
    const [a, b, c] = columns('a b c');
    const edited = { name: 'c', description: text };
    expect(
      patchOf({ schema: [a ?? 0, b ?? 0, c ?? 0] }, { schema: [edited, a ?? 0, b ?? 0] }),
    ).toEqual([`replace /schema/2/description "${text}"`, 'move /schema/2 /schema/0']);
  });

  it('edits several elements that stay, of a list that gets shorter, each by its own values', () => {
    const live = { schema: [sized('a', 1), sized('b', 1), sized('c', 1)] };
    expect(patchOf(live, { schema: [sized('c', 2), sized('a', 3)] })).toEqual([
      'replace /schema/0/size 3',
      'replace /schema/2/size 2',
      'remove /schema/1',
      'move /schema/1 /schema/0',
    ]);
  });

  it('reaches into children', () => {
    expect(patchOf(address('a b c d'), address('d a b c'))).toEqual([
      'move /schema/0/children/3 /schema/0/children/0',
    ]);
  });

  it('takes the keys it is given, also several together', () => {
    const keys = { checks: ['table', 'column'] };
    const [first, second, third] = [check('a', 'x'), check('a', 'y'), check('b', 'x')];
    expect(
      patchOf({ checks: [first, second, third] }, { checks: [third, first, second] }, { keys }),
    ).toEqual(['move /checks/2 /checks/0']);
  });

  it('prefers a key that is unique', () => {
    const live = { list: [element('same', 1), element('same', 2), element('same', 3)] };
    const desired = { list: [element('same', 3), element('same', 1), element('same', 2)] };
    expect(patchOf(live, desired)).toEqual(['move /list/2 /list/0']);
  });

  it('takes a key that repeats if all elements lack the ones before it', () => {
    const [one, two, three] = [1, 2, 2].map((id, at) => ({ id, note: `${text} ${at}`, size: 1 }));
    const live = { list: [one ?? 0, two ?? 0, three ?? 0] };
    expect(patchOf(live, { list: [two ?? 0, three ?? 0, { ...one, size: 2 }] })).toEqual([
      'replace /list/0/size 2',
      'move /list/0 /list/2',
    ]);
  });

  it('does not take the string "1" for the number 1', () => {
    const live = { list: [{ id: 1 }, { id: '1' }, { id: 2 }] };
    expect(patchOf(live, { list: [{ id: '1' }, { id: 2 }, { id: 1 }] })).toEqual([
      'move /list/0 /list/2',
    ]);
    const written = {
      list: [
        { id: 1, note: text },
        { id: '#[1]', note: text },
      ],
    };
    expect(patchOf(written, { list: written.list.toReversed() })).toEqual(['move /list/1 /list/0']);
  });
});

describe('the patch of an array without keys', () => {
  it.each<[JsonValue[], JsonValue[], string[]]>([
    [['x', 'a', 'x', 'b'], ['a', 'x', 'b'], ['remove /t/0']],
    [['x', 'x'], ['x'], ['remove /t/1']],
    [[1, 2, 3, 4], [1, 9, 3, 4], ['replace /t/1 9']],
    [
      ['k', 'x', 'r'],
      ['d', 'x', 'k'],
      ['replace /t/0 "d"', 'replace /t/2 "k"'],
    ],
  ])('of %j to %j is the shortest', (live, desired, patch) => {
    const filler = [
      'a long text that keeps the array from being replaced whole, because of its length',
    ];
    expect(patchOf({ t: [...live, ...filler] }, { t: [...desired, ...filler] })).toEqual(patch);
  });
});

describe('a move whose path starts with the text of its source', () => {
  const live = schema('a b c d e f g h i j k l m n');
  const desired = schema('a c d e f g h i j k b l m n');

  it('is one operation, as RFC 6902 has it', () => {
    expect(patchOf(live, desired)).toEqual(['move /schema/1 /schema/10']);
  });

  it('goes over index 0 for a server that takes it for a move into itself', () => {
    expect(patchOf(live, desired, { avoidsPrefixMoves: true })).toEqual([
      'move /schema/1 /schema/0',
      'move /schema/0 /schema/10',
    ]);
  });
});

describe('options', () => {
  it('leave the order of unordered arrays alone, and append to them', () => {
    const live = { owners: columns('a b c') };
    expect(patchOf(live, { owners: columns('c a b') }, { unordered: ['owners'] })).toEqual([]);
    expect(patchOf(live, { owners: columns('c x a') }, { unordered: ['owners'] })).toEqual([
      `replace /owners/1 ${JSON.stringify(columns('x')[0])}`,
    ]);
    expect(patchOf(live, { owners: columns('x c a b') }, { unordered: ['owners'] })).toEqual([
      `add /owners/- ${JSON.stringify(columns('x')[0])}`,
    ]);
  });

  it('leave the order of unordered arrays alone within elements that have no key', () => {
    const live = { checks: [tagged('a', 'b'), tagged('c', 'd'), tagged('e')] };
    const desired = { checks: [tagged('d', 'c'), tagged('b', 'a'), tagged('e')] };
    const unordered = ['tags'];
    expect(patchOf(live, desired, { unordered })).toEqual(['move /checks/1 /checks/0']);
    expect(patchOf(live, { checks: live.checks.slice(1) }, { unordered })).toEqual([
      'remove /checks/0',
    ]);
    expect(
      patchOf({ checks: [tagged('a', 'b')] }, { checks: [tagged('b', 'a')] }, { unordered }),
    ).toEqual([]);
  });
});

describe('the label of an element', () => {
  it.each<[string, JsonValue, string]>([
    ['schema', { name: 'amount' }, 'schema[0 amount]'],
    ['schema', { id: 7 }, 'schema[0 7]'],
    ['checks', { a: 'x', b: 'y' }, 'checks[0 x y]'],
    ['semantics', { rule: 'x' }, 'semantics[0]'],
    ['tags', 'text', 'tags[0]'],
  ])('of %s that is %j is %s', (name, element, label) => {
    const arrays = { keys: { checks: ['a', 'b'] } };
    expect(labelPointer([name, '0'], { [name]: [element] }, arrays)).toBe(label);
  });
});

describe('a document that is made to be slow', () => {
  it('is compared at once when arrays nest deeply', () => {
    const nest = (depth: number, leaf: number): JsonValue =>
      depth === 0 ? [leaf, leaf + 1] : [nest(depth - 1, leaf), nest(depth - 1, leaf + 1)];
    expect(diff(nest(9, 0), nest(9, 5)).length).toBeGreaterThan(0);
  });

  it('has room on the stack for all levels that are compared, with half as many to spare', () => {
    // In a process of its own, where nothing is compiled yet: that takes most.
    const comparing = `
      import { diff } from '${sourceUrl('patch/diff.ts')}';
      import { deepestNesting } from '${sourceUrl('core/json.ts')}';
      const chain = (depth, leaf) => (depth === 0 ? leaf : [chain(depth - 1, leaf)]);
      const depth = deepestNesting * 1.5;
      console.log(diff(chain(depth, 'a'), chain(depth, 'b')).length);`;
    const args = ['--input-type=module', '--eval', comparing];
    expect(outputOf(process.execPath, args)).toBe('1\n');
  });

  it('may take more operations than a call can take arguments', () => {
    const kept = 'too long to be sent again '.repeat(2 ** 19);
    const surplus = Array.from({ length: 200_000 }, () => 0);
    const edits = diff({ a: { tags: [kept, ...surplus] } }, { a: { tags: [kept] } });
    expect(edits).toHaveLength(surplus.length);
  });

  it('is compared soon when arrays are longer than an exact alignment can be', () => {
    const numbers = Array.from({ length: 3000 }, (_, rank) => rank);
    const others = numbers.map((rank) => (rank % 2 === 0 ? rank : -rank)).toReversed();
    const pairs: [JsonValue, JsonValue][] = [
      [numbers, others],
      [keyed(numbers), keyed(others)],
    ];
    for (const [live, desired] of pairs) {
      const patch = diff(live, desired).map(({ operation }) => operation);
      expect(evaluate(live, patch)).toEqual(desired);
    }
  });
});

function weightOf(points: readonly Point[]): number {
  return points.reduce((sum, { weight }) => sum + weight, 0);
}

/** By the definition: of every set of points, those that are a chain. */
function heaviestByTrying(
  [first, ...rest]: readonly Point[],
  behind = { live: -1, desired: -1 },
): number {
  if (!first) return 0;
  const without = heaviestByTrying(rest, behind);
  if (first.live <= behind.live || first.desired <= behind.desired) return without;
  return Math.max(without, first.weight + heaviestByTrying(rest, first));
}

describe('the heaviest chain', () => {
  const index = fc.nat(5);
  const points = fc
    .uniqueArray(
      fc.record({ live: index, desired: index, weight: fc.integer({ min: 1, max: 9 }) }),
      {
        maxLength: 10,
        selector: ({ live, desired }) => `${live} ${desired}`,
      },
    )
    .map((some) => some.toSorted((a, b) => a.live - b.live || b.desired - a.desired));

  it('is a chain, and no other is heavier', () => {
    const property = fc.property(points, (some) => {
      const chain = heaviestChain(some);
      for (const [rank, { live, desired }] of chain.slice(1).entries()) {
        expect(live).toBeGreaterThan(chain[rank]?.live ?? Infinity);
        expect(desired).toBeGreaterThan(chain[rank]?.desired ?? Infinity);
      }
      expect(weightOf(chain)).toBe(heaviestByTrying(some));
    });
    fc.assert(property, { numRuns: rounds(500) });
  });

  it('of no points is empty', () => {
    expect(heaviestChain([])).toEqual([]);
  });
});
