import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Examination } from '../../src/doctor/examine.ts';
import { record } from '../support/recorder.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog, withoutPlace } from '../support/workspace.ts';

const seed = [{ name: 'orders', fullyQualifiedName: 'shop.orders', entityStatus: 'Active' }];

test('doctor prints its findings line by line, and sends only GET requests', async () => {
  const catalog = await serveCatalog({ seed });
  const { url, requests } = await record(catalog.url);
  const { code, stdout, stderr } = await runInProcess(['doctor'], {
    folder: makeFolder(),
    environment: accessTo({ ...catalog, url }),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`✓ url         ${url}, from CONTRACT_SYNC_URL
✓ proxy       none
✓ token       owner admin; method static-token, because CONTRACT_SYNC_TOKEN is set; doesn't say when it expires
✓ list        can list contracts: 1
✓ clock       agrees with the catalog's within 1 s
✓ dialect     standard, because its server names no release (status 404)
              Add \`catalog: { dialect: standard }\` to the configuration, and no run asks.
! files       there is no contract file yet
              \`contract-sync import\` writes one for each live contract.
`);
  expect(requests.map((line) => line.split(' ')[0])).toEqual(['GET', 'GET']);
});

test('a failed check ends the examination with 1, in JSON too', async () => {
  const catalog = await serveCatalog({ seed });
  const token = await catalog.issueToken({ subject: 'nobody', permissions: [] });
  const world = {
    folder: makeFolder(),
    environment: { CONTRACT_SYNC_URL: catalog.url, CONTRACT_SYNC_TOKEN: token },
  };
  const text = await runInProcess(['doctor'], world);
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(/^✗ list {8}The owner of the access token lacks the permission/mu);
  const { code, stdout } = await runInProcess(['doctor', '--format', 'json'], world);
  const examination: Examination = JSON.parse(stdout);
  expectValid('examination', examination);
  expect(code).toBe(1);
  expect(examination.errored).toBe(true);
  expect(examination.checks.at(-1)).toMatchObject({ subject: 'list', verdict: 'bad' });
});

test('it names the sources of the URL and the token, and warns where two disagree', async () => {
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({
    'contract-sync.yaml': `environments: { dev: { catalog: { url: ${catalog.url} } } }\n`,
    'token.txt': catalog.token,
  });
  chmodSync(join(folder, 'token.txt'), 0o600);
  const doctor = async (environment: Record<string, string>, ...flags: string[]) =>
    withoutPlace((await runInProcess(['doctor', ...flags], { folder, environment })).stdout);

  const token = { CONTRACT_SYNC_TOKEN: catalog.token };
  expect(await doctor({ ...token, CONTRACT_SYNC_ENV: 'dev' })).toContain(
    '✓ url         http://127.0.0.1:PORT/api, from `catalog.url` of environment dev; environment dev, from CONTRACT_SYNC_ENV\n✓ proxy',
  );
  const url = `${catalog.url}/elsewhere`;
  const shown = withoutPlace(url);
  expect(await doctor({ ...token, CONTRACT_SYNC_URL: url }, '--env', 'dev')).toContain(
    `✓ url         ${shown}, from CONTRACT_SYNC_URL; environment dev, from --env
! url         This run uses CONTRACT_SYNC_URL (${shown}), not \`catalog.url\` of environment dev (http://127.0.0.1:PORT/api).
              If http://127.0.0.1:PORT/api is meant, correct CONTRACT_SYNC_URL.
`,
  );
  const both = { CONTRACT_SYNC_ENV: 'dev', CONTRACT_SYNC_TOKEN: 'another' };
  expect(await doctor(both, '--token-file', 'token.txt')).toContain(
    'method static-token, because token.txt is set;',
  );
});

test.for<{ name: string; environment: Record<string, string>; last: RegExp }>([
  { name: 'no catalog URL', environment: {}, last: /^✗ url /mu },
  {
    name: 'no token',
    environment: { CONTRACT_SYNC_URL: 'http://127.0.0.1:65535' },
    last: /^✗ token /mu,
  },
  {
    name: 'a URL to which no token may go',
    environment: { CONTRACT_SYNC_URL: 'http://catalog.example.com' },
    last: /^✗ url .*unencrypted/mu,
  },
  {
    name: 'a proxy that is none',
    environment: { CONTRACT_SYNC_URL: 'http://127.0.0.1:65535', HTTPS_PROXY: 'socks5://proxy' },
    last: /^✗ proxy /mu,
  },
])('$name is one failed check', async ({ environment, last }) => {
  const { code, stdout, stderr } = await runInProcess(['doctor'], {
    folder: makeFolder(),
    environment,
  });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(last);
  expect(stdout.match(/✗/gu)).toHaveLength(1);
});
