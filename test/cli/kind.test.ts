/** Which kind of catalog a run has; what each answer means is in `test/catalog/kind.test.ts`. */

import { expect, onTestFinished, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { makeContract, serve as serveOpenMetadata } from '../sandbox/openmetadata/served.ts';
import { type Fault, startFaultyProxy } from '../support/faulty-proxy.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const file = 'fullyQualifiedName: shop.sales.orders\nentityStatus: Active\n';

type World = {
  readonly config?: string;
  /** Of a contract that has no file. */
  readonly status?: string;
  /** What the question for the release meets. */
  readonly fault?: Fault['how'];
};

/** A standard catalog, and the requests that come to it. */
async function open({ config = '', status = 'Draft', fault }: World = {}) {
  const seed = [
    { name: 'orders', fullyQualifiedName: 'shop.sales.orders', entityStatus: 'Draft' },
    { name: 'items', fullyQualifiedName: 'shop.sales.items', entityStatus: status },
  ];
  const catalog = await serveCatalog({ seed });
  const proxy = await startFaultyProxy(catalog.url);
  onTestFinished(proxy.close);
  const requests: string[] = [];
  proxy.behave(({ method, path }) => {
    requests.push(`${method} ${path}`);
    if (fault === undefined || !path.endsWith('/system/version')) return undefined;
    return { moment: 'before commit', how: fault };
  });
  const folder = makeFolder({ 'contract-sync.yaml': config, 'contracts/orders.yaml': file });
  const environment = accessTo({ url: proxy.url, token: catalog.token });
  const run = (...args: string[]) => runInProcess(args, { folder, environment });
  const plan = async (): Promise<Plan> => {
    const made: Plan = JSON.parse((await run('plan', '--format', 'json')).stdout);
    expectValid('plan', made);
    return made;
  };
  const timesAsked = () => requests.filter((line) => line.endsWith('/system/version')).length;
  return { run, plan, requests, timesAsked };
}

test('a catalog without a release needs no setting, and each run requests the release once', async () => {
  const { run, plan, timesAsked } = await open();
  expect(await plan()).toMatchObject({ dialect: { name: 'standard' }, diagnostics: [] });
  const commands = ['apply --yes', 'history orders', 'pull --check', 'import --check'];
  for (const command of commands)
    expect(await run(...command.split(' '))).toMatchObject({ stderr: '' });
  expect(timesAsked()).toBe(1 + commands.length);
});

test('a file is applied to OpenMetadata in the words of that catalog', async () => {
  const served = await serveOpenMetadata();
  const contract = await makeContract(served, { entityStatus: 'Draft' });
  const folder = makeFolder({
    'contracts/orders.yaml': `id: ${contract.id}\nentityStatus: Active\n`,
  });
  const world = { folder, environment: accessTo(served) };
  const { stdout } = await runInProcess(['plan', '--format', 'json'], world);
  expect(JSON.parse(stdout).dialect).toEqual({ name: 'openmetadata', release: '1.12.6' });
  expect(await runInProcess(['apply', '--yes'], world)).toMatchObject({ code: 0 });
  expect(await contract.read()).toMatchObject({ entityStatus: 'Approved' });
});

test('plans and histories say that a catalog which fails at the question counts as standard', async () => {
  const { run, plan } = await open({ fault: 500 });
  expect((await plan()).diagnostics).toMatchObject([{ code: 'dialect-assumed' }]);
  expect((await run('history', 'orders')).stderr).toContain('[dialect-assumed]');
});

test('a listed status of another kind ends the run before anything is planned or sent', async () => {
  const config = 'catalog: { dialect: openmetadata }\n';
  const { run, plan, requests, timesAsked } = await open({ config, status: 'Active' });
  expect(await plan()).toMatchObject({
    errored: true,
    contracts: [],
    diagnostics: [
      {
        code: 'dialect-contradicted',
        message: expect.stringContaining('shop.sales.items is Active'),
        hint: expect.stringContaining('`catalog: { dialect: standard }`'),
      },
    ],
  });
  expect((await run('apply', '--yes')).code).toBe(1);
  expect(requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
  expect(timesAsked()).toBe(0);
});
