import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectGolden } from '../support/golden.ts';
import { expectValid } from '../support/schema.ts';
import {
  openPast,
  ordersFile,
  type Past,
  type PastDialect,
  pastDialects,
} from '../support/past.ts';
import { makeFolder } from '../support/workspace.ts';

const file = 'contracts/orders.yaml';
const day = 24 * 60;

/** Git describes orders; mira describes them otherwise for two days, and zoe brings them back. */
async function openYear(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  past.pass(day);
  past.commit({ [file]: ordersFile(past.name, 'description: Orders of the shop.') });
  past.pass(5);
  await past.edit('ada', { description: 'Orders of the shop.' });
  past.pass(day);
  await past.edit('mira', { description: 'Mine.' });
  past.pass(2 * day);
  await past.edit('zoe', { description: 'Orders of the shop.' });
  past.pass(day);
  await past.edit('mira', { displayName: 'Not of the file' });
  return past;
}

/** Without style and script. */
function contentOf(page: string): string {
  return page
    .replaceAll(/(<(style|script)\b[^>]*>)[\s\S]*?(<\/\2>)/gu, '$1…$3')
    .replaceAll(/'sha256-[^']*'/gu, "'sha256-…'");
}

describe.each(pastDialects)('in the dialect %s, an audit', (dialect) => {
  const golden = (what: string) => join(import.meta.dirname, 'golden', `audit-${dialect}-${what}`);

  test('says how much comes from git', async () => {
    const past = await openYear(dialect);
    for (const [what, ...flags] of [
      ['all.txt'],
      ['since.txt', '--since', '2023-11-17T00:00Z'],
      ['all.json', '--format', 'json'],
    ] as const) {
      const { code, stdout, stderr } = await past.run('audit', ...flags);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expectGolden(golden(what), stdout);
      if (what.endsWith('json')) expectValid('audit', JSON.parse(stdout));
    }
  });

  test('takes an edit that was pulled into the file for kept, and a later one for drift', async () => {
    const past = await openYear(dialect);
    past.pass(day);
    await past.edit('mira', { description: 'Better.' });
    expect((await past.run('audit')).stdout).toContain('Drift: 1 ended, 1 ongoing');
    past.pass(day);
    past.commit({ [file]: ordersFile(past.name, 'description: Better.') });
    past.pass(day);
    const kept = await past.run('audit');
    expect(kept.stdout).toContain('Drift: 2 ended; median 24 hours, longest 2 days.');
    await past.edit('zoe', { description: 'Best.' });
    expect((await past.run('audit')).stdout).toContain('Drift: 2 ended, 1 ongoing');
  });

  test('finds drift in a contract that was imported, of which no version is from git', async () => {
    const past = await openPast(dialect);
    past.pass(day);
    past.commit({ [file]: ordersFile(past.name, 'description: One row per order.') });
    past.pass(day);
    await past.edit('mira', { description: 'Mine.' });
    expect((await past.run('audit')).stdout).toContain('Drift: 1 ongoing, for ');
  });

  test('counts the contracts that are selected, and no others', async () => {
    const past = await openYear(dialect);
    const selected = await past.run('audit', '--only', past.name);
    expect(selected.stdout).toContain('1 contract has a file');
    const none = await past.run('audit', '--exclude', past.name);
    expect(none).toMatchObject({ code: 0, stderr: '' });
    expect(none.stdout).toContain('0 contracts have files; 0 versions changed');
    expect(none.stdout).not.toContain('Who:');
  });

  test('says why it does not know where versions came from', async () => {
    const past = await openYear(dialect);
    past.pass(day);
    past.git('commit', '--quiet', '--allow-empty', '--message', 'Later');
    const clone = makeFolder();
    past.git('clone', '--quiet', '--depth', '1', `file://${past.folder}`, clone);
    const { stdout, code } = await past.runIn(clone, 'audit');
    expect(code).toBe(0);
    expectGolden(golden('shallow.txt'), stdout);
    const json = await past.runIn(clone, 'audit', '--format', 'json');
    expectValid('audit', JSON.parse(json.stdout));
    const page = await past.runIn(clone, 'audit', '--format', 'html');
    expect(page.stdout).toContain('this clone is shallow');
    const markdown = await past.runIn(clone, 'audit', '--format', 'markdown');
    expect(markdown.stdout).toContain('| Who | From git | Not from a commit | Unknown |');
    rmSync(join(clone, '.git'), { recursive: true });
    const bare = await past.runIn(clone, 'audit');
    expect(bare.stdout).toContain('Unknown: the files are in no git repository.');
    expect(bare.stdout).toContain('\n\nWhat has drifted is not known.\n');
    const recent = await past.runIn(clone, 'audit', '--since', '2024-06-01T00:00Z');
    expect(recent.stdout).toContain('in no git repository');
    expect(recent.stdout).toContain('What has drifted is not known.');
    for (const format of ['markdown', 'html', 'json']) {
      const shown = await past.runIn(clone, 'audit', '--format', format);
      expect(shown.stdout).not.toContain('Nothing has drifted');
      const said = format === 'json' ? /"longest": 0,\n *"unknown": 1/u : /drifted is not known/u;
      expect(shown.stdout).toMatch(said);
    }
  });

  test('tells of a history that it cannot read, and fails', async () => {
    const past = await openYear(dialect);
    const { code, stdout, stderr } = await past.runWith(await past.withoutHistory(), 'audit');
    expect(code).toBe(1);
    expect(stderr).toContain('[history-unreadable]');
    expect(stdout).toContain('0 of 1 contracts with files were read');
    expect(stdout).toContain('What has drifted is not known.');
    expect(stdout).not.toContain('Nothing has drifted');
  });

  test('is none where a file has an error', async () => {
    const past = await openYear(dialect);
    past.commit({ 'contracts/broken.yaml': 'name: [' });
    const text = await past.run('audit');
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toContain('contracts/broken.yaml');
    const json = await past.run('audit', '--format', 'json');
    expectValid('audit', JSON.parse(json.stdout));
    expect(json.stdout).not.toContain('"contracts"');
  });

  test('says in every format that a history is left out', async () => {
    const past = await openYear(dialect);
    const environment = await past.withoutHistory();
    const page = await past.runWith(environment, 'audit', '--format', 'html');
    expect(page.stdout).toContain('history-unreadable');
    const json = await past.runWith(environment, 'audit', '--format', 'json');
    expectValid('audit', JSON.parse(json.stdout));
    const failed = await past.runWith({}, 'audit', '--format', 'json');
    expect(failed.code).toBe(1);
    expectValid('audit', JSON.parse(failed.stdout));
  });
});

test('an audit is also a page and a comment', async () => {
  const past = await openYear('standard');
  const markdown = await past.run('audit', '--format', 'markdown');
  expectGolden(join(import.meta.dirname, 'golden/audit-standard-all.md'), markdown.stdout);
  const page = await past.run('audit', '--format', 'html');
  expectGolden(join(import.meta.dirname, 'golden/audit-standard-all.html'), contentOf(page.stdout));
});
