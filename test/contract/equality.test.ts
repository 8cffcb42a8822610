import { describe, expect, test } from 'vitest';
import type { LiveContract } from '../../src/contract/contract.ts';
import {
  completeReferences,
  type Equivalence,
  targetDocument,
} from '../../src/contract/equality.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { parsePattern } from '../../src/patch/pointer.ts';

const strict: Equivalence = { ignore: [], fill: [], emptyIsAbsent: false };

function target(live: JsonObject, managed: JsonObject, equivalence = strict): JsonObject {
  const contract: LiveContract = { id: 'x', document: { id: 'x', ...live } };
  const { id: _, ...document } = targetDocument(contract, managed, equivalence, {});
  return document;
}

test('a field that the file names is owned whole; a field that it leaves out is never touched', () => {
  const live = { description: 'Old.', sla: { a: 1, b: 2 }, extension: { kept: true } };
  expect(target(live, { sla: { a: 3 } })).toEqual({ ...live, sla: { a: 3 } });
});

describe('null removes a field', () => {
  test('of a value', () => {
    expect(target({ sla: { a: 1 } }, { sla: null })).toEqual({});
  });

  test('and for nothing where there is nothing, be it absent or null', () => {
    expect(target({}, { sla: null })).toEqual({});
    expect(target({ sla: null }, { sla: null })).toEqual({ sla: null });
  });
});

describe('an empty list', () => {
  test('is a value of its own', () => {
    expect(target({}, { owners: [] })).toEqual({ owners: [] });
  });

  test('counts as absent on a server that treats it so', () => {
    const lenient = { ...strict, emptyIsAbsent: true };
    expect(target({}, { owners: [] }, lenient)).toEqual({});
    expect(target({ owners: [] }, { owners: null }, lenient)).toEqual({ owners: [] });
    expect(target({ owners: null }, { owners: [] }, lenient)).toEqual({ owners: null });
    expect(target({ owners: [{ name: 'ann' }] }, { owners: [] }, lenient)).toEqual({ owners: [] });
  });
});

test('an empty member of an element or a section counts as absent on such a server too', () => {
  const lenient = { ...strict, emptyIsAbsent: true };
  const live = {
    schema: [{ name: 'a' }, { name: 'b', tags: [], note: null }, { name: 'c', tags: ['x'] }],
    sla: { interval: 1 },
  };
  const managed = {
    schema: [
      { name: 'b', children: [] },
      { name: 'a', tags: [], note: null },
      { name: 'c', tags: [] },
      { name: 'd', tags: [] },
    ],
    sla: { interval: 2, unit: null },
  };
  expect(target(live, managed, lenient)).toEqual({
    schema: [
      { name: 'b', tags: [], note: null },
      { name: 'a' },
      { name: 'c', tags: [] },
      { name: 'd' },
    ],
    sla: { interval: 2 },
  });
  expect(target(live, managed)).toEqual(managed);
});

test("the server's additions inside a managed section survive, and the file's values win", () => {
  const equivalence = { ...strict, fill: patterns('/semantics/*/enabled') };
  const live = { semantics: [{ name: 'r', rule: 'old', enabled: true }] };
  expect(target(live, { semantics: [{ name: 'r', rule: 'new' }] }, equivalence)).toEqual({
    semantics: [{ name: 'r', rule: 'new', enabled: true }],
  });
  expect(target(live, { semantics: [{ name: 'r', enabled: false }] }, equivalence)).toEqual({
    semantics: [{ name: 'r', enabled: false }],
  });
});

test('an ignored place keeps its live value, or its absence', () => {
  const equivalence = { ...strict, ignore: patterns('/schema/*/tags') };
  const live = { schema: [{ name: 'a', tags: ['pii'] }, { name: 'b' }] };
  const managed = {
    schema: [
      { name: 'b', tags: ['x'] },
      { name: 'a', tags: [] },
    ],
  };
  expect(target(live, managed, equivalence)).toEqual({
    schema: [{ name: 'b' }, { name: 'a', tags: ['pii'] }],
  });
});

function patterns(...texts: readonly string[]) {
  return texts.map((text) => parsePattern(text)).filter((pattern) => pattern !== undefined);
}

const ann = { id: '1', type: 'user', name: 'ann', href: 'https://catalog/users/1' };
const annTheTeam = { id: '2', type: 'team', name: 'ann', displayName: 'Ann & Co' };

describe('a reference agrees with the live one that has every member it gives', () => {
  test('members that only the live one has survive', () => {
    expect(completeReferences([ann], [{ type: 'user', name: 'ann' }])).toEqual([ann]);
  });

  test('a member that differs makes it another reference', () => {
    const bob = { type: 'user', name: 'bob' };
    expect(completeReferences([ann], [bob])).toEqual([bob]);
  });

  test('a reference by id agrees too', () => {
    expect(completeReferences([ann, annTheTeam], [{ id: '2', type: 'team' }])).toEqual([
      annTheTeam,
    ]);
  });

  test('the more specific reference chooses first', () => {
    const desired = [{ name: 'ann' }, { name: 'ann', type: 'user' }];
    expect(completeReferences([ann, annTheTeam], desired)).toEqual([annTheTeam, ann]);
  });

  test('a live reference matches one of the file only', () => {
    const twice = { type: 'user', name: 'ann' };
    expect(completeReferences([ann], [twice, twice])).toEqual([ann, twice]);
  });
});

test('a value other than a list of references stays as it is', () => {
  expect(completeReferences(undefined, [{ name: 'ann' }])).toEqual([{ name: 'ann' }]);
  expect(completeReferences([ann], null)).toBeNull();
  expect(completeReferences([ann], ['ann'])).toEqual(['ann']);
});

test('an id in capital letters is that of the live reference', () => {
  const id = '0a000001-00cd-4000-8000-0000000000ef';
  const owner = { id, type: 'team', name: 'sales', href: 'https://catalog/teams/1' };
  expect(completeReferences([owner], [{ id: id.toUpperCase(), type: 'team' }])).toEqual([owner]);
});
