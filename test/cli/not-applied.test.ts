import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import {
  openPast,
  ordersFile,
  type Past,
  type PastDialect,
  pastDialects,
} from '../support/past.ts';
import { expectValid } from '../support/schema.ts';
import { makeFolder } from '../support/workspace.ts';

const file = 'contracts/orders.yaml';
const hour = 60;

const fileOf = (past: Past, description: string, ...more: readonly string[]): string =>
  ordersFile(past.name, `description: ${description}`, ...more);

/** `description` as git has had it: applied, and then reworded without an apply. */
async function openReworded(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  past.pass(hour);
  past.commit({ [file]: fileOf(past, 'One row per order.') });
  past.pass(hour);
  past.commit({ [file]: fileOf(past, 'Applied.') });
  past.pass(hour);
  expect((await past.run('apply', '--yes')).code).toBe(0);
  past.pass(hour);
  past.commit({ [file]: fileOf(past, 'Reworded.') });
  past.pass(hour);
  return past;
}

const mergeOf = (past: Past): string => past.git('rev-parse', 'main').slice(0, 7);

async function planOf(past: Past, ...flags: readonly string[]): Promise<Plan> {
  const { stdout } = await past.run('plan', '--format', 'json', ...flags);
  const plan: Plan = JSON.parse(stdout);
  expectValid('plan', plan);
  return plan;
}

describe.each(pastDialects)('in the dialect %s', (dialect) => {
  test("a merged change that isn't applied yet doesn't count as an edit: a branch leaves it to the apply of the merge", async () => {
    const past = await openReworded(dialect);
    past.git('switch', '--quiet', '-c', 'work');
    past.commit({ [file]: fileOf(past, 'Reworded.', 'displayName: Orders') });
    const { stdout } = await past.run('plan', '--base', 'main');
    expect(stdout).toContain(`merged in ${mergeOf(past)}, not applied yet`);
    expect(stdout).not.toContain('edited in the catalog');
    const plan = await planOf(past, '--base', 'main');
    expect(plan.summary).toMatchObject({ update: 1, drift: 0, notApplied: 1 });
    expect(plan.contracts).toMatchObject([{ changes: [{ path: '/displayName', cause: 'file' }] }]);
    expect(await past.run('pull', '--check')).toMatchObject({ code: 0 });
    expect(await past.run('pull', '--drift', '--base', 'main', '--check')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`was committed in ${mergeOf(past)} and is not applied yet`),
    });
    await past.run('apply', '--yes', '--base', 'main');
    expect(await past.live()).toMatchObject({ description: 'Applied.', displayName: 'Orders' });

    past.git('switch', '--quiet', 'main');
    const ofMerge = await planOf(past, '--base', 'main');
    expect(ofMerge.contracts).toMatchObject([
      { changes: [{ path: '/description', cause: 'not-applied' }] },
    ]);
    expect((await past.run('apply', '--yes', '--base', 'main')).code).toBe(0);
    expect(await past.live()).toMatchObject({ description: 'Reworded.' });
  });

  test("a pull leaves a new file alone that isn't applied yet, unless --no-base", async () => {
    const past = await openPast(dialect);
    past.pass(hour);
    past.commit({ [file]: fileOf(past, 'New.') });
    expect(await past.run('pull', '--check')).toEqual({
      code: 0,
      stdout: 'Nothing to pull: 1 compared.\n',
      stderr: `${file}:2:14: information: \`description\` of ${past.name} was committed in ${mergeOf(past)} and is not applied yet: kept the file's value. [not-applied]\n`,
    });
    const all = await past.run('pull', '--check', '--no-base');
    expect(all).toMatchObject({ code: 2, stdout: expect.stringContaining('-description: New.') });
  });

  test('an edit over a merge that was never applied is a conflict, and a pull keeps the merge', async () => {
    const past = await openReworded(dialect);
    await past.edit('mira', { description: 'By hand.' });
    past.pass(hour);
    const { stdout } = await past.run('plan', '--base', 'main');
    expect(stdout).toContain(
      `mira edited \`description\` in the catalog, which the file changes too (merged in ${mergeOf(past)}, never applied). [conflict]`,
    );
    expect(stdout).toContain('description  By hand. → Reworded.');
    for (const flags of [[], ['--drift', '--base', 'main']])
      expect(await past.run('pull', '--check', ...flags)).toEqual({
        code: 0,
        stdout: 'Nothing to pull: 1 compared.\n',
        stderr: `${file}:2:14: warning: Both the file and the catalog changed \`description\` of ${past.name} (committed in ${mergeOf(past)}, never applied): kept the file's value. [conflict]\n  To take what the catalog has, pull with --no-base.\n`,
      });
  });

  test('an edit back to an older value of git counts as an edit', async () => {
    const past = await openReworded(dialect);
    await past.run('apply', '--yes');
    past.pass(hour);
    await past.edit('mira', { description: 'Applied.' });
    const plan = await planOf(past, '--base', 'main');
    expect(plan.summary).toMatchObject({ update: 0, drift: 1 });
    expect((await past.run('pull')).code).toBe(0);
    expect(readFileSync(join(past.folder, file), 'utf8')).toContain('description: Applied.');
  });
});

