import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveGitHub } from '../action/github-server.ts';
import { pullRequestEvent, runAction } from '../action/run-action.ts';
import { runCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

/** Too short for what hides secrets in every output: it has to be cut out of the URL itself. */
const secret = 'S3cr3t';

const urls = [
  `https://bot:${secret}@catalog.example.com/api`,
  `https://catalog.example.com/api?token=${secret}`,
  `https://catalog.example.com/api#token=${secret}`,
  `https://bot:${secret}@catalog.example.com:port/api`,
  `https://bot:12/${secret}@catalog.example.com/api`,
  `https://bot:a/${secret}@catalog.example.com/api`,
  `https://bot:${secret}`,
  `https//bot:${secret}@catalog.example.com`,
  `bot:${secret}@catalog.example.com`,
  `https://catalog example.com/api?token=${secret}`,
  `ftp://bot:${secret}@catalog.example.com`,
];

const contract = { 'contracts/orders.yaml': 'fullyQualifiedName: shop.orders\n' };

/** One for each way to be wrong, where a run takes a process of its own. */
const fewUrls = [0, 3, 4].map((index) => urls[index] ?? '');

const networkCommands = [
  ['plan', '--out', 'plan.json'],
  ['plan', '--format', 'markdown', '--verbose'],
  ['apply', '--yes', '--report', 'report.json'],
  ['doctor', '--format', 'json'],
];
const commands = [...networkCommands, ['login'], ['logout']];

type Setting = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly config?: object;
};

/** All that the command tells, on its channels and in files. */
async function allOutput(args: readonly string[], setting: Setting): Promise<string> {
  const { flags = [], environment = {}, config = {} } = setting;
  const folder = makeFolder({ ...contract, 'contract-sync.yaml': JSON.stringify(config) });
  const run = await runInProcess([...args, ...flags], { folder, environment });
  expect(run.code).toBe(1);
  const files = ['plan.json', 'report.json'].map((file) => join(folder, file));
  const written = files.filter(existsSync).map((file) => readFileSync(file, 'utf8'));
  return [run.stdout, run.stderr, ...written].join('\n');
}

const token = { CONTRACT_SYNC_TOKEN: 'a-token' };
const access = { CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api', CONTRACT_SYNC_CLIENT_ID: 'bot' };

/** A flag, the environment and the file. */
const catalogsAt = (url: string): readonly Setting[] => [
  { flags: ['--catalog-url', url], environment: token },
  { environment: { ...token, CONTRACT_SYNC_URL: url } },
  { config: { catalog: { url } }, environment: token },
];

/** The file without a client, the environment, and the file. */
const issuersAt = (url: string): readonly Setting[] => [
  { config: { auth: { issuer: url } } },
  { environment: { ...access, CONTRACT_SYNC_ISSUER: url } },
  { config: { auth: { issuer: url } }, environment: access },
];

test.for([
  ...networkCommands.map((args) => ({ args, of: 'a catalog', settingsAt: catalogsAt })),
  ...commands.map((args) => ({ args, of: 'an issuer', settingsAt: issuersAt })),
])('$args prints no secret in the URL of $of', async ({ args, settingsAt }) => {
  for (const setting of urls.flatMap(settingsAt))
    expect(await allOutput(args, setting), JSON.stringify(setting)).not.toContain(secret);
});

test.for([
  ['doctor', '--verbose'],
  ['doctor', '--format', 'json'],
  ['plan', '--verbose'],
])('a secret in the URL of a proxy is in no output of %s', async (args) => {
  for (const url of fewUrls) {
    const proxies = { HTTPS_PROXY: url, http_proxy: url };
    const environment = { ...token, CONTRACT_SYNC_URL: access.CONTRACT_SYNC_URL, ...proxies };
    // In a process of its own, which a proxy would outlast.
    const config = { 'contract-sync.yaml': 'catalog: { timeoutSeconds: 5 }\n' };
    const run = await runCli(args, { folder: makeFolder({ ...contract, ...config }), environment });
    expect(run.code).toBe(1);
    expect(`${run.stdout}${run.stderr}`, url).not.toContain(secret);
  }
});

test('the error about a URL still names the fault', async () => {
  const says = "The catalog URL can't contain a user name or password.";
  const url = `https://bot:${secret}@catalog.example.com`;
  const flags = ['--catalog-url', `${url}/api`];
  expect(await allOutput(['plan'], { flags, environment: token })).toContain(says);
  const environment = { ...token, CONTRACT_SYNC_URL: `${url}:port/api` };
  const malformed = await allOutput(['plan', '--format', 'json'], { environment });
  expect(JSON.parse(malformed).diagnostics).toMatchObject([{ message: says }]);
});

test('a secret in a URL is in no output of the Action', async () => {
  const github = await serveGitHub();
  for (const url of fewUrls) {
    for (const inputs of [
      { 'catalog-url': url, token: 'a-token' },
      {
        'catalog-url': 'https://catalog.example.com',
        'auth-issuer': url,
        'auth-client-id': 'ci',
        'auth-client-secret': 'a-client-secret',
      },
    ]) {
      const world = { folder: makeFolder(contract), github, event: pullRequestEvent() };
      const run = await runAction({ ...world, inputs });
      expect(run.code).toBe(1);
      const told = JSON.stringify([run, github.comments]);
      expect(told).not.toContain(secret);
    }
  }
});
