import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

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
  ['plan', `token=${secret}`],
  [`CONTRACT_SYNC_TOKEN=${secret}`, 'plan'],
];

test.for(commandLines)(
  'a token in %j is answered with what to do, and not repeated',
  async (args) => {
    const { code, stdout, stderr } = await runInProcess(args, { folder: makeFolder() });
    expect(code).toBe(1);
    expect(stderr).toContain('[secret-in-flag]');
    expect(stderr).toContain(
      'Set CONTRACT_SYNC_TOKEN, or name a file that holds it with --token-file.',
    );
    expect(`${stdout}${stderr}`).not.toContain(secret);
  },
);

test('other secrets have other places', async () => {
  for (const [flag, variable] of [
    ['--client-secret', 'CONTRACT_SYNC_CLIENT_SECRET'],
    ['--private-key', 'CONTRACT_SYNC_PRIVATE_KEY'],
  ]) {
    const args = ['plan', `${flag}=${secret}`];
    const { stderr } = await runInProcess(args, { folder: makeFolder() });
    expect(stderr).toContain(`Set ${variable}.`);
    expect(stderr).not.toContain(secret);
  }
});

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
