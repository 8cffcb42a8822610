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
  readonly name: string;
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

test.for(networkCommands)('%s prints no secret in the URL of a catalog', async (args) => {
  const token = { CONTRACT_SYNC_TOKEN: 'a-token' };
  for (const url of urls) {
    const settings: readonly Setting[] = [
      { name: 'a flag', flags: ['--catalog-url', url], environment: token },
      { name: 'the environment', environment: { ...token, CONTRACT_SYNC_URL: url } },
      { name: 'the file', config: { catalog: { url } }, environment: token },
    ];
    for (const setting of settings) {
      expect(await allOutput(args, setting), `${setting.name}: ${url}`).not.toContain(secret);
    }
  }
});

test.for(commands)('%s prints no secret in the URL of an issuer', async (args) => {
  const access = { CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api', CONTRACT_SYNC_CLIENT_ID: 'bot' };
  for (const url of urls) {
    const settings: readonly Setting[] = [
      { name: 'without a client', config: { auth: { issuer: url } } },
      { name: 'the environment', environment: { ...access, CONTRACT_SYNC_ISSUER: url } },
      { name: 'the file', config: { auth: { issuer: url } }, environment: access },
    ];
    for (const setting of settings) {
      expect(await allOutput(args, setting), `${setting.name}: ${url}`).not.toContain(secret);
    }
  }
});

test.for([
  ['doctor', '--verbose'],
  ['doctor', '--format', 'json'],
  ['plan', '--verbose'],
])('a secret in the URL of a proxy is in no output of %s', async (args) => {
  const access = { CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api', CONTRACT_SYNC_TOKEN: 'a-token' };
  for (const url of fewUrls) {
    const environment = { ...access, HTTPS_PROXY: url, http_proxy: url };
    // In a process of its own, which a proxy would outlast.
    const config = { 'contract-sync.yaml': 'catalog: { timeoutSeconds: 5 }\n' };
    const run = await runCli(args, { folder: makeFolder({ ...contract, ...config }), environment });
    expect(run.code).toBe(1);
    expect(`${run.stdout}${run.stderr}`, url).not.toContain(secret);
  }
});

test('the error about a URL still names the fault', async () => {
  const told = await allOutput(['plan'], {
    name: 'a flag',
    flags: ['--catalog-url', `https://bot:${secret}@catalog.example.com/api`],
    environment: { CONTRACT_SYNC_TOKEN: 'a-token' },
  });
  expect(told).toContain("The catalog URL can't contain a user name or password.");
  const malformed = await allOutput(['plan', '--format', 'json'], {
    name: 'the environment',
    environment: {
      CONTRACT_SYNC_TOKEN: 'a-token',
      CONTRACT_SYNC_URL: `https://bot:${secret}@catalog.example.com:port/api`,
    },
  });
  expect(JSON.parse(malformed).diagnostics).toMatchObject([
    { message: "The catalog URL can't contain a user name or password." },
  ]);
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
