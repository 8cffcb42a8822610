import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem } from '../../src/core/diagnostic.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { type ContractPlan, contractProblems } from '../../src/plan/plan.ts';
import { type Case, type Edit, edits, type People, usual } from './openmetadata-edits.ts';
import { rules } from './openmetadata-world.ts';
import { openWorld, resultsOf, type World } from '../openmetadata/world.ts';
import { everything, idOf, makeContract, type Served } from '../sandbox/openmetadata/served.ts';
import { root } from '../support/root.ts';

/** Milliseconds: longer than a session. */
const elevenMinutes = 660_000;

const moments = ['outside', 'inside'] as const;
type Moment = (typeof moments)[number];

type Verdict = Readonly<Record<Moment, string>>;
const verdicts = new Map<Edit, Verdict>();

test.each(edits.map((edit) => [edit.section, edit.name, edit] as const))(
  '%s, %s: is stored, or refused by the plan',
  async (_, __, edit) => {
    const verdict = await verdictOn(edit);
    for (const moment of moments) expect(verdict[moment]).toMatch(/^(?:stored|blocked)/u);
  },
);

/** Whichever test asks first, each edit is tried once. */
async function verdictOn(edit: Edit): Promise<Verdict> {
  const verdict = verdicts.get(edit) ?? {
    outside: await judge(edit, 'outside'),
    inside: await judge(edit, 'inside'),
  };
  verdicts.set(edit, verdict);
  return verdict;
}

/** What all cases of an edit come to. */
async function judge({ cases }: Edit, moment: Moment): Promise<string> {
  const world = await openOrders();
  const people = await findPeople(world);
  const all = new Set<string>();
  for (const each of cases) {
    const { to, stored } = each;
    const managed = contentOf(to, people);
    if (!each.creates) await prepare(each, moment, world, people);
    const found = await judgeFile(fileOf(managed), world, async () => {
      expectStored(await readOrders(world), stored ?? managed);
    });
    all.add(found);
    const { body } = await world.ask('GET', '/dataContracts');
    for (const { id } of body.data)
      await world.ask('DELETE', `/dataContracts/${id}?hardDelete=true`);
  }
  return [...all].join('; ');
}

/** The contract as it is before the edit. */
async function prepare(
  { from = {} }: Case,
  moment: Moment,
  world: World,
  people: People,
): Promise<void> {
  const contract = await makeContract(world, { ...usual, ...contentOf(from, people) });
  // The first edit of a contract is always a version of its own; the second begins a session.
  await contract.patch([{ op: 'add', path: '/termsOfUse', value: { content: 'Ours.' } }]);
  if (moment === 'outside') world.pass(elevenMinutes);
}

/** Planned, applied, read and planned again. */
async function judgeFile(
  text: string,
  world: World,
  expectIt: () => Promise<void>,
): Promise<string> {
  const run = { rules: { lifecycle: rules.lifecycle, create: true } };
  const plan = await world.plan([text], run);
  const [planned] = plan.contracts;
  if (plan.errored) return `blocked: ${codesOf([...plan.diagnostics, ...problemsOf(planned)])}`;
  expect(plan.diagnostics).toEqual([]);
  expect(['update', 'create']).toContain(planned?.action);
  expect(resultsOf(await world.apply(plan, run))).toEqual(['applied']);
  await expectIt();
  const next = await world.plan([text], run);
  expect(next.contracts).toMatchObject([{ action: 'unchanged' }]);
  const isCarried =
    planned && 'changes' in planned && planned.changes.some(({ carrier }) => carrier);
  return isCarried ? 'stored, carried by displayName' : 'stored';
}

function problemsOf(planned: ContractPlan | undefined): readonly Problem[] {
  return planned ? contractProblems(planned) : [];
}

/** JSON is YAML. */
function fileOf(managed: JsonObject): string {
  const entity = { type: 'table', fullyQualifiedName: 'shop.sales.web.orders' };
  return JSON.stringify({ name: 'orders', entity, ...managed });
}

async function readOrders(world: World): Promise<JsonObject> {
  const name = 'shop.sales.web.orders.dataContract_orders';
  return (await world.ask('GET', `/dataContracts/name/${name}${everything}`)).body;
}

function contentOf(content: Case['from'] & {}, people: People): JsonObject {
  return typeof content === 'function' ? content(people) : content;
}

function codesOf(problems: readonly { readonly code: string }[]): string {
  return problems.map(({ code }) => code).join(', ');
}

/** What a reader of the catalog finds, in words of its own where it has added some. */
function expectStored(stored: JsonObject, managed: JsonObject): void {
  for (const [field, value] of Object.entries(managed)) {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (isEmpty) expect(stored[field] ?? []).toEqual([]);
    else expect(stored).toMatchObject({ [field]: value });
  }
}

async function openOrders(): Promise<World> {
  const users = ['ada', 'mira'].map((name) => ({ name }));
  const tier = { name: 'tier', description: 'How good it is.', type: 'string' };
  const columns = [
    { name: 'id', dataType: 'BIGINT' },
    { name: 'amount', dataType: 'DECIMAL' },
    { name: 'address', dataType: 'STRUCT' },
  ];
  return openWorld({
    seed: {
      users,
      teams: [{ name: 'crew', users: ['ada'] }],
      tables: [{ fullyQualifiedName: 'shop.sales.web.orders', columns }],
      properties: [tier],
    },
  });
}

async function findPeople(served: Served): Promise<People> {
  return {
    ada: { type: 'user', id: await idOf(served, 'users', 'ada') },
    mira: { type: 'user', id: await idOf(served, 'users', 'mira') },
    crew: { type: 'team', id: await idOf(served, 'teams', 'crew') },
  };
}

const readme = join(root, 'src/catalog/products/openmetadata/README.md');
const title = '## What becomes of an edit in OpenMetadata';

test('the table of the dialects holds the result of each edit', async () => {
  const text = readFileSync(readme, 'utf8');
  const start = text.indexOf(title);
  const next = text.indexOf('\n## ', start + title.length);
  const end = next === -1 ? text.length : next + 1;
  const table = await renderTable();
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(readme, text.slice(0, start) + table + text.slice(end));
  } else {
    expect(text.slice(start, end)).toBe(table);
  }
});

async function renderTable(): Promise<string> {
  const rows: string[] = [];
  for (const edit of edits) {
    const { outside, inside } = await verdictOn(edit);
    rows.push(`| ${edit.section} | ${edit.name} | ${outside} | ${inside} |`);
  }
  return [
    title,
    '',
    introduction,
    '',
    '| part | edit | later | in a session |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const introduction = `Made by \`test/apply/openmetadata-edits.test.ts\`: each edit is planned, applied, read again and planned
once more, within the ten minutes in which the server makes one version of the edits of a user, and later.
\`stored\`: the patch was applied, a read shows it, and the next plan is empty. \`carried\`: the server would
have forgotten it alone, so a display name that is the contract's name went along.`;
