import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeProgram } from '../../src/cli/program.ts';
import { expectGolden } from '../support/golden.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, deadUrl, makeFolder, serveCatalog } from '../support/workspace.ts';

const seed = [
  {
    name: 'orders',
    fullyQualifiedName: 'shop.sales.orders',
    description: 'Old.',
    entityStatus: 'Deprecated',
    version: 0.1,
  },
];
const name = 'fullyQualifiedName: shop.sales.orders\n';
const good = `${name}description: New.\n`;
const blocked = `${name}entityStatus: Draft\n`;

type Case = {
  readonly args: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
};

/** Every command that writes JSON, and every kind of failure. */
const cases: readonly Case[] = [
  { args: 'plan' },
  { args: 'plan --page-sice 10' },
  { args: 'plan --page-size 0' },
  { args: 'plan', files: { 'contract-sync.yaml': 'limts: {}\n' } },
  { args: 'plan', files: { 'contracts/orders.yaml': 'descripton: New.\n' } },
  { args: 'plan', files: { 'contracts/orders.yaml': blocked } },
  { args: 'plan --expect-hash sha256:0' },
  { args: 'plan', environment: { CONTRACT_SYNC_TOKEN: 'wrong' } },
  { args: 'plan', environment: { CONTRACT_SYNC_URL: await deadUrl() } },
  { args: 'apply' },
  { args: 'apply --yes', files: { 'contracts/orders.yaml': blocked } },
  { args: 'apply --yes', environment: { CONTRACT_SYNC_TOKEN: 'wrong' } },
  { args: 'apply --plan contracts/orders.yaml --yes' },
  { args: 'rollback shop.sales.orders' },
  { args: 'rollback shop.sales.orders --two 1' },
  { args: 'history shop.sales.orders', environment: { CONTRACT_SYNC_TOKEN: 'wrong' } },
  { args: 'history --limt 2' },
  { args: 'downstream shop.sales.orders', environment: { CONTRACT_SYNC_TOKEN: 'wrong' } },
  { args: 'downstream --limt 2' },
  { args: 'history shop.sales.orders', environment: { CONTRACT_SYNC_URL: await deadUrl() } },
  { args: 'doctor', environment: { CONTRACT_SYNC_TOKEN: 'wrong' } },
  { args: 'doctor', files: { 'contract-sync.yaml': 'limts: {}\n' } },
  { args: 'doctor --quiet' },
  { args: 'validate' },
  { args: 'validate', files: { 'contracts/orders.yaml': 'descripton: New.\n' } },
  { args: 'validate --quiet' },
];

const schemas = {
  plan: 'plan',
  apply: 'outcomes',
  rollback: 'outcomes',
  history: 'history',
  doctor: 'examination',
  validate: 'validation',
} as const;

function schemaOf(command: string) {
  return Object.entries(schemas).find(([known]) => known === command)?.[1];
}

async function told({ args, files, environment }: Case): Promise<string> {
  const catalog = await serveCatalog({ seed });
  const world = {
    folder: makeFolder({ 'contracts/orders.yaml': good, ...files }),
    environment: { ...accessTo(catalog), ...environment },
  };
  const words = args.split(' ');
  const { code, stdout } = await runInProcess([...words, '--format', 'json'], world);
  const document: { readonly failure?: string } = JSON.parse(stdout);
  const schema = schemaOf(words[0] ?? '');
  if (schema) expectValid(schema, document);
  expect(document.failure === undefined).toBe(code === 0);
  const differs = { ...files, ...environment };
  const given = Object.entries(differs).map(([key, value]) => `# ${key}: ${value.trim()}\n`);
  const shown = given.join('').replaceAll(/127\.0\.0\.1:\d+/gu, 'HOST');
  return `${shown}$ contract-sync ${args} --format json\n${code}  ${document.failure ?? '-'}\n`;
}

test('every command that writes JSON is among them', () => {
  const silent = { write: () => undefined, report: () => undefined };
  const { commands } = describeProgram(silent, async () => undefined);
  const writing = commands.filter(({ options }) =>
    options.some(({ long, argChoices }) => long === '--format' && argChoices?.includes('json')),
  );
  const tried = new Set(cases.map(({ args }) => args.split(' ')[0]));
  expect(writing.map((command) => command.name()).filter((each) => !tried.has(each))).toEqual([]);
});

test('JSON of every command has the kind of its failure, and after a success no such member', async () => {
  const scenarios: string[] = [];
  for (const each of cases) scenarios.push(await told(each));
  expectGolden(join(import.meta.dirname, 'golden', 'failures.txt'), scenarios.join('\n'));
});

test('the report of an apply names the reason, although its plan was shown as text', async () => {
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({ 'contracts/orders.yaml': blocked });
  const world = { folder, environment: accessTo(catalog) };
  const run = await runInProcess(['apply', '--yes', '--report', 'report.json'], world);
  expect(run.code).toBe(1);
  expect(run.stderr.match(/\[[a-z-]+\]/gu)).toEqual(['[plan-errored]']);
  const report: unknown = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expectValid('outcomes', report);
  expect(report).toMatchObject({
    failure: 'policy',
    diagnostics: [{ code: 'transition-blocked' }, { code: 'plan-errored' }],
  });
});

test('an apply without a plan names the catalog that it left unchanged', async () => {
  const url = await deadUrl();
  const environment = { CONTRACT_SYNC_URL: url, CONTRACT_SYNC_TOKEN: 'a-token' };
  const world = { folder: makeFolder({ 'contracts/orders.yaml': good }), environment };
  const run = await runInProcess(['apply', '--yes', '--format', 'json'], world);
  expect(run.stderr).toMatch(new RegExp(`Nothing was applied to ${url}\\.\\n$`, 'u'));
  expect(JSON.parse(run.stdout)).toMatchObject({ catalogUrl: url, outcomes: [] });
});
