import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectGolden } from '../golden.ts';
import { expectValid } from '../schema.ts';
import { openPast, ordersFile, type Past, type PastDialect, pastDialects } from '../past.ts';

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

  test.for([
    ['all.txt', []],
    ['since.txt', ['--since', '2023-11-17T00:00Z']],
    ['all.md', ['--format', 'markdown']],
    ['all.json', ['--format', 'json']],
    ['all.html', ['--format', 'html']],
  ] as const)('says how much comes from git: %s', async ([what, flags]) => {
    const past = await openYear(dialect);
    const { code, stdout, stderr } = await past.run('audit', ...flags);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectGolden(golden(what), what.endsWith('html') ? contentOf(stdout) : stdout);
    if (what.endsWith('json')) expectValid('audit', JSON.parse(stdout));
  });

  test('tells of a history that it cannot read, and fails', async () => {
    const past = await openYear(dialect);
    const { code, stdout, stderr } = await past.runWith(await past.withoutHistory(), 'audit');
    expect(code).toBe(1);
    expect(stderr).toContain('[history-unreadable]');
    expect(stdout).toContain('0 contracts have files');
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
