import { chmodSync, closeSync, openSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { built } from '../support/built.ts';
import { outputOf, run, start } from '../support/process.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

const secret = 'S3cr3t';

const files = {
  '.git/config': `[core]\n\tbare = false\n[http]\n\textraheader = AUTHORIZATION: basic ${secret}\n`,
  '.env': `TOKEN=${secret}\n`,
  credentials: `password: ${secret}\nname: ${secret}\n`,
  'notes.txt': `alias: *${secret}\ntag: !${secret} x\n`,
};

const environment = { CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api', CONTRACT_SYNC_TOKEN: 'a-token' };

const commands = [
  ['validate'],
  ['validate', '--format', 'json'],
  ['validate', '--format', 'github'],
  ['plan'],
  ['plan', '--format', 'json'],
  ['apply', '--yes'],
];

test.for(commands)(
  '%j shows nothing of a file that is neither a contract nor a configuration',
  async (command) => {
    for (const name of Object.keys(files)) {
      const include = JSON.stringify({ contracts: { include: [name] } });
      for (const [config, ...args] of [[include], ['{}', '--config', name]] as const) {
        const folder = makeFolder({ ...files, 'contract-sync.yaml': config });
        const run = await runInProcess([...command, ...args], { folder, environment });
        expect(run.code).toBe(1);
        expect(run.stdout + run.stderr).toContain('foreign-file');
        expect(run.stdout + run.stderr).not.toContain(secret);
      }
    }
  },
);

test('nor where a link with the name of a contract leads to it', async () => {
  const folder = makeFolder({ ...files, 'contracts/a.yaml': 'id: a\n' });
  symlinkSync('../.git/config', join(folder, 'contracts/b.yaml'));
  const { stdout } = await runInProcess(['validate'], { folder });
  expect(stdout).toContain('contracts/b.yaml:1:1');
  expect(stdout).toContain('[foreign-file]');
  expect(stdout).not.toContain(secret);
});

test('a file with a key of its kind is read under any name', async () => {
  const folder = makeFolder({
    'orders.contract': 'fullyQualifiedName: shop.orders\ndescripton: Typo.\n',
    'sync.conf': 'contracts: { include: [orders.contract] }\n',
  });
  const { stdout } = await runInProcess(['validate', '--config', 'sync.conf'], { folder });
  expect(stdout).toContain('  2 | descripton: Typo.\n');
});

test('a configuration that is a pipe is refused, and not waited for', async () => {
  for (const args of [['validate'], ['plan'], ['validate', '--config', 'other.yaml']]) {
    const folder = makeFolder({ 'contracts/a.yaml': 'id: a\n' });
    outputOf('mkfifo', [join(folder, 'contract-sync.yaml'), join(folder, 'other.yaml')]);
    const { code, stdout, stderr } = await runInProcess(args, { folder, environment });
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain('[not-a-file]');
  }
});

describe('a path that leads to no file that can be read is an error, at once', () => {
  const odd = ['pipe', 'loop', 'file/below', 'x'.repeat(5000), '/dev/zero', 'huge'];

  test.each([
    [['validate', '--config']],
    [['plan', '--token-file'], 'unreadable-file'],
    [['apply', '--yes', '--plan'], 'unreadable-file'],
    [['rollback', 'shop.orders', '--run'], 'unreadable-file'],
    [['sandbox', '--seed'], 'unreadable-file'],
  ])('%j', async (args, code = '') => {
    const folder = makeFolder({ 'contracts/a.yaml': 'id: a\n', file: '', huge: '' });
    outputOf('mkfifo', [join(folder, 'pipe')]);
    chmodSync(join(folder, 'huge'), 0o600);
    // Without blocks on the disk.
    truncateSync(join(folder, 'huge'), 2 ** 29);
    symlinkSync('loop', join(folder, 'loop'));
    for (const path of odd) {
      const run = await runInProcess([...args, path], { folder, environment });
      expect(run.code).toBe(1);
      expect(`${run.stdout}${run.stderr}`).toMatch(/ \[[a-z-]+\]\n/u);
      expect(`${run.stdout}${run.stderr}`).toContain(code);
      expect(run.stderr).not.toContain('This is a bug');
    }
  });

  test('a pipe without an end', async () => {
    const folder = makeFolder();
    outputOf('mkfifo', [join(folder, 'pipe')]);
    start('sh', ['-c', 'yes > pipe'], { cwd: folder });
    const pipe = openSync(join(folder, 'pipe'), 'r');
    onTestFinished(() => closeSync(pipe));
    const args = ['plan', '--token-file', `/dev/fd/${pipe}`];
    const { stderr } = await runInProcess(args, { folder, environment });
    expect(stderr).toContain(`Can't read the file /dev/fd/${pipe}. It is larger than 1 MiB.`);
  });

  test.each([['contract-sync.yaml'], ['contract-sync.yml']])(
    'a broken link %s, which would set rules',
    async (name) => {
      const folder = makeFolder({ 'contracts/a.yaml': 'id: a\n' });
      symlinkSync('nowhere', join(folder, name));
      const { code, stdout, stderr } = await runInProcess(['validate'], { folder });
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`).toMatch(/\[(?:unreadable-file|misnamed-config)\]/u);
    },
  );

  test.each([[['validate']], [['plan', '--format', 'json']], [['sandbox']], [['--help']]])(
    'a working directory that was deleted: %j',
    async (args) => {
      const remove = 'rmdir "$PWD" && exec "$0" "$@"';
      const program = [process.execPath, await built('cli.js'), ...args];
      const ran = await run('sh', ['-c', remove, ...program], { cwd: makeFolder() });
      expect(ran.code).toBe(1);
      expect(ran.stderr).toBe(
        "error: The working directory doesn't exist any more, or can't be read. [no-folder]\n  Go to a folder that exists (cd), and run the command again.\n",
      );
    },
  );
});

test('a configuration that is /dev/null sets nothing', async () => {
  const folder = makeFolder({ 'contracts/a.yaml': 'id: a\n', 'contract-sync.yaml': 'a: [\n' });
  const args = ['validate', '--config', '/dev/null'];
  expect(await runInProcess(args, { folder })).toMatchObject({ code: 0 });
});

test.each([
  [
    'a file of something else',
    'secrets.yaml',
    `kind: Secret\nstringData: { password: ${secret} }\n`,
  ],
  [
    'a configuration',
    'contract-sync.yaml',
    `catalog: { urll: "https://me:${secret}@a.example" }\n`,
  ],
  ['one of another name', 'sync.yaml', `catalog: { urll: "https://me:${secret}@a.example" }\n`],
])('the problems of %s are shown without its lines', async (_what, file, text) => {
  const folder = makeFolder({ 'contracts/a.yaml': 'id: a\n', [file]: text });
  const args = file === 'secrets.yaml' ? [file] : ['--config', file];
  const { code, stdout } = await runInProcess(['validate', ...args], { folder });
  expect(code).toBe(1);
  expect(stdout).toContain(`${file}:1:`);
  expect(stdout).not.toContain(secret);
});
