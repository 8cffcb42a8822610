import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepEqual, isArray, isObject, type JsonValue } from '../../src/core/json.ts';
import { keyPathOf, labelKeyPath, pointerOf, valueByKey } from '../../src/patch/identity.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../../src/patch/pointer.ts';
import { contracts, documents } from './documents.ts';
import { rounds } from '../support/rounds.ts';

const contract = {
  description: 'Orders.',
  schema: [
    { name: 'id', dataType: 'BIGINT' },
    {
      name: 'amount',
      dataType: 'DECIMAL',
      tags: ['pii', 5, '5'],
      children: [{ name: 'a/b', dataType: 'INT' }],
    },
  ],
  semantics: [{ rule: 'one' }, { rule: 'two' }],
  owners: [
    { id: 'u1', type: 'user', name: 'ada' },
    { id: 't1', type: 'team', name: 'ada' },
    { id: 'u2', type: 'user', name: 'mira' },
  ],
};

const places: readonly (readonly [string, string, string])[] = [
  ['/description', '/description', 'description'],
  ['/schema/1/dataType', '/schema/{name=amount}/dataType', 'schema[amount].dataType'],
  ['/schema/1', '/schema/{name=amount}', 'schema[amount]'],
  ['/schema/1/tags/0', '/schema/{name=amount}/tags/{=pii}', 'schema[amount].tags[pii]'],
  ['/schema/1/tags/1', '/schema/{name=amount}/tags/{=5}', 'schema[amount].tags[5]'],
  ['/schema/1/tags/2', '/schema/{name=amount}/tags/{="5"}', 'schema[amount].tags[5]'],
  [
    '/schema/1/children/0/dataType',
    '/schema/{name=amount}/children/{name=a~1b}/dataType',
    'schema[amount].children[a/b].dataType',
  ],
  ['/semantics/1/rule', '/semantics/1/rule', 'semantics[1].rule'],
  ['/owners/1', '/owners/{id=t1}', 'owners[t1]'],
  ['/owners/2', '/owners/{name=mira}', 'owners[mira]'],
];

test.each(places)('%s goes by %s, and a person reads %s', (pointer, path, label) => {
  const found = keyPathOf(parsePointer(pointer) ?? [], contract);
  expect(formatPointer(found)).toBe(path);
  expect(labelKeyPath(found)).toBe(label);
  expect(pointerOf(parsePointer(path) ?? [], contract)).toEqual(parsePointer(pointer));
});

test('an element goes by the keys that are configured for its array', () => {
  const document = { schema: [{ name: 'a', system: 'x', id: 1 }] };
  const path = keyPathOf(['schema', '0', 'id'], document, { keys: { schema: ['system', 'name'] } });
  expect(formatPointer(path)).toBe('/schema/{system=x,name=a}/id');
  expect(labelKeyPath(path)).toBe('schema[x a].id');
  expect(valueByKey(document, path)).toBe(1);
});

test('an element of a list within a list goes by the keys of the outer list', () => {
  const document = {
    rows: [
      [
        { key: 'a', name: 'x' },
        { key: 'b', name: 'y' },
      ],
    ],
  };
  const path = keyPathOf(['rows', '0', '1'], document, { keys: { rows: ['key'] } });
  expect(formatPointer(path)).toBe('/rows/0/{key=b}');
});

test('a member whose name is a number keeps it as it is written', () => {
  const document = { schema: [{ '1.0': 'a' }, { '1.0': 'b' }] };
  const path = keyPathOf(['schema', '1'], document, { keys: { schema: ['1.0'] } });
  expect(formatPointer(path)).toBe('/schema/{1.0=b}');
  expect(pointerOf(path, document)).toEqual(['schema', '1']);
});

describe('a path by key', () => {
  test('leads to the same element in another state of the document', () => {
    const path = keyPathOf(['schema', '1', 'dataType'], contract);
    const later = { schema: [{ name: 'amount', dataType: 'DOUBLE' }, { name: 'new' }] };
    expect(valueByKey(later, path)).toBe('DOUBLE');
    expect(pointerOf(path, later)).toEqual(['schema', '0', 'dataType']);
  });

  test.each([
    ['an element that is gone', { schema: [{ name: 'id' }] }],
    ['a name that two elements have', { schema: [{ name: 'amount' }, { name: 'amount' }] }],
    ['an array that is none any more', { schema: 'amount' }],
    ['a field that is gone', {}],
  ])('leads nowhere for %s', (_, document) => {
    expect(pointerOf(['schema', '{name=amount}'], document)).toBeUndefined();
  });

  test('finds a member whose name looks like a key', () => {
    expect(valueByKey({ '{name=a}': 1 }, ['{name=a}'])).toBe(1);
  });

  test.each(['{', '{}', '{name}', '{name=}', '{name=a', '{name=a}}', '{name=a,}', '{=a=b}', 'x'])(
    'never finds an element by %s',
    (token) => {
      expect(valueByKey([{ name: 'a' }, 'a', 'x'], [token])).toBeUndefined();
    },
  );
});

test('every place of every document is found again by its path, also as text', () => {
  const found = fc.property(fc.oneof(documents, contracts), (document) =>
    pointersInto(document).every((pointer) => {
      const text = formatPointer(keyPathOf(pointer, document));
      return deepEqual(pointerOf(parsePointer(text) ?? [], document) ?? null, pointer);
    }),
  );
  fc.assert(found, { numRuns: rounds(250) });
});

test('keys of any text lead back to their elements', () => {
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  const odd = fc.oneof(
    text,
    fc.constantFrom('', '5', 'true', 'null', '"', '}', ',', '=', '\\', '{=a}'),
  );
  const found = fc.property(fc.uniqueArray(odd), odd, (values, member) => {
    const document = values.map((value) => ({ [member]: value }));
    return values.keys().every((index) => {
      const at = [String(index)];
      const path = keyPathOf(at, document, { keys: { '': [member] } });
      const ofScalar = keyPathOf(at, values);
      return (
        !deepEqual(path, at) &&
        deepEqual(pointerOf(path, document) ?? null, at) &&
        deepEqual(pointerOf(ofScalar, values) ?? null, at)
      );
    });
  });
  fc.assert(found, { numRuns: rounds(250) });
});

/** Of the document, of what it holds, and so on. */
function pointersInto(document: JsonValue, at: Pointer = []): Pointer[] {
  const value = valueAt(document, at) ?? null;
  if (!isArray(value) && !isObject(value)) return [at];
  return [at, ...Object.keys(value).flatMap((token) => pointersInto(document, [...at, token]))];
}
