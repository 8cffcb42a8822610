import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { diff } from '../../src/patch/diff.ts';
import { parsePattern, type Pattern } from '../../src/patch/pointer.ts';
import { preserve, restate } from '../../src/patch/preserve.ts';
import { contracts, documents, pairsOf } from './documents.ts';
import { rounds } from '../support/rounds.ts';

function patterns(...texts: readonly string[]): Pattern[] {
  return texts.map((text) => parsePattern(text) ?? []);
}

function ignoring(live: JsonValue, desired: JsonValue, ...texts: readonly string[]): JsonValue {
  return preserve(live, desired, { ignore: patterns(...texts) });
}

function filling(live: JsonValue, desired: JsonValue, ...texts: readonly string[]): JsonValue {
  return preserve(live, desired, { fill: patterns(...texts) });
}

const a = (more: JsonObject = {}) => ({ name: 'a', ...more });
const b = (more: JsonObject = {}) => ({ name: 'b', ...more });
const rule = (text: string, id?: number) => ({ rule: text, ...(id !== undefined && { id }) });

describe('an ignored place', () => {
  it.each<[string, readonly string[], JsonValue, JsonValue, JsonValue]>([
    [
      'keeps the value of live, or its absence',
      ['/schema/*/tags'],
      { schema: [a({ tags: ['x'] }), b()] },
      { schema: [b({ tags: ['y'] }), a({ type: 'INT' })] },
      { schema: [b(), a({ type: 'INT', tags: ['x'] })] },
    ],
    [
      'is empty in a new element',
      ['/schema/*/tags'],
      { schema: [a({ tags: ['x'] })] },
      { schema: [b({ tags: ['y'] })] },
      { schema: [b()] },
    ],
    [
      'is found at any depth',
      ['/schema/**/tags'],
      { schema: [a({ children: [b({ tags: ['x'] })] })] },
      { schema: [a({ children: [b({ type: 'INT' })] })] },
      { schema: [a({ children: [b({ type: 'INT', tags: ['x'] })] })] },
    ],
    [
      'goes with a parent that desired removes',
      ['/schema/*/tags', '/extension/a'],
      { schema: [a({ tags: [] })], extension: { a: 1 } },
      { schema: [] },
      { schema: [] },
    ],
    [
      'is a whole array if each element is ignored',
      ['/tags/*'],
      { tags: [1, 2] },
      { tags: [3] },
      { tags: [1, 2] },
    ],
    ['comes back if desired lacks it', ['/tags'], { tags: [1, 2] }, {}, { tags: [1, 2] }],
  ])('%s', (_, texts, live, desired, expected) => {
    expect(ignoring(live, desired, ...texts)).toEqual(expected);
  });

  it('survives the replacement of its parent, and makes no edit of its own', () => {
    const live = { sla: { interval: 1, unit: 'day', updated: 17 } };
    const desired = ignoring(live, { sla: { interval: 2, unit: 'hour' } }, '/sla/updated');
    expect(diff(live, desired).map(({ operation }) => operation)).toEqual([
      { op: 'replace', path: '/sla', value: { interval: 2, unit: 'hour', updated: 17 } },
    ]);
  });
});

describe('a filled place', () => {
  it.each<[string, readonly string[], JsonValue, JsonValue, JsonValue]>([
    [
      'takes the value of live only if desired has none',
      ['/list/*/enabled', '/list/*/provider'],
      { list: [a({ enabled: true, provider: 'user' })] },
      { list: [a({ enabled: false })] },
      { list: [a({ enabled: false, provider: 'user' })] },
    ],
    [
      'belongs to the element without a key that agrees with it',
      ['/list/*/id'],
      { list: [rule('x', 1), rule('y', 2), rule('y', 3)] },
      { list: [rule('y'), rule('z'), rule('y'), rule('x')] },
      { list: [rule('y', 2), rule('z'), rule('y', 3), rule('x', 1)] },
    ],
    [
      'stays with an element without a key that is edited in its place',
      ['/list/*/id'],
      { list: [rule('x', 1), rule('y', 2)] },
      { list: [rule('x'), rule('changed')] },
      { list: [rule('x', 1), rule('changed', 2)] },
    ],
    [
      'belongs to no element that equals another of live',
      ['/list/*/id'],
      { list: [rule('x', 1), rule('x')] },
      { list: [rule('x')] },
      { list: [rule('x')] },
    ],
    [
      'belongs to no edited element if live had more of them',
      ['/list/*/id'],
      { list: [rule('x', 1), rule('y', 2)] },
      { list: [rule('z')] },
      { list: [rule('z')] },
    ],
    [
      'does not reorder elements that differ in nothing else',
      ['/list/*/id'],
      { list: [rule('x', 1), rule('x')] },
      { list: [rule('x'), rule('x')] },
      { list: [rule('x', 1), rule('x')] },
    ],
    ['brings back no element', ['/tags/*', '/**'], { tags: [1, 2] }, { tags: [1] }, { tags: [1] }],
  ])('%s', (_, texts, live, desired, expected) => {
    expect(filling(live, desired, ...texts)).toEqual(expected);
  });
});

