import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { root } from '../support/root.ts';
import { serveCatalog } from '../support/workspace.ts';
import { listLive, openWorld, type World } from './review-world.ts';
import { expectSoundWorkflow } from './workflow-checks.ts';

const example = join(root, 'examples', 'monorepo');
const read = (...path: readonly string[]): string => readFileSync(join(example, ...path), 'utf8');
const workflows = {
  plan: read('.github', 'workflows', 'contract-sync-plan.yml'),
  apply: read('.github', 'workflows', 'contract-sync-apply.yml'),
};
const config = read('contract-sync.yaml');
const teams = Object.keys(parse(config).teams);
const tables = [...Array.from({ length: 24 }, (_, at) => `t${at}`), 'ledger'];

const fileOf = (team: string, table: string, description = 'Old.') => ({
  [`${team}/contracts/${table}.yaml`]: `fullyQualifiedName: warehouse.${team}.${table}\ndescription: ${description}\n`,
});

const seedOf = (warehouse: string) =>
  teams.flatMap((team) =>
    tables.map((name) => ({
      name,
      fullyQualifiedName: `${warehouse}.${team}.${name}`,
      description: 'Old.',
      entityStatus: 'Active',
      version: 0.1,
    })),
  );

/** The inputs that each job of the matrix gives the Action, with the sandboxes for the catalogs. */
function jobsOf(kind: keyof typeof workflows, catalogs: Readonly<Record<string, Sandbox>>) {
  const { [kind]: job } = parse(workflows[kind]).jobs;
  const inputs = job.steps[1].with;
  expect(inputs).toMatchObject({
    command: kind,
    environment: '${{ matrix.environment }}',
    'catalog-url': "${{ vars[format('CATALOG_URL_{0}', matrix.environment)] }}",
  });
  return job.strategy.matrix.environment.map((environment: string) => {
    const { url = '', token = '' } = catalogs[environment] ?? {};
    return { command: kind, environment, 'catalog-url': url, token };
  });
}

async function openMonorepo() {
  const [dev, prod] = await Promise.all(
    ['warehouse_dev', 'warehouse'].map((name) => serveCatalog({ seed: seedOf(name) })),
  );
  if (!dev || !prod) throw new Error('A sandbox is missing');
  const world = await openWorld({ names: [], config });
  const all = teams.flatMap((team) => tables.map((table) => fileOf(team, table)));
  world.write(Object.assign({}, ...all));
  world.git('commit', '--quiet', '-m', 'All contracts');
  const catalogs = { dev, prod };
  const plan = async (number: number) => {
    const runs = [];
    for (const inputs of jobsOf('plan', catalogs)) runs.push(await world.plan(number, inputs));
    return runs;
  };
  return { world, catalogs, plan };
}

async function describedIn(catalog: Sandbox): Promise<readonly string[]> {
  const changed = (await listLive(catalog)).filter(
    ({ document }) => document['description'] !== 'Old.',
  );
  return changed.map(({ fullyQualifiedName = '' }) => fullyQualifiedName).toSorted();
}

const commentsOf = ({ github }: World, number: number): readonly string[] =>
  github.comments.filter(({ pull }) => pull === number).map(({ body }) => body);

const lines = (text: string): number => text.trimEnd().split('\n').length;

test('eight teams and two catalogs need at most 40 lines of configuration and 60 of workflow', () => {
  expect(teams).toHaveLength(8);
  expect(lines(config)).toBeLessThanOrEqual(40);
  expect(lines(workflows.plan + workflows.apply)).toBeLessThanOrEqual(60);
  for (const text of Object.values(workflows)) expectSoundWorkflow(text);
});

test('200 contracts of 8 teams are planned and applied in two catalogs, with one comment for each', async () => {
  const { world, catalogs, plan } = await openMonorepo();
  world.openPull(7, { ...fileOf('sales', 't1', 'New.'), ...fileOf('crm', 't2', 'New.') });
  for (const run of await plan(7)) {
    expect(run).toMatchObject({ code: 0, outputs: { updates: '2', unchanged: '198' } });
  }
  const comments = commentsOf(world, 7);
  expect(comments.map((body) => body.match(/^### .*/gmu))).toEqual([
    ['### crm', '### sales'],
    ['### crm', '### sales'],
  ]);
  expect(comments[0]).toContain('warehouse_dev.crm.t2');
  expect(comments[1]).toContain('warehouse.sales.t1');
  world.merge(7);
  for (const inputs of jobsOf('apply', catalogs)) {
    const run = await world.apply({ inputs: { ...inputs, 'expect-hash': 'approved' } });
    expect(run).toMatchObject({ code: 0, outputs: { applied: '2' } });
  }
  expect(await describedIn(catalogs.dev)).toEqual([
    'warehouse_dev.crm.t2',
    'warehouse_dev.sales.t1',
  ]);
  expect(await describedIn(catalogs.prod)).toEqual(['warehouse.crm.t2', 'warehouse.sales.t1']);
});
