import { test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { defaultLifecycle } from '../../src/contract/conventions.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { findAnnouncement } from '../../src/history/notice.ts';
import { parseVersions } from '../../src/history/version.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { rounds } from '../support/rounds.ts';
import { at, versionsOf } from './histories.ts';
import { fax, histories, marked, tellHistory, tellWalk, walks } from './notice-model.ts';

const city = (more: JsonObject = {}, around: JsonObject = {}) => ({
  schema: [
    { name: 'address', dataType: 'STRUCT', children: [{ name: 'city', ...more }], ...around },
  ],
});

function announced(states: readonly JsonObject[], column?: readonly string[]) {
  const versions = versionsOf(states);
  const [live] = versions;
  if (!live) throw new Error('There is no version');
  return findAnnouncement(versions, live, column, defaultLifecycle);
}

test.for<[string, readonly JsonObject[], readonly string[] | undefined, number | undefined]>([
  ['since its first version with the mark', [fax(), marked, marked], ['fax'], 1],
  ['since the first known version, if all have it', [marked, marked], ['fax'], 0],
  ['only since a gap', [marked, fax(), marked, marked], ['fax'], 2],
  ['not at all, once the mark is gone', [marked, fax()], ['fax'], undefined],
  ['not, where an older version lacks the column', [{ schema: [] }, marked], ['fax'], 1],
  ['by `deprecated: true`', [fax(), fax({ deprecated: true })], ['fax'], 1],
  ['with a column around it', [city(), city({}, { deprecated: true })], ['address', 'city'], 1],
  ['by its contract', [fax(), { ...fax(), entityStatus: 'Deprecated' }], ['fax'], 1],
  ['by its contract first', [{ ...fax(), entityStatus: 'Retired' }, marked], ['fax'], 0],
  ['as a contract', [{}, { description: '**Deprecated** since June' }], undefined, 1],
  ['not as a contract, by a column', [fax(), marked], undefined, undefined],
])('a column or contract is announced %s', ([, states, column, index]) => {
  const version = index === undefined ? undefined : `0.${index + 1}`;
  expect(announced(states, column)).toEqual(
    index === undefined ? undefined : { since: at(index), version },
  );
});

const row = (
  version: string,
  updatedAt: number | undefined,
  isMarked: boolean,
  after?: string,
) => ({
  id: 'c1',
  version: Number(version),
  ...(updatedAt !== undefined && { updatedAt }),
  ...(isMarked ? marked : fax()),
  ...(after !== undefined && { changeDescription: { previousVersion: Number(after) } }),
});

// Newest first.
test.for<[string, readonly JsonObject[], { since: number; version: string } | undefined]>([
  [
    'as long ago as its version says',
    [row('1.3', 100, true), row('1.2', 90, true), row('1.1', 10, false)],
    { since: 90, version: '1.2' },
  ],
  [
    'no earlier than the version before it, whose clock was ahead',
    [row('1.3', 100, true), row('1.2', 10, true), row('1.1', 90, false)],
    { since: 90, version: '1.2' },
  ],
  [
    'no earlier than its own clock says, which later versions contradict',
    [row('1.3', 100, true), row('1.2', 10, true), row('1.1', 90, true)],
    { since: 90, version: '1.1' },
  ],
  [
    'no earlier than a later version says, whose clock was ahead of the next',
    [row('1.4', 100, true), row('1.3', 20, true), row('1.2', 90, true), row('1.1', 10, true)],
    { since: 90, version: '1.1' },
  ],
  [
    'no earlier than the version after one that is missing',
    [row('1.3', 100, true, '1.2'), row('1.1', 10, true, '1.0'), row('1.0', 5, true)],
    { since: 100, version: '1.3' },
  ],
  [
    'from before a version that says which came before it',
    [row('1.3', 100, true, '1.1'), row('1.1', 10, true, '1.0')],
    { since: 10, version: '1.1' },
  ],
  [
    'only since versions that have a time',
    [row('1.3', 100, true), row('1.2', undefined, true), row('1.1', 10, true)],
    { since: 100, version: '1.3' },
  ],
])('a column counts as announced %s', ([, snapshots, found]) => {
  const versions = parseVersions(snapshots, defaultRules);
  const [live] = versions;
  if (!live) throw new Error('There is no version');
  expect(findAnnouncement(versions, live, ['fax'], defaultLifecycle)).toEqual(found);
});

test.for([
  ['Deprecated', true],
  ['deprecated: use `email`', true],
  ['A fax number.\n\n@deprecated', true],
  ['[DEPRECATED] Use email.', true],
  ['**Deprecated** since June', true],
  ['Deprecated, goes in May.', true],
  ['Deprecated orders of last year', false],
  ['Not deprecated', false],
  ['Deprecated-by marks', false],
  ['Undeprecated', false],
  ['Deprecated: yes', true],
  ['Deprecated: no', false],
  ['**Deprecated**: false', false],
  ['- [ ] deprecated', false],
  ['Deprecated? Not yet.', false],
  ['Deprecated from: n/a', false],
] as const)('the description %j announces: %s', ([description, isMark]) => {
  expect(announced([fax({ description })], ['fax']) !== undefined).toBe(isMark);
});

test('a contract that was edited since it was read counts as not announced', () => {
  const [live, ...others] = versionsOf([fax(), marked]);
  if (!live) throw new Error('There is no version');
  const later = { ...live, version: '0.3' };
  const found = findAnnouncement([later, live, ...others], live, ['fax'], defaultLifecycle);
  expect(found).toBeUndefined();
});

property.prop([walks], { numRuns: rounds(200) })(
  'a catalog that merges edits and uses version numbers again never shortens a notice',
  tellWalk,
);

property.prop([histories], { numRuns: rounds(200) })(
  'a notice begins where all that is known allows it, whatever is missing or was set back',
  tellHistory,
);
