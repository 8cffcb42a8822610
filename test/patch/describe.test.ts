import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { diff } from '../../src/patch/diff.ts';
import { evaluate } from '../../src/patch/evaluate.ts';
import {
  describeOperation,
  type Difference,
  diffByPlace,
  guardOf,
  livePlaceOf,
} from '../../src/patch/describe.ts';
import { defaultRules } from '../../src/plan/rules.ts';

const {
  arrays,
  conventions: { isTestable },
} = defaultRules;
const column = (name: string, dataType = 'TEXT') => ({ name, dataType });
const schema = [column('id'), column('amount'), column('city')];

const nested = (dataType: string) => ({
  schema: [{ ...column('address'), children: [column('street', dataType)] }],
});

/** The tests of a change, each as `path value`. */
function tested(live: JsonObject, desired: JsonObject): string[] {
  const changes = diff(live, desired).map((edit) =>
    describeOperation(edit, { live, target: desired }, arrays),
  );
  const tests = guardOf(changes, live, arrays, isTestable);
  // They hold where nothing has moved.
  expect(evaluate(live, tests)).toEqual(live);
  return tests.map((test) => {
    const value = 'value' in test ? test.value : undefined;
    return `${test.path} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}

describe('a guard', () => {
  test('tests a scalar that is replaced or removed', () => {
    const live = { description: 'Old.', sla: 3, name: 'a' };
    expect(tested(live, { description: 'New.', name: 'a' }).toSorted()).toEqual([
      '/description Old.',
      '/sla 3',
    ]);
  });

  test('tests no place where values are only added', () => {
    expect(tested({ name: 'a' }, { name: 'a', description: 'New.' })).toEqual([]);
    expect(tested({ schema }, { schema: [...schema, column('zip')] })).toEqual([]);
  });

  test('tests the key of an element that is reached by its index', () => {
    const desired = { schema: [column('id'), column('amount', 'INT'), column('city')] };
    expect(tested({ schema }, desired)).toEqual([
      '/schema/1/name amount',
      '/schema/1/dataType TEXT',
    ]);
  });

  test('tests the keys of all elements on the way', () => {
    expect(tested(nested('TEXT'), nested('INT'))).toEqual([
      '/schema/0/name address',
      '/schema/0/children/0/name street',
      '/schema/0/children/0/dataType TEXT',
    ]);
  });

  test('tests the key of an element that gets something more', () => {
    const live = { schema };
    const desired = { schema: [column('id'), { ...column('amount'), note: 'x' }, column('city')] };
    expect(tested(live, desired)).toEqual(['/schema/1/name amount']);
  });

  test('tests the leaves of a removed value, by its index before the patch', () => {
    expect(tested({ schema }, { schema: [column('city')] }).toSorted()).toEqual([
      '/schema/0/dataType TEXT',
      '/schema/0/name id',
      '/schema/1/dataType TEXT',
      '/schema/1/name amount',
    ]);
  });

  test('tests the key of an element that is moved', () => {
    const desired = { schema: [column('city'), column('id'), column('amount')] };
    expect(tested({ schema }, desired)).toEqual(['/schema/2/name city']);
  });

  test('tests an element without a key by its leaves', () => {
    expect(tested({ tags: ['a', 'b'] }, { tags: ['b'] })).toEqual(['/tags/0 a']);
  });

  test('tests the first 32 leaves of a large value and no long text', () => {
    const members = Array.from({ length: 40 }, (_, number) => [`m${number}`, number]);
    expect(tested({ sla: Object.fromEntries(members) }, {})).toHaveLength(32);
    expect(tested({ description: 'x'.repeat(10_000) }, {})).toHaveLength(1);
    expect(tested({ description: 'x'.repeat(10_001) }, {})).toEqual([]);
  });
});

const step = (text: string) => ({ do: text });

test.for<[title: string, live: JsonObject, target: JsonObject, Difference[]]>([
  [
    'an element that moves, behind which one',
    { schema },
    { schema: [column('id'), column('city'), column('amount')] },
    [{ place: '/schema/{name=city}', behind: '{name=id}' }],
  ],
  [
    'an element that moves to the front',
    { schema },
    { schema: [column('city'), column('id'), column('amount')] },
    [{ place: '/schema/{name=city}' }],
  ],
  [
    'elements without a key by their values, sorted',
    { steps: [step('a'), step('d')] },
    { steps: [step('a'), step('c'), step('b')] },
    [
      { place: '/steps/-', after: step('b'), behind: '{"do":"c"}' },
      { place: '/steps/-', after: step('c'), behind: '{"do":"a"}' },
      { place: '/steps/-', before: step('d') },
    ],
  ],
  [
    'no order of an unordered list',
    { labels: ['a', 'b'] },
    { labels: ['b', 'a', 'c'] },
    [{ place: '/labels/{=c}', after: 'c' }],
  ],
  [
    'a change within an element that moves, and the move',
    { schema },
    { schema: [...schema.slice(1), column('id', 'INT')] },
    [
      { place: '/schema/{name=id}', behind: '{name=city}' },
      { place: '/schema/{name=id}/dataType', before: 'TEXT', after: 'INT' },
    ],
  ],
  [
    'a member whose name every object inherits',
    {},
    { constructor: 'Order' },
    [{ place: '/constructor', after: 'Order' }],
  ],
  [
    'a member of an element at any index, and null from nothing',
    { schema: [column('id'), column('amount')], sla: 1 },
    { schema: [column('amount', 'INT')], note: null },
    [
      { place: '/note', after: null },
      { place: '/schema/{name=amount}/dataType', before: 'TEXT', after: 'INT' },
      { place: '/schema/{name=id}', before: column('id') },
      { place: '/sla', before: 1 },
    ],
  ],
])('the differences of two documents tell %s', ([, live, target, expected]) => {
  expect(diffByPlace(live, target, { unordered: ['labels'] })).toEqual(expected);
});

test.for<[string, JsonObject, JsonObject, object]>([
  [
    'a move, without values',
    { schema },
    { schema: [column('city'), column('id'), column('amount')] },
    {
      kind: 'move',
      from: '/schema/2',
      path: '/schema/0',
      place: '/schema/{name=city}',
      label: 'schema[0 city]',
    },
  ],
  [
    'an added element by the key that it will have',
    { schema },
    { schema: [...schema, column('zip')] },
    {
      kind: 'add',
      path: '/schema/-',
      place: '/schema/{name=zip}',
      label: 'schema[3 zip]',
      after: column('zip'),
    },
  ],
  [
    'a removed one by the key and the index that it had',
    { schema },
    { schema: schema.slice(1) },
    {
      kind: 'remove',
      path: '/schema/0',
      place: '/schema/{name=id}',
      label: 'schema[0 id]',
      before: column('id'),
    },
  ],
  [
    'a change behind another by its own values',
    { schema },
    { schema: [column('id'), column('amount', 'INT'), column('city', 'DATE')] },
    {
      kind: 'replace',
      path: '/schema/2/dataType',
      place: '/schema/{name=city}/dataType',
      label: 'schema[2 city].dataType',
      before: 'TEXT',
      after: 'DATE',
    },
  ],
  [
    'an added one without a key by no index',
    { steps: [step('a')] },
    { steps: [step('a'), step('b')] },
    { kind: 'add', path: '/steps/-', place: '/steps/-', label: 'steps[1]', after: step('b') },
  ],
])('an operation shows %s', ([, live, target, expected]) => {
  const shown = diff(live, target).map((edit) => describeOperation(edit, { live, target }, arrays));
  expect(shown.at(-1)).toEqual(expected);
});

test('a move belongs to the order of its array, any other difference to its place', () => {
  expect(livePlaceOf({ place: '/schema/{name=id}' })).toEqual({ path: ['schema'], of: 'order' });
  const place = '/schema/{name=id}';
  for (const either of [
    { place, before: 1 },
    { place, after: 1 },
  ])
    expect(livePlaceOf(either)).toEqual({ path: ['schema', '{name=id}'], of: 'value' });
});
