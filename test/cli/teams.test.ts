import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const live = (name: string, description = 'As it was.') => ({
  name: name.split('.').at(-1) ?? '',
  fullyQualifiedName: name,
  version: 0.1,
  entityStatus: 'Active',
  description,
});

const seed = [
  live('warehouse.sales.orders'),
  live('warehouse.sales.refunds'),
  live('warehouse.crm.people'),
  live('warehouse.other.logs'),
];

const fileOf = (name: string, description = 'As it was.'): string =>
  `fullyQualifiedName: ${name}\ndescription: ${description}\n`;

const twoTeams = `
teams:
  sales: { include: sales/contracts, scope: ["warehouse.sales.**"] }
  crm: { include: [crm/contracts], scope: ["warehouse.crm.**"] }
`;

const files = {
  'contract-sync.yaml': twoTeams,
  'sales/contracts/orders.yaml': fileOf('warehouse.sales.orders', 'New.'),
  'crm/contracts/people.yaml': fileOf('warehouse.crm.people', 'New.'),
};

async function open(changes: Readonly<Record<string, string>> = {}) {
  const { folder, run, plan } = await openWorld(seed, { ...files, ...changes });
  return { folder, run, plan: (...args: readonly string[]) => plan('--all', ...args) };
}

const retiring = { 'contract-sync.yaml': `unmanaged: deprecate\n${twoTeams}` };

const inBrief = ({ contracts }: Plan): string[] =>
  contracts.map(
    ({ action, team = '-', fullyQualifiedName = '?' }) =>
      `${team}: ${action} ${fullyQualifiedName}`,
  );

const problemsOf = ({ contracts, diagnostics }: Plan) => [
  ...diagnostics,
  ...contracts.flatMap((each) => ('problems' in each ? each.problems : [])),
];

test('one run plans each team, and reports of unmanaged contracts those in a scope', async () => {
  const { plan } = await open();
  const made = await plan();
  expect(made.errored).toBe(false);
  expect(inBrief(made)).toEqual([
    'crm: update warehouse.crm.people',
    'sales: update warehouse.sales.orders',
    'sales: unmanaged warehouse.sales.refunds',
  ]);
});

