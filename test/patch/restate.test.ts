import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePattern, type Pattern } from '../../src/patch/pointer.ts';
import { preserve, restate } from '../../src/patch/preserve.ts';
import { contracts } from './documents.ts';

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
