/** What an apply compares the files with, by what the comments of merged pull requests record. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chooseApplyBase } from '../../src/action/base.ts';
import type { OurRecord } from '../../src/action/record/find.ts';
import type { Step } from '../../src/action/step.ts';
import { openRepository } from '../../src/files/git/repository.ts';
import { markOf } from '../../src/plan/seal.ts';
import { git, revisionOf } from '../support/git-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'contract-sync-base-'));
afterAll(() => rmSync(folder, { recursive: true }));
git(folder, 'init', '--quiet', '--initial-branch', 'main');

function commit(message: string): string {
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', message);
  return revisionOf(folder);
}
const first = commit('First');
const [mergeOfA, mergeOfB, mergeOfC] = [commit('A'), commit('B'), commit('C')];
const rewritten = 'e'.repeat(40);

type Recorded = {
  readonly merge: string;
  readonly base?: string;
  readonly branch?: string;
  readonly applied?: string;
  readonly isEdited?: boolean;
  readonly landed?: string;
  readonly pending?: string;
};

function recordOf(recorded: Recorded): OurRecord {
  const { merge, base = first, branch = 'main', applied, isEdited = false } = recorded;
  const changes = [
    { name: recorded.landed, hasLanded: true },
    { name: recorded.pending, hasLanded: false },
  ].flatMap(({ name, hasLanded }) =>
    name === undefined ? [] : [{ contract: markOf(name), hasLanded, fingerprint: name }],
  );
  const comment = { header: { base, branch, applied }, isEdited, changes };
  return { pull: { mergeSha: merge }, comment } as unknown as OurRecord;
}

/** Latest merge first. */
function chooseFor(...all: readonly Recorded[]) {
  const run = { branch: 'main' };
  const step = { inputs: {}, run, repository: openRepository(folder) } as unknown as Step;
  const records = { all: all.map(recordOf), own: undefined, isWhole: true };
  const { revision, laterBases = [] } = chooseApplyBase(step, records);
  const later = laterBases.map((each) => [
    each.revision,
    ...['orders', 'carts'].filter((id) => each.appliesTo?.({ id })),
  ]);
  return { revision, later };
}

const A = { merge: mergeOfA };
const B = { merge: mergeOfB };
const C = { merge: mergeOfC, pending: 'orders' };

test.for<[title: string, all: readonly Recorded[], revision: string | undefined]>([
  ['the commit of the last complete apply', [C, { ...B, applied: mergeOfB }, A], mergeOfB],
  [
    'the merge of the last complete apply, where its commit is no longer in the history',
    [C, { ...B, applied: rewritten }, A],
    mergeOfB,
  ],
  ['before the first apply, the base of the oldest plan', [C, { ...B, base: mergeOfA }], mergeOfA],
  [
    'the parent of the oldest merge whose comment somebody edited',
    [C, { ...B, isEdited: true }],
    mergeOfA,
  ],
  [
    'the parent of the oldest merge that was planned for another branch',
    [C, { ...B, branch: 'release' }],
    mergeOfA,
  ],
  ['nothing, where a plan without a base still waits', [{ ...C, base: '' }, A], undefined],
  ['the base, where all of a plan without one has landed', [{ ...B, base: '' }, A], first],
])('an apply compares the files with %s', ([, all, revision]) => {
  expect(chooseFor(...all).revision).toBe(revision);
});

test('contracts that a later run has applied are compared with its merge, in the order of merges', () => {
  const waiting = { ...A, pending: 'carts' };
  expect(chooseFor(C, { ...B, landed: 'orders' }, waiting)).toEqual({
    revision: first,
    later: [[mergeOfB, 'orders']],
  });
  const both = [{ ...C, landed: 'orders' }, { ...B, landed: 'orders' }, waiting];
  expect(chooseFor(...both).later).toEqual([
    [mergeOfB, 'orders'],
    [mergeOfC, 'orders'],
  ]);
  expect(chooseFor(C, { merge: rewritten, landed: 'orders' }, waiting).later).toEqual([]);
});