describe('preserving', () => {
  it('gives desired back where no pattern matches, and live where all is ignored', () => {
    const property = fc.property(pairsOf(documents), ([live, desired]) => {
      expect(preserve(live, desired, {})).toBe(desired);
      expect(ignoring(live, desired, '/nowhere/*/at/all')).toEqual(desired);
    });
    fc.assert(property, { numRuns: rounds(250) });
    // Objects inherit a member of this name.
    const desired = { a: 1 };
    expect(ignoring({ constructor: 'Order' }, desired, '/a/b')).toBe(desired);
  });

  it('leaves nothing to do between a document and itself without its filled members', () => {
    const property = fc.property(contracts, (live) => {
      const desired = JSON.parse(
        JSON.stringify(live, (member, value: JsonValue) => (member === 'text' ? undefined : value)),
      ) as JsonValue;
      expect(diff(live, filling(live, desired, '/**/text'))).toEqual([]);
    });
    fc.assert(property, { numRuns: rounds(500) });
  });

  it('changes nothing when it is done twice', () => {
    const property = fc.property(pairsOf(contracts), ([live, desired]) => {
      const once = ignoring(live, desired, '/schema/*/text', '/sla/unit');
      expect(ignoring(live, once, '/schema/*/text', '/sla/unit')).toEqual(once);
    });
    fc.assert(property, { numRuns: rounds(500) });
  });
});

const column = { name: 'a', dataType: 'INT', dataLength: 1, dataTypeDisplay: 'int' };
const rules = {
  ignore: patterns('/schema/*/tags'),
  fill: patterns('/schema/*/dataTypeDisplay'),
  defaults: patterns('/schema/*/dataLength').map((pattern) => ({ pattern, value: 1 })),
  emptyIsAbsent: true,
};

test("the server's additions and defaults stay out", () => {
  const live = { schema: [{ ...column, children: [] }] };
  expect(restate(live, { schema: [] }, rules)).toEqual({
    schema: [{ name: 'a', dataType: 'INT' }],
  });
});

test('of a list whose elements are all ignored, an empty one is written', () => {
  const ofTags = { ignore: patterns('/tags/*') };
  expect(restate({ tags: [1, 2] }, {}, ofTags)).toEqual({ tags: [] });
});

test('a live default is written if the file has another value', () => {
  const desired = { schema: [{ name: 'a', dataType: 'INT', dataLength: 8 }] };
  const { schema } = restate({ schema: [column] }, desired, rules);
  expect(schema).toEqual([{ name: 'a', dataType: 'INT', dataLength: 1 }]);
});

test('a filled member is written into a new element alone, where it differs from its default', () => {
  const [kept = []] = patterns('/tags/*/source');
  const ofTags = { fill: [kept], defaults: [{ pattern: kept, value: 'usual' }] };
  const live = {
    tags: [
      { name: 'old', source: 'other' },
      { name: 'new', source: 'other' },
      { name: 'plain', source: 'usual' },
    ],
  };
  expect(restate(live, { tags: [{ name: 'old' }] }, ofTags)).toEqual({
    tags: [{ name: 'old' }, { name: 'new', source: 'other' }, { name: 'plain' }],
  });
});

test("agreeing values keep the file's words, and ignored ones its values", () => {
  const live = {
    schema: [
      { ...column, tags: ['x'] },
      { name: 'b', dataType: 'TEXT' },
    ],
  };
  const desired = {
    schema: [
      { dataType: 'INT', name: 'a', tags: ['y'] },
      { name: 'b', dataType: 'CHAR' },
    ],
  };
  expect(JSON.stringify(restate(live, desired, rules))).toBe(
    '{"schema":[{"dataType":"INT","name":"a","tags":["y"]},{"name":"b","dataType":"TEXT"}]}',
  );
});

test('a default that the file states in a new object stays', () => {
  const defaults = [{ pattern: parsePattern('/sla/unit') ?? [], value: 'day' }];
  const desired = { sla: { unit: 'day' } };
  expect(preserve({}, desired, { defaults })).toEqual(desired);
  expect(preserve({ sla: {} }, desired, { defaults })).toEqual({ sla: {} });
});

test('an empty member keeps its live form, absent or empty, where the two are equal', () => {
  expect(preserve({ tags: null }, { tags: [] }, { emptyIsAbsent: true })).toEqual({ tags: null });
  expect(preserve({ tags: null }, { tags: [] }, {})).toEqual({ tags: [] });
});

test('a restated document leads to live, for any two documents', () => {
  const options = { unordered: ['owners', 'tags'] };
  fc.assert(
    fc.property(contracts, contracts, (live, desired) => {
      const restated = restate(live, desired, rules, options);
      expect(preserve(live, restated, rules, options)).toEqual(live);
    }),
    { numRuns: rounds(150) },
  );
});
