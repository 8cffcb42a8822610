import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import { diff } from '../../src/patch/diff.ts';
import { parsePattern, type Pattern } from '../../src/patch/pointer.ts';
import { preserve, restate } from '../../src/patch/preserve.ts';
import { contracts, documents, pairsOf } from './documents.ts';

function patterns(...texts: readonly string[]): Pattern[] {
  return texts.map((text) => parsePattern(text) ?? []);
}

function ignoring(live: JsonValue, desired: JsonValue, ...texts: readonly string[]): JsonValue {
  return preserve(live, desired, { ignore: patterns(...texts) });
}

function filling(live: JsonValue, desired: JsonValue, ...texts: readonly string[]): JsonValue {
  return preserve(live, desired, { fill: patterns(...texts) });
}

describe('what is ignored', () => {
  it('stays as live has it: its value or its absence', () => {
    const live = { schema: [{ name: 'a', tags: ['x'] }, { name: 'b' }] };
    const desired = {
      schema: [
        { name: 'b', tags: ['y'] },
        { name: 'a', type: 'INT' },
      ],
    };
    expect(ignoring(live, desired, '/schema/*/tags')).toEqual({
      schema: [{ name: 'b' }, { name: 'a', type: 'INT', tags: ['x'] }],
    });
  });

  it('is not given to an element that is new', () => {
    const live = { schema: [{ name: 'a', tags: ['x'] }] };
    const desired = { schema: [{ name: 'b', tags: ['y'] }] };
    expect(ignoring(live, desired, '/schema/*/tags')).toEqual({ schema: [{ name: 'b' }] });
  });

  it('is found at any depth', () => {
    const live = { schema: [{ name: 'a', children: [{ name: 'b', tags: ['x'] }] }] };
    const desired = { schema: [{ name: 'a', children: [{ name: 'b', type: 'INT' }] }] };
    expect(ignoring(live, desired, '/schema/**/tags')).toEqual({
      schema: [{ name: 'a', children: [{ name: 'b', type: 'INT', tags: ['x'] }] }],
    });
  });

  it('goes with a parent that desired removes', () => {
    const live = { schema: [{ name: 'a', tags: [] }], extension: { a: 1 } };
    expect(ignoring(live, { schema: [] }, '/schema/*/tags', '/extension/a')).toEqual({
      schema: [],
    });
  });

  it('is a whole array where the pattern means each of its elements', () => {
    expect(ignoring({ tags: [1, 2] }, { tags: [3] }, '/tags/*')).toEqual({ tags: [1, 2] });
    expect(ignoring({ tags: [1, 2] }, {}, '/tags')).toEqual({ tags: [1, 2] });
  });

  it('survives the replacement of its parent, and makes no edit of its own', () => {
    const live = { sla: { interval: 1, unit: 'day', updated: 17 } };
    const desired = ignoring(live, { sla: { interval: 2, unit: 'hour' } }, '/sla/updated');
    expect(diff(live, desired).map(({ operation }) => operation)).toEqual([
      { op: 'replace', path: '/sla', value: { interval: 2, unit: 'hour', updated: 17 } },
    ]);
  });
});

