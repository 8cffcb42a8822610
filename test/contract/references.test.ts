import { describe, expect, test } from 'vitest';
import { completeReferences, targetDocument } from '../../src/contract/equality.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { liveOf } from '../support/contracts.ts';

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

describe('an id in capital letters', () => {
  const id = '0a000001-00cd-4000-8000-0000000000ef';
  const owner = { id, type: 'team', name: 'sales', href: 'https://catalog/teams/1' };
  const written = { id: id.toUpperCase(), type: 'team' };

  test('is that of the live reference', () => {
    expect(completeReferences([owner], [written])).toEqual([owner]);
  });

  test('is sent as the catalog spells it, where the reference differs elsewhere', () => {
    const live = liveOf({ owners: [owner] });
    const target = targetDocument(
      live,
      { owners: [{ ...written, name: 'sales-eu' }] },
      defaultRules.equivalence,
      defaultRules.arrays,
    );
    expect(target['owners']).toEqual([{ id, type: 'team', name: 'sales-eu' }]);
  });
});
