import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectGolden } from '../support/golden.ts';
import { runInProcess } from '../support/run-program.ts';
import {
  openPast,
  ordersFile,
  type Past,
  type PastDialect,
  pastDialects,
  withoutIds,
} from '../support/past.ts';
import { expectValid } from '../support/schema.ts';
import { makeFolder } from '../support/workspace.ts';

const file = 'contracts/orders.yaml';
const day = 24 * 60;

/**
 * Ada makes the contract, git takes it over, mira drops a column and says twice within a session
 * what it is, git takes that back, and zoe deprecates it.
 */
async function openStory(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  const { name, commit, edit, pass } = past;
  const approved = dialect === 'standard' ? 'Active' : 'Approved';
  const columns = [
    { name: 'id', dataType: 'BIGINT' },
    { name: 'amount', dataType: 'DECIMAL' },
    { name: 'city', dataType: 'VARCHAR' },
  ];
  pass(day);
  commit({
    [file]: ordersFile(name, `entityStatus: ${approved}`, 'description: Orders of the shop.'),
  });
  pass(5);
  await edit('zoe', { entityStatus: approved, description: 'Orders of the shop.' });
  pass(day);
  await edit('mira', { schema: columns.slice(0, 2) });
  pass(3);
  await edit('mira', { description: 'All orders.' });
  pass(3);
  await edit('mira', { description: 'Orders of the web shop.' });
  pass(day);
  await edit('zoe', { description: 'Orders of the shop.', schema: columns });
  pass(day);
  await edit('ada', { entityStatus: 'Deprecated' });
  return past;
}

describe.each(pastDialects)('in the dialect %s, the history', (dialect) => {
  const golden = (what: string) =>
    join(import.meta.dirname, 'golden', `history-${dialect}-${what}`);

  test('lists versions, newest first', async () => {
    const past = await openStory(dialect);
    for (const [what, ...flags] of [
      ['all.txt'],
      ['full.txt', '--full', '--limit', '2'],
      ['place.txt', 'description'],
      ['element.txt', 'schema.city'],
      ['since.txt', '--since', '2023-11-17T00:00Z'],
      ['all.json', '--format', 'json'],
      // The same versions, by a renderer that knows no dialect.
      ...(dialect === 'standard' ? [['all.md', '--format', 'markdown'] as const] : []),
    ] as const) {
      const { code, stdout, stderr } = await past.run('history', past.name, ...flags);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const command = `$ contract-sync history ${[past.name, ...flags].join(' ')}\n`;
      expectGolden(golden(what), (what.endsWith('.txt') ? command : '') + withoutIds(stdout, past));
      if (what === 'all.json') expectValid('history', JSON.parse(stdout));
    }
  });

  test('is found by the file, and through its renames', async () => {
    const past = await openStory(dialect);
    const before = await past.run('history', file);
    past.git('mv', file, 'contracts/renamed.yaml');
    past.commit({});
    const { stdout } = await past.run('history', 'contracts/renamed.yaml');
    expect(stdout).toBe(before.stdout.replace(file, 'contracts/renamed.yaml'));
    expect(stdout).toContain('not from a commit');
    expect(stdout).toContain('git ');
  });
});

// Git is the same beside either kind of catalog.
describe('in a standard catalog, the history', () => {
  test('a version that was applied before its commit is in git since that commit', async () => {
    const past = await openPast('standard');
    past.pass(day);
    past.commit({ [file]: ordersFile(past.name, 'description: Old.') });
    past.pass(day);
    const text = ordersFile(past.name, 'description: Applied first.');
    writeFileSync(join(past.folder, file), text);
    expect((await past.run('apply', '--yes')).code).toBe(0);
    expect((await past.run('history', past.name)).stdout).toContain('not from a commit');
    past.pass(day);
    past.commit({ [file]: text });
    past.pass(day);
    const commit = past.git('rev-parse', 'HEAD').slice(0, 7);
    const { stdout } = await past.run('history', past.name);
    expect(stdout).toContain(`in git since ${commit} (Ada Lovelace)`);
    const json = await past.run('history', past.name, '--format', 'json');
    expectValid('history', JSON.parse(json.stdout));
  });

  test('a retirement is from the commit that deleted the file, also once there is one again', async () => {
    const past = await openPast('standard');
    const config =
      'contracts: { include: [contracts], allowEmpty: true }\nscope: [shop.**]\nunmanaged: deprecate\n';
    const text = ordersFile(past.name, 'description: One row per order.');
    past.pass(day);
    past.commit({ [file]: text, 'contract-sync.yaml': config });
    past.pass(day);
    past.git('rm', '--quiet', file);
    past.commit({});
    const deletion = past.git('rev-parse', 'HEAD').slice(0, 7);
    past.pass(day);
    expect((await past.run('apply', '--yes')).stdout).toContain('1 applied');
    past.pass(day);
    past.commit({ [file]: text });
    const { stdout } = await past.run('history', past.name, '--limit', '1');
    expect(stdout).toContain(`git ${deletion} (Ada Lovelace)`);
  });
});

describe('where less is known', () => {
  test('a shallow clone marks no version as not from a commit', async () => {
    const past = await openStory('standard');
    past.pass(day);
    past.commit({
      'contracts/other.yaml': ordersFile('shop.sales.web.carts', 'description: Carts.'),
    });
    const clone = makeFolder();
    past.git('clone', '--quiet', '--depth', '1', `file://${past.folder}`, clone);
    const { stdout, code } = await past.runIn(clone, 'history', past.name);
    expect(code).toBe(0);
    expect(stdout).not.toContain('not from a commit');
    expect(stdout).toContain('2.0  2023-11-18 08:11 UTC  ada');
  });

  test('what no contract is called is an error, in JSON too', async () => {
    const past = await openStory('standard');
    const { code, stdout, stderr } = await past.run(
      'history',
      'shop.sales.web.order',
      '--format',
      'json',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean "shop.sales.web.orders"?');
    expectValid('history', JSON.parse(stdout));
    expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'no-such-contract' }]);
  });

  test('a place that never was is an error, and one that is gone has a history', async () => {
    const past = await openStory('standard');
    expect(await past.run('history', past.name, 'schema.town')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('[no-such-place]'),
    });
    await past.edit('mira', { schema: [{ name: 'id', dataType: 'BIGINT' }] });
    const { stdout } = await past.run('history', past.name, 'schema.city', '--limit', '1');
    expect(stdout).toContain('- schema[city]');
  });

  test('a name that rewrites the line is shown for what it is', async () => {
    const user = 'mira\u001B[2K\u202Eadmin `x`';
    const past = await openPast('standard');
    await past.edit(user, { description: 'Mine.' });
    const { stdout } = await past.run('history', past.name);
    expect(stdout).toContain(String.raw`mira\u001B[2K\u202Eadmin`);
    const markdown = await past.run('history', past.name, '--format', 'markdown');
    expect(markdown.stdout).toContain('<code>mira');
  });
});

test('a time in the future is refused: it may be one of another zone', async () => {
  const past = await openStory('standard');
  const { code, stderr } = await runInProcess(
    ['history', past.name, '--since', '2999-01-01'],
    past,
  );
  expect(code).toBe(1);
  expect(stderr).toContain('--since takes a past time; "2999-01-01" lies in the future.');
});