describe('what is filled', () => {
  it('is only what desired does not say', () => {
    const live = { semantics: [{ name: 'r', enabled: true, provider: 'user' }] };
    const desired = { semantics: [{ name: 'r', enabled: false }] };
    expect(filling(live, desired, '/semantics/*/enabled', '/semantics/*/provider')).toEqual({
      semantics: [{ name: 'r', enabled: false, provider: 'user' }],
    });
  });

  it('belongs to the element without key that agrees with it', () => {
    const live = {
      list: [
        { rule: 'x', id: 1 },
        { rule: 'y', id: 2 },
        { rule: 'y', id: 3 },
      ],
    };
    const desired = { list: [{ rule: 'y' }, { rule: 'z' }, { rule: 'y' }, { rule: 'x' }] };
    expect(filling(live, desired, '/list/*/id')).toEqual({
      list: [{ rule: 'y', id: 2 }, { rule: 'z' }, { rule: 'y', id: 3 }, { rule: 'x', id: 1 }],
    });
  });

  it('stays with an element without key that is edited in its place', () => {
    const live = {
      list: [
        { rule: 'x', id: 1 },
        { rule: 'y', id: 2 },
      ],
    };
    const desired = { list: [{ rule: 'x' }, { rule: 'changed' }] };
    expect(filling(live, desired, '/list/*/id')).toEqual({
      list: [
        { rule: 'x', id: 1 },
        { rule: 'changed', id: 2 },
      ],
    });
  });

  it('does not reorder elements that differ in nothing else', () => {
    const live = { list: [{ rule: 'x', id: 1 }, { rule: 'x' }] };
    const desired = { list: [{ rule: 'x' }, { rule: 'x' }] };
    expect(filling(live, desired, '/list/*/id')).toEqual(live);
  });

  it('never brings back an element', () => {
    expect(filling({ tags: [1, 2] }, { tags: [1] }, '/tags/*', '/**')).toEqual({ tags: [1] });
  });
});

describe('preserving', () => {
  it('gives desired back where no pattern matches, and live where all is ignored', () => {
    const property = fc.property(pairsOf(documents), ([live, desired]) => {
      expect(preserve(live, desired, {})).toBe(desired);
      expect(ignoring(live, desired, '/nowhere/*/at/all')).toEqual(desired);
    });
    fc.assert(property, { numRuns: 500 });
    // Objects inherit a member of this name.
    const desired = { a: 1 };
    expect(ignoring({ constructor: 'Order' }, desired, '/a/b')).toBe(desired);
  });

  it('leaves nothing to do between a document and itself without what is filled', () => {
    const property = fc.property(contracts, (live) => {
      const desired = JSON.parse(
        JSON.stringify(live, (member, value: JsonValue) => (member === 'text' ? undefined : value)),
      ) as JsonValue;
      expect(diff(live, filling(live, desired, '/**/text'))).toEqual([]);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('changes nothing when it is done twice', () => {
    const property = fc.property(pairsOf(contracts), ([live, desired]) => {
      const once = ignoring(live, desired, '/schema/*/text', '/sla/unit');
      expect(ignoring(live, once, '/schema/*/text', '/sla/unit')).toEqual(once);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

function pattern(text: string): Pattern {
  return parsePattern(text) ?? [];
}

const column = { name: 'a', dataType: 'INT', dataLength: 1, dataTypeDisplay: 'int' };
const rules = {
  ignore: [pattern('/schema/*/tags')],
  fill: [pattern('/schema/*/dataTypeDisplay')],
  defaults: [{ pattern: pattern('/schema/*/dataLength'), value: 1 }],
  emptyIsAbsent: true,
};

test('what the server adds, and its defaults, stay out', () => {
  const live = { schema: [{ ...column, children: [] }] };
  expect(restate(live, { schema: [] }, rules)).toEqual({
    schema: [{ name: 'a', dataType: 'INT' }],
  });
});

test('a default that is not what the file says is written where the file has the member', () => {
  const desired = { schema: [{ name: 'a', dataType: 'INT', dataLength: 8 }] };
  const { schema } = restate({ schema: [column] }, desired, rules);
  expect(schema).toEqual([{ name: 'a', dataType: 'INT', dataLength: 1 }]);
});

test('what agrees keeps its words, and what is ignored its value', () => {
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

test('whatever both say, the document that is restated asks for live', () => {
  const options = { unordered: ['owners', 'tags'] };
  fc.assert(
    fc.property(contracts, contracts, (live, desired) => {
      const restated = restate(live, desired, rules, options);
      expect(preserve(live, restated, rules, options)).toEqual(live);
    }),
    { numRuns: 300 },
  );
});
