import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { watchGit } from '../support/git-folder.ts';
import { openPast, ordersFile, type Past } from '../support/past.ts';
import { expectValid } from '../support/schema.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const file = 'contracts/orders.yaml';
const hour = 60;

/** A clone of a repository whose file has been applied, and that of somebody who works in it. */
async function openClone() {
  const past = await openPast('standard');
  past.pass(hour);
  past.commit({ [file]: ordersFile(past.name, 'description: Applied.') });
  past.pass(hour);
  expect((await past.run('apply', '--yes')).code).toBe(0);
  past.pass(hour);
  const clone = join(makeFolder(), 'clone');
  past.git('clone', '--quiet', past.folder, clone);
  const run = async (...args: string[]) => past.runIn(clone, ...args);
  return {
    past,
    clone,
    run,
    git: (...args: string[]) => past.git('-C', clone, ...args),
    /** Commits on main, and has the clone see it. */
    push: (files: Parameters<Past['commit']>[0]) => {
      past.commit(files);
      past.git('-C', clone, 'pull', '--quiet');
      past.pass(hour);
    },
    planOf: async (...flags: string[]): Promise<Plan> => {
      const { stdout } = await run('plan', '--format', 'json', ...flags);
      const plan: Plan = JSON.parse(stdout);
      expectValid('plan', plan);
      return plan;
    },
  };
}

test('in a clone a plan names edits of the catalog, and an apply leaves them', async () => {
  const { past, run, git } = await openClone();
  await past.edit('mira', { description: 'By hand.' });
  const base = git('rev-parse', 'HEAD').slice(0, 12);
  const shown = await run('plan', '--detailed-exitcode');
  expect(shown.stdout).toContain(
    `Base: ${base}, the last commit shared with origin/main (--no-base plans without)\n`,
  );
  expect(shown.stdout).toContain('1 contract was edited in the catalog');
  expect(shown.code).toBe(0);
  const applied = await run('apply', '--yes');
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^= .* left$/mu) });
  expect(await past.live()).toMatchObject({ description: 'By hand.' });

  const plain = await run('plan', '--no-base', '--detailed-exitcode');
  expect(plain.code).toBe(2);
  expect(plain.stdout).toContain('Base: none (--base REF tells edits of the catalog apart)\n');
  const overwriting = await run('plan', '--drift', 'overwrite', '--detailed-exitcode');
  expect(overwriting.code).toBe(2);
  expect(overwriting.stdout).toContain('edited in the catalog');
  expect((await run('apply', '--yes', '--no-base')).code).toBe(0);
  expect(await past.live()).toMatchObject({ description: 'Applied.' });
});

test('an apply on the default branch makes its new files, changes and deletions', async () => {
  const { past, run, planOf, push } = await openClone();
  push({ [file]: ordersFile(past.name, 'description: Reworded.', 'displayName: Orders') });
  expect((await planOf()).contracts).toMatchObject([
    { changes: [{ cause: 'not-applied' }, { cause: 'not-applied' }] },
  ]);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect(await past.live()).toMatchObject({ description: 'Reworded.', displayName: 'Orders' });
  past.git('rm', '--quiet', file);
  const config =
    'scope: [shop.**]\nunmanaged: deprecate\ncontracts: { include: [contracts], allowEmpty: true }\n';
  push({ 'contract-sync.yaml': config });
  expect((await planOf()).summary).toMatchObject({ update: 1, transitions: 1 });
});

test('on a branch the base is where it left, and main is left to its own apply', async () => {
  const { past, clone, git, planOf, push, run } = await openClone();
  push({ [file]: ordersFile(past.name, 'description: Reworded.') });
  git('switch', '--quiet', '-c', 'work');
  writeFileSync(
    join(clone, file),
    ordersFile(past.name, 'description: Reworded.', 'displayName: Orders'),
  );
  git('commit', '--quiet', '--all', '--message', 'Name it');
  const plan = await planOf();
  expect(plan).toMatchObject({
    defaultBase: 'origin/main',
    summary: { update: 1, notApplied: 1, drift: 0 },
    contracts: [{ changes: [{ path: '/displayName' }] }],
  });
  expect((await run('pull', '--drift', '--check')).code).toBe(0);
});

test.for([
  ['origin/main', ['remote set-head origin --delete']],
  [
    'origin/master',
    [
      'remote set-head origin --delete',
      'update-ref refs/remotes/origin/master HEAD',
      'update-ref -d refs/remotes/origin/main',
    ],
  ],
  ['origin/main', ['checkout --quiet --detach']],
  [undefined, ['remote remove origin']],
] as const)('the default base is %s after %s', async ([branch, commands]) => {
  const { git, planOf } = await openClone();
  for (const command of commands) git(...command.split(' '));
  const plan = await planOf();
  expect(plan.defaultBase).toBe(branch);
  expect('base' in plan).toBe(branch !== undefined);
});

test('a plan starts git once for each question', async () => {
  const { past, run } = await openClone();
  const asked = watchGit();
  await past.run('plan');
  expect(asked()).toEqual(['config', 'status']);
  await past.run('plan', '--base', 'HEAD');
  expect(asked()).toEqual(['cat-file', 'config', 'ls-tree', 'rev-parse', 'status']);
  const based = ['cat-file', 'config', 'for-each-ref', 'ls-tree', 'rev-parse', 'status'];
  await run('plan');
  expect(asked()).toEqual(based);
  await past.edit('mira', { description: 'By hand.' });
  await run('plan');
  // Two logs, one of the base and one of the checkout, and a look at the files of both.
  const history = ['cat-file', 'log', 'log'];
  expect(asked()).toEqual([...based, ...history].toSorted());
});

test.each([
  [['--only', ''], '--only takes a name or a pattern, not an empty text.'],
  [['--base', 'main'], 'git can\'t find the base "main": this is no git repository.'],
  [['--reason', 'Agreed.'], '--reason lifts nothing here: it is for --allow-limit.'],
])('outside of git, plan %j ends with an error', async (flags, words) => {
  const folder = makeFolder({
    'contract-sync.yaml': 'catalog: { dialect: standard }\n',
    'contracts/orders.yaml': 'fullyQualifiedName: shop.orders\n',
  });
  const environment = accessTo(await serveCatalog({}));
  const { code, stdout, stderr } = await runInProcess(['plan', ...flags], { folder, environment });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(words);
});
