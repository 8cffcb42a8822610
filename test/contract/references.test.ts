import { describe, expect, test } from 'vitest';
import { completeReferences } from '../../src/contract/equality.ts';

const ann = { id: '1', type: 'user', name: 'ann', href: 'https://catalog/users/1' };
const annTheTeam = { id: '2', type: 'team', name: 'ann', displayName: 'Ann & Co' };

describe('a reference agrees with the live one that has every member it gives', () => {
  test('what only the live one has survives', () => {
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

  test('a live reference stands for one of the file only', () => {
    const twice = { type: 'user', name: 'ann' };
    expect(completeReferences([ann], [twice, twice])).toEqual([ann, twice]);
  });
});

test('what is no list of references is left as it is', () => {
  expect(completeReferences(undefined, [{ name: 'ann' }])).toEqual([{ name: 'ann' }]);
  expect(completeReferences([ann], null)).toBeNull();
  expect(completeReferences([ann], ['ann'])).toEqual(['ann']);
});