// Git is the same beside either kind of catalog.
describe('beside a standard catalog', () => {
  test("where the versions or the log can't be read, a difference stays unexplained and untouched", async () => {
    const past = await openReworded('standard');
    const environment = await past.withoutHistory();
    const { stdout } = await past.runWith(environment, 'plan', '--base', 'main');
    expect(stdout).toContain("not known: the catalog's versions can't be read");
    expect(stdout).toContain('1 edited or not applied yet');
    const flags = ['--base', 'main', '--drift', 'overwrite'];
    const overwriting = await past.runWith(environment, 'plan', ...flags);
    expect(overwriting.stdout).toContain("not known: the catalog's versions can't be read");
    const pulled = await past.runWith(environment, 'pull', '--check');
    expect(pulled).toMatchObject({ code: 0, stderr: expect.stringContaining('[edit-unknown]') });

    const clone = join(makeFolder(), 'clone');
    past.git('clone', '--quiet', '--depth', '1', `file://${past.folder}`, clone);
    const shallow = await past.runIn(clone, 'plan', '--base', 'HEAD');
    expect(shallow.stdout).toContain('not known: this clone is shallow');
    expect((await past.runIn(clone, 'pull', '--check')).code).toBe(0);
  });
});

/** A description that was applied, and set back in the catalog by somebody. */
async function openUndone(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  past.commit({ 'contracts/orders.yaml': ordersFile(past.name, 'description: Old.') });
  await past.run('apply', '--yes');
  past.pass(60);
  past.commit({ 'contracts/orders.yaml': ordersFile(past.name, 'description: One line.') });
  past.pass(60);
  expect((await past.run('apply', '--yes')).code).toBe(0);
  past.pass(60);
  await past.edit('mira', { description: 'Old.' });
  past.pass(60);
  return past;
}

const base = ['--base', 'main'] as const;

async function hashOf(past: Past, ...flags: readonly string[]): Promise<string> {
  const { stdout } = await past.run('plan', ...base, ...flags);
  expect(stdout).toContain('1 to update');
  return /sha256:[0-9a-f]{64}/u.exec(stdout)?.[0] ?? '';
}

describe.each(pastDialects)('a reviewed hash in the dialect %s', (dialect) => {
  test('has not landed where the value is again as it was before the change', async () => {
    const past = await openUndone(dialect);
    const hash = await hashOf(past, '--drift', 'overwrite');
    const expected = [...base, '--drift', 'leave', '--expect-hash', hash] as const;
    const planned = await past.run('plan', ...expected);
    expect(planned.code).toBe(1);
    const applied = await past.run('apply', '--yes', ...expected);
    expect(applied.code).toBe(1);
    expect(applied.stdout).toContain('[plan-changed]');
    expect(applied.stdout).toContain('`drift: leave` leaves edits of the catalog');
    expect(applied.stdout).not.toContain('landed');
    expect(await past.live()).toMatchObject({ description: 'Old.' });
    const meant = [...base, '--drift', 'overwrite', '--expect-hash', hash] as const;
    expect((await past.run('apply', '--yes', ...meant)).code).toBe(0);
    expect(await past.live()).toMatchObject({ description: 'One line.' });
  });

  test('has landed where the value was changed to another one since', async () => {
    const past = await openUndone(dialect);
    const hash = await hashOf(past, '--drift', 'overwrite');
    await past.run('apply', '--yes', ...base, '--drift', 'overwrite', '--expect-hash', hash);
    past.pass(60);
    await past.edit('mira', { description: 'By hand.' });
    const again = [...base, '--drift', 'leave', '--expect-hash', hash] as const;
    const applied = await past.run('apply', '--yes', ...again);
    expect(applied.code).toBe(0);
    expect(applied.stdout).toContain('landed, and was changed again since');
  });
});
