import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { runInProcess } from '../support/run-program.ts';
import { contractDocument, sendJson, serve } from '../support/server.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

/** Too short to be hidden as a secret of the environment is. */
const secret = 'S3cr3t';

const commandLines = [
  ['plan', `--token=${secret}`],
  ['plan', '--token', secret],
  ['plan', '--only', 'a.**', `--token=${secret}`, '--format', 'json'],
  ['--token', secret, 'plan'],
  [`--token=${secret}`, 'apply', '--format=json'],
  ['apply', '--yes', `--Token=${secret}`],
  ['doctor', `-token=${secret}`],
  ['doctor', `\u2013token=${secret}`],
  ['validate', `--token-flie=${secret}`],
  ['doctor', `--access-token=${secret}`],
  ['login', `--bearer=${secret}`],
  ['plan', `--client-secret=${secret}`],
  ['plan', `--private-key=${secret}`],
  ['plan', `token=${secret}`],
  [`CONTRACT_SYNC_TOKEN=${secret}`, 'plan'],
];

const refused = `error: A flag can't hold a secret: others can read it. [secret-in-flag]
  Set CONTRACT_SYNC_TOKEN, CONTRACT_SYNC_CLIENT_SECRET or CONTRACT_SYNC_PRIVATE_KEY, or name a file that holds the token with --token-file. Replace a secret that is in use.
`;

test.for(commandLines)(
  'a token in %j is answered with what to do, and not repeated',
  async (args) => {
    const { code, stdout, stderr } = await runInProcess(args, { folder: makeFolder() });
    expect(code).toBe(1);
    expect(stderr).toBe(refused);
    expect(`${stdout}${stderr}`).not.toContain(secret);
  },
);

test('with --format json, the error is a document', async () => {
  for (const command of ['plan', 'apply']) {
    const args = [command, '--format', 'json', `--token=${secret}`];
    const { stdout } = await runInProcess(args, { folder: makeFolder() });
    expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'secret-in-flag' }]);
  }
});

test('what an unknown flag holds is not repeated', async () => {
  for (const flag of [`--tokn=${secret}`, `--header=a: '${secret}'`, `--pat=\n${secret}`]) {
    const args = ['plan', '--format', 'json', flag];
    const { code, stdout, stderr } = await runInProcess(args, { folder: makeFolder() });
    expect(code).toBe(1);
    expect(stderr).toContain(`Unknown option '${flag.split('=')[0]}'`);
    expect(`${stdout}${stderr}`).not.toContain(secret);
  }
});

test('a path with an equals sign is a path', async () => {
  const folder = makeFolder({ 'contracts/key=1/a.yaml': 'id: a\n' });
  expect(await runInProcess(['validate', 'contracts/key=1'], { folder })).toMatchObject({
    code: 0,
  });
});

test('a secret in the place of the name of its file is not repeated', async () => {
  for (const value of [secret, `eyJhbGciOiJIUzI1NiJ9.${secret}/${secret}`, secret.repeat(100)]) {
    const args = ['plan', '--catalog-url', 'http://127.0.0.1:1/api', '--token-file', value];
    const { code, stdout, stderr } = await runInProcess(args, { folder: makeFolder() });
    expect(code).toBe(1);
    expect(stderr).toContain('[unreadable-file]');
    expect(stderr).toContain('--token-file');
    expect(`${stdout}${stderr}`).not.toContain(secret);
  }
});

const longSecret = `${'x'.repeat(60)}.${'y'.repeat(60)}`;

async function runAgainst(args: string, live: JsonObject, token: string, file?: string) {
  const document = contractDocument(1, { fullyQualifiedName: 'shop.orders', ...live });
  const { url } = await serve((_request, response) => {
    sendJson(response, { data: [document], paging: { total: 1 } });
  });
  const folder = makeFolder(file === undefined ? {} : { 'contracts/a.yaml': file });
  const environment = accessTo({ url: url.href, token });
  return { folder, ...(await runInProcess(args.split(' '), { folder, environment })) };
}

const texts: readonly (readonly [string, string])[] = [
  ['folded', `See: ${'a blank '.repeat(9)}${longSecret}\u0007`],
  ['on its own line', `See\n${longSecret}\n`],
  ['in a long line', `See ${longSecret}.`],
];

describe('a secret in the catalog', () => {
  test.for(texts)('%s is imported into no file', async ([, description]) => {
    const { code, folder, stderr } = await runAgainst('import', { description }, longSecret);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('[secret-in-catalog]'),
    });
    expect(existsSync(join(folder, 'contracts'))).toBe(false);
  });

  test.for(texts)('%s is pulled into no file', async ([, description]) => {
    const file = 'fullyQualifiedName: shop.orders\ndescription: "d"\n';
    const { code, folder, stderr } = await runAgainst('pull', { description }, longSecret, file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('[secret-in-catalog]'),
    });
    expect(readFileSync(join(folder, 'contracts/a.yaml'), 'utf8')).toBe(file);
  });

  test.for(['text', 'markdown', 'html', 'json'])(
    'as a key is shown in no plan as %s',
    async (format) => {
      const file = 'fullyQualifiedName: shop.orders\nextension: { a: 1 }\n';
      const live = { extension: { [`see ${longSecret}`]: { [longSecret]: longSecret } } };
      const { stdout } = await runAgainst(`plan --format ${format}`, live, longSecret, file);
      expect(stdout).toContain('see ***');
      expect(stdout).not.toMatch(/x{20}|y{20}/u);
    },
  );
});
