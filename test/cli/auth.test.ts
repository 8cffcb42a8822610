import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientSecret, serveProvider } from '../auth/provider.ts';
import { serveTrusting } from '../auth/trusting.ts';
import { gitHubIdToken } from '../auth/github.ts';
import { sendJson, serve } from '../support/server.ts';
import { runInProcess } from '../support/run-program.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const contract = 'fullyQualifiedName: shop.orders\ndescription: All orders.\n';
const live = { name: 'orders', fullyQualifiedName: 'shop.orders', description: 'Orders.' };

describe('doctor names the owner of the token and where it comes from', () => {
  test('of a token in the environment', async () => {
    const catalog = await serveCatalog();
    const { code, stdout } = await runInProcess(['doctor'], {
      folder: makeFolder(),
      environment: accessTo(catalog),
    });
    expect(code).toBe(0);
    expect(stdout).toContain(
      'owner admin; method static-token, because CONTRACT_SYNC_TOKEN is set;',
    );
  });

  test('of a client with a secret, set up by the configuration file', async () => {
    const { issuer } = await serveProvider();
    const folder = makeFolder({
      'contract-sync.yaml': `auth: { issuer: "${issuer}", clientId: post, method: client-secret-post }\n`,
    });
    const environment = {
      CONTRACT_SYNC_CLIENT_SECRET: clientSecret,
      CONTRACT_SYNC_URL: 'http://localhost:1/api',
    };
    const { stdout } = await runInProcess(['doctor'], { folder, environment });
    expect(stdout).toContain(
      'owner post; method client-secret-post, because auth.method is client-',
    );
    expect(stdout).toContain(
      `client post; issued by ${issuer}; for https://catalog.test/api; expires`,
    );
  });

  test('of a workflow that GitHub gives an ID token', async () => {
    const { issuer } = await serveProvider();
    const gitHub = await serve(({ query, headers }, response) => {
      const isKnown = headers.authorization === 'Bearer runner-token';
      if (!isKnown) return sendJson(response, {}, 401);
      void gitHubIdToken(query.get('audience') ?? '').then((value) =>
        sendJson(response, { value }),
      );
    });
    const folder = makeFolder({
      'contract-sync.yaml': 'auth: { clientId: exchange, method: github-token-exchange }\n',
    });
    const { stdout, stderr } = await runInProcess(['doctor', '--verbose'], {
      folder,
      environment: {
        CONTRACT_SYNC_ISSUER: issuer,
        CONTRACT_SYNC_URL: 'http://localhost:1/api',
        ACTIONS_ID_TOKEN_REQUEST_URL: `${gitHub.url.href}?api-version=2`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner-token',
      },
    });
    expect(stdout).toContain('owner exchange; method github-token-exchange');
    expect(stderr).toMatch(
      /Token: issued by http:.* \(github-token-exchange\), valid for \d+ s\./u,
    );
    expect(gitHub.received.map(({ path }) => path)).toEqual([
      `/api?api-version=2&audience=${encodeURIComponent(issuer)}`,
    ]);
  });
});

test('a person logs in, plans, and logs out', async () => {
  const provider = await serveProvider({ intervalSeconds: 0.02 });
  const catalog = await serveTrusting(provider.issuer, { seed: [live] });
  const folder = makeFolder({
    'contract-sync.yaml': `auth: { issuer: "${provider.issuer}", clientId: person, scope: openid offline_access contracts }\n`,
    'contracts/orders.yaml': contract,
  });
  const environment = {
    XDG_STATE_HOME: join(folder, 'state'),
    CONTRACT_SYNC_URL: catalog,
  };
  const world = { folder, environment };
  const before = await runCli(['plan'], world);
  expect(before).toMatchObject({ code: 1, stdout: '' });
  expect(before.stderr).toContain('Run: contract-sync login');

  const child = startCli(['login'], world);
  const told: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told.push(text);
    const [code] = /(?<=the code )\S+/u.exec(text) ?? [];
    if (code !== undefined) void provider.approve(code);
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(told.join('')).toContain(`${provider.issuer}/device?user_code=`);
  expect(told.join('')).toContain('Logged in');

  expect((await runCli(['plan', '--detailed-exitcode'], world)).code).toBe(2);
  const who = await runCli(['doctor'], world);
  expect(who.stdout).toContain('owner ada; method device-login, because an issuer is set');
  expect((await runCli(['logout'], world)).stderr).toContain('The issuer revoked');
  expect((await runCli(['plan'], world)).code).toBe(1);
});

test('Ctrl-C ends a login with 130', async () => {
  const provider = await serveProvider();
  const auth = `auth: { issuer: "${provider.issuer}", clientId: person }\n`;
  const child = startCli(['login'], { folder: makeFolder({ 'contract-sync.yaml': auth }) });
  child.stderr.on('data', () => child.kill('SIGINT'));
  expect(await once(child, 'close')).toEqual([130, null]);
});

test.each([
  [
    'a file that others may read',
    ['plan', '--token-file', 'loose'],
    'loose-permissions',
    'chmod 600',
  ],
  ['no such file', ['plan', '--token-file', 'none'], 'unreadable-file', '--token-file'],
  ['no issuer to log in at', ['login'], 'auth-incomplete', 'auth.issuer'],
  ['no client', ['login', '--config', 'issuer.yaml'], 'auth-incomplete', 'auth.clientId'],
  ['an issuer in the open', ['plan', '--config', 'open.yaml'], 'invalid-issuer', 'https://'],
  ['an issuer that is no URL', ['plan', '--config', 'no-url.yaml'], 'invalid-issuer', 'https://'],
  [
    'a method without its secret',
    ['plan', '--config', 'basic.yaml'],
    'auth-incomplete',
    'CONTRACT_SYNC_CLIENT_SECRET',
  ],
  [
    'a method of GitHub elsewhere',
    ['plan', '--config', 'github.yaml'],
    'auth-incomplete',
    'id-token: write',
  ],
  ['no token at all', ['plan'], 'no-token', 'auth.issuer'],
])('%s', async (_, args, code, hint) => {
  const auth = 'auth: { issuer: "https://id.test", clientId: a, method: ';
  const folder = makeFolder({
    loose: 's3cret-s3cret',
    'issuer.yaml': 'auth: { issuer: "https://id.test" }\n',
    'open.yaml': 'auth: { issuer: "http://id.test", clientId: a }\n',
    'no-url.yaml': 'auth: { issuer: id, clientId: a }\n',
    'basic.yaml': `${auth}client-secret-basic }\n`,
    'github.yaml': `${auth}github-client-assertion }\n`,
  });
  const environment = { CONTRACT_SYNC_URL: 'https://catalog.test/api', HOME: folder };
  const run = await runInProcess(args, { folder, environment });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain(`[${code}]`);
  expect(run.stderr).toContain(hint);
});

test('the sandbox takes a further token from a file', async () => {
  const folder = makeFolder({ token: 'opaque-token\n' });
  chmodSync(join(folder, 'token'), 0o600);
  const child = startCli(['sandbox', '--port', '0', '--token-file', 'token'], { folder });
  const [text]: string[] = await once(child.stdout.setEncoding('utf8'), 'data');
  const [, url = ''] = /CONTRACT_SYNC_URL=(\S+)/u.exec(text ?? '') ?? [];
  const files = makeFolder({ 'contracts/orders.yaml': contract });
  const world = { folder: files, environment: { CONTRACT_SYNC_TOKEN: 'opaque-token' } };
  expect(await runCli(['plan', '--catalog-url', url], world)).toMatchObject({ stderr: '' });
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
});