test('each team that changes has a heading on a page', async () => {
  const { run } = await open({
    'shared/all.yaml': fileOf('warehouse.other.logs', 'New.'),
    'contract-sync.yaml': `contracts: { include: [shared] }\n${twoTeams}`,
    'crm/contracts/people.yaml': fileOf('warehouse.crm.people'),
  });
  const { stdout } = await run('plan', '--format', 'markdown');
  expect(stdout.match(/^###.*/gmu)).toEqual(['### Contracts', '### sales']);
  expect(stdout).toMatch(/### Contracts\n[^#]*other\.logs[^#]*### sales\n[^#]*sales\.orders/u);
  const page = await run('plan', '--format', 'html');
  expect(page.stdout).toContain('<h2>sales</h2>');
});

test('a file that claims a contract of another team is an error with its line', async () => {
  const stolen = `# Not ours.\n${fileOf('warehouse.crm.people', 'Taken.')}`;
  const changes = {
    'sales/contracts/people.yaml': stolen,
    'crm/contracts/people.yaml': 'fullyQualifiedName: warehouse.crm.all',
  };
  const { plan, run } = await open(changes);
  const { stdout } = await run('validate');
  expect(stdout).toMatch(/people\.yaml:2:.*outside-scope/u);
  expect(stdout).toContain('3 files, 1 error; 2 contracts without errors.');
  const made = await plan();
  expect(made.errored).toBe(true);
  expect(problemsOf(made)).toContainEqual(
    expect.objectContaining({
      code: 'outside-scope',
      message: 'This contract is in the scope of the team crm, and this file is not.',
      source: expect.objectContaining({ file: 'sales/contracts/people.yaml', line: 2 }),
    }),
  );
});

test('a team plans and retires its own contracts alone', async () => {
  const { plan, run } = await open(retiring);
  const made = await plan('--team', 'crm');
  expect(inBrief(made)).toEqual(['crm: update warehouse.crm.people']);
  expect(made.selection).toMatchObject({ team: 'crm', leftOut: expect.any(Array) });
  const { code } = await run('apply', '--team', 'crm', '--yes');
  expect(code).toBe(0);
  const left = await plan();
  expect(inBrief(left)).toEqual([
    'crm: unchanged warehouse.crm.people',
    'sales: update warehouse.sales.orders',
    'sales: update warehouse.sales.refunds',
  ]);
});

test('a broken file of another team stops nothing but retirements', async () => {
  const { plan } = await open({
    ...retiring,
    'crm/contracts/people.yaml': 'description: [\n',
  });
  const made = await plan('--team', 'sales');
  expect(made.errored).toBe(false);
  expect(inBrief(made)).toEqual([
    'sales: update warehouse.sales.orders',
    'sales: unmanaged warehouse.sales.refunds',
  ]);
});

test('an unknown team is an error that suggests the nearest one', async () => {
  const { run } = await open();
  const { code, stderr, stdout } = await run('plan', '--team', 'slaes');
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('The configuration has no team "slaes".');
  expect(stdout + stderr).toContain('sales');
  const none = await open({ 'contract-sync.yaml': '' });
  const without = await none.run('plan', '--team', 'sales');
  expect(without.stdout + without.stderr).toContain(
    'Remove --team, or define the team under `teams`.',
  );
});

test('a team whose folder was removed retires nothing', async () => {
  const { plan, folder } = await open(retiring);
  rmSync(join(folder, 'sales/contracts'), { recursive: true });
  expect(await plan()).toMatchObject({
    errored: true,
    contracts: [],
    diagnostics: [{ severity: 'error' }],
  });
});

test('a file in the folders of two teams is an error', async () => {
  const config = twoTeams.replace('[crm/contracts]', '["*/contracts/*.yaml"]');
  const { plan, run } = await open({ 'contract-sync.yaml': config });
  const made = await plan();
  expect(made.errored).toBe(true);
  expect(made.diagnostics).toMatchObject([
    {
      message: 'This file is in the folders of two teams, sales and crm.',
      source: { file: 'sales/contracts/orders.yaml' },
    },
  ]);
  const { code } = await run('validate');
  expect(code).toBe(1);
});

test('paths and a team do not go together', async () => {
  const { run } = await open();
  const { code, stderr } = await run('plan', '--team', 'sales', 'crm/contracts');
  expect(code).toBe(1);
  expect(stderr).toContain('--team takes no paths');
});

test.each([
  'contracts: { include: [sales/contracts] }\nunmanaged: deprecate\nscope: ["warehouse.sales.**"]\n',
  'unmanaged: deprecate\nteams: { sales: { include: sales/contracts, scope: ["warehouse.sales.**"] } }\n',
])('a pull retires nothing, so it names what a missing contract may be now: %j', async (config) => {
  const schema = [{ name: 'total', dataType: 'INT' }];
  const moved = { ...live('warehouse.sales.archive.lost'), schema };
  const lost = 'fullyQualifiedName: warehouse.sales.lost\nschema: [{ name: sum, dataType: INT }]\n';
  const lostFiles = { 'contract-sync.yaml': config, 'sales/contracts/lost.yaml': lost };
  const { stdout, stderr } = await (await openWorld([moved], lostFiles)).run('pull');
  expect(stdout + stderr).toContain('Did you mean "warehouse.sales.archive.lost"');
});

test('an import puts new files into the folder of their team', async () => {
  const { run, plan } = await open({
    'contract-sync.yaml': twoTeams.replace('[crm/contracts]', '["crm/*/*.yaml"]'),
  });
  const { code, stdout } = await run('import');
  expect(code).toBe(0);
  expect(stdout.match(/^\+ \S+/gmu)).toEqual(['+ sales/contracts/refunds.yaml']);
  expect(inBrief(await plan())).toContain('sales: unchanged warehouse.sales.refunds');
});

test.each(['plan', 'validate', 'import', 'init'])(
  'at the root of folders with configurations, %s names them and says what to do',
  async (command) => {
    const folder = makeFolder({
      'sales/contract-sync.yaml': 'scope: ["warehouse.sales.**"]\n',
      'sales/contracts/orders.yaml': fileOf('warehouse.crm.people'),
      'teams/crm/contract-sync.yaml': '',
      'docs/contract-sync.yaml/notes.md': 'A folder of this name configures nothing.\n',
    });
    const environment = { CONTRACT_SYNC_URL: 'http://127.0.0.1:9', CONTRACT_SYNC_TOKEN: 'token' };
    const { code, stdout, stderr } = await runInProcess([command], { folder, environment });
    const text = (stdout + stderr).replaceAll(/\s+/gu, ' ');
    expect(code).toBe(1);
    expect(text).toContain(
      'There is no contract-sync.yaml here; the ones below are in sales, teams/crm.',
    );
    expect(text).toContain('`config`: sales/contract-sync.yaml');
    expect(existsSync(join(folder, 'contract-sync.yaml'))).toBe(false);
  },
);

test('a configuration above folders with their own is the one that is read', async () => {
  const { run } = await open({ 'contract-sync.yaml': '', 'sales/contract-sync.yaml': '' });
  const { stdout, stderr } = await run('validate');
  expect(stdout + stderr).not.toContain('There is no contract-sync.yaml');
});

test('--config with a contract-sync.yaml reads the folder of that file', async () => {
  const folder = makeFolder({
    'sales/contract-sync.yaml': 'scope: ["warehouse.sales.**"]\n',
    'sales/contracts/orders.yaml': fileOf('warehouse.crm.people'),
  });
  const args = ['validate', '--config', 'sales/contract-sync.yaml'];
  const { code, stdout } = await runInProcess(args, { folder });
  expect(code).toBe(1);
  expect(stdout).toContain('sales/contracts/orders.yaml:1:1: error: This contract is outside');
});
