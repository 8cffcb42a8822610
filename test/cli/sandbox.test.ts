import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { run, start } from '../support/process.ts';
import { root } from '../support/root.ts';
import { preloading, runCli, startCli } from '../support/run-cli.ts';
import { makeFolder, withoutPlace } from '../support/workspace.ts';
import { expectGolden } from '../support/golden.ts';

const seed = JSON.stringify([{ name: 'orders', fullyQualifiedName: 'shop.orders' }]);

/** Starts the command and waits for what it tells; it is stopped with Ctrl-C. */
async function serve(args: readonly string[], folder: string, isEdited = false) {
  const child = startCli(['sandbox', '--port', '0', ...args], { folder });
  const told = new Map<string, string>();
  const shown: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name = '', value = ''] = /export (\w+)=(.+)/u.exec(line) ?? [];
    told.set(name, value);
    if (line.includes('curl') || shown.length > 0) shown.push(line);
    if (line.includes(isEdited ? '--data' : 'contract-sync plan')) break;
  }
  const stop = async (): Promise<unknown> => {
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    return code;
  };
  return {
    url: told.get('CONTRACT_SYNC_URL') ?? '',
    token: told.get('CONTRACT_SYNC_TOKEN') ?? '',
    command: shown.join('\n'),
    stop,
  };
}

async function totalAt(url: string, token: string): Promise<unknown> {
  const answer = await fetch(`${url}/v1/dataContracts?limit=0`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.ok ? JSON.parse(await answer.text()).paging.total : answer.status;
}

test.each([
  ['standard', undefined],
  ['openmetadata', '1.12.6'],
])(
  'prints the URL of a %s catalog and a ready token, and stops on Ctrl-C',
  async (dialect, version) => {
    const folder = makeFolder({ 'seed.json': seed });
    const args = ['--dialect', dialect, '--seed', 'seed.json', '--token', 'made-up-token'];
    const sandbox = await serve(args, folder);
    const release = await fetch(`${sandbox.url}/v1/system/version`);
    expect(await release.json()).toMatchObject(version === undefined ? { code: 401 } : { version });
    expect(await totalAt(sandbox.url, sandbox.token)).toBe(1);
    expect(await totalAt(sandbox.url, 'made-up-token')).toBe(1);
    expect(await totalAt(sandbox.url, 'another-token')).toBe(401);
    expect(await sandbox.stop()).toBe(0);
  },
);

const example = join(import.meta.dirname, '..', '..', 'examples', 'openmetadata', 'catalog.json');

test.each([
  ['standard', seed],
  ['openmetadata', readFileSync(example, 'utf8')],
])('of kind %s, prints a command that edits a contract by hand', async (dialect, content) => {
  const folder = makeFolder({ 'seed.json': content });
  const sandbox = await serve(['--dialect', dialect, '--seed', 'seed.json'], folder, true);
  const { url, token } = sandbox;
  const env = { PATH: process.env['PATH'], CONTRACT_SYNC_URL: url, CONTRACT_SYNC_TOKEN: token };
  const { stdout } = await run('sh', ['-c', sandbox.command], { env });
  expect(JSON.parse(stdout)).toMatchObject({ description: 'Edited by hand.' });
  expect(await sandbox.stop()).toBe(0);
});

test('Ctrl-C stops it from its first word on', async () => {
  const interruptedByItself = `
    const { stdout } = process;
    const { write } = stdout;
    stdout.write = (text) => {
      stdout.write = write;
      stdout.write(text);
      process.kill(process.pid, 'SIGINT');
    };`;
  const run = await runCli(['sandbox', '--port', '0'], {
    folder: makeFolder(),
    environment: preloading(interruptedByItself),
  });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('contract-sync plan') });
  expect(run.stdout).toContain('It holds no contracts; `--seed FILE` gives it some.');
});

test.for([
  { args: ['--dialect', 'openmetadata', '--seed', 'broken.json'], says: 'broken.json' },
  { args: ['--port', '70000'], says: '--port takes a whole number from 0 to 65535' },
  { args: ['--seed', 'broken.json'], says: 'broken.json' },
])('$args ends with one clear message', async ({ args, says }) => {
  const run = await runCli(['sandbox', ...args], { folder: makeFolder({ 'broken.json': '{' }) });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain(says);
  expect(run.stderr).not.toMatch(/^\s+at /mu);
});

test('a port that is taken ends with the way to a free one', async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const run = await runCli(['sandbox', '--port', String(port)], { folder: makeFolder() });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('choose another with --port; --port 0 takes any free one');
});

test.each([
  ['in the clone', 'npm --silent start -- plan --no-base'],
  ['elsewhere', `npm --silent --prefix ${root} start -- plan`],
])('from the sources, the line to paste runs %s', async (where, line) => {
  const elsewhere = makeFolder({ 'contracts/orders.yaml': '' });
  const folder = where === 'elsewhere' ? elsewhere : join(root, 'examples', 'quickstart');
  const args = [join(root, '.ci', 'start.ts'), 'sandbox', '--port', '0'];
  const child = start(process.execPath, args, { env: { ...process.env, INIT_CWD: folder } });
  const lines: string[] = [];
  for await (const each of createInterface({ input: child.stdout })) {
    lines.push(each.trim());
    if (each.includes(' -- plan')) break;
  }
  expect(lines.at(-1)).toBe(line);
});

test.each([
  ['standard', [], 'demo.txt'],
  ['openmetadata', ['--dialect', 'openmetadata'], 'demo-openmetadata.txt'],
])('the demo of %s plans, applies and ends with nothing left to do', async (_, flags, golden) => {
  const { code, stdout, stderr } = await runCli(['demo', ...flags], { folder: root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expectGolden(join(import.meta.dirname, 'golden', golden), withoutPlace(stdout));
});

test('as npx runs it, the demo names npx', async () => {
  const { stdout } = await runCli(['demo'], { folder: root, environment: { npm_command: 'exec' } });
  expect(stdout).toMatch(/^ {2}npx contract-sync sandbox --seed /mu);
});

test('what a clone prints can be pasted there: the catalog that the demo names, and its plan', async () => {
  const { PATH } = process.env;
  const demo = await run('npm', ['run', 'demo'], { cwd: root, env: { PATH } });
  const [, folder = '', serve = ''] = /run plan in (\S+), .*\n(.*)\n$/u.exec(demo.stdout) ?? [];
  let written = '';
  const sandbox = start('sh', ['-c', `${serve} --port 0`], { cwd: root, env: { PATH } });
  for await (const chunk of sandbox.stdout) {
    written += String(chunk);
    if (written.includes('plan --no-base\n\nTo edit ')) break;
  }
  expect(written).toContain(`In another terminal, in ${join(root, folder)}:\n`);
  const [lines = ''] = /export [^]*plan --no-base\n/u.exec(written) ?? [];
  const plan = await run('sh', ['-c', lines], { cwd: join(root, folder), env: { PATH } });
  expect(plan.stdout).toContain('Plan: 5 to update');
});
