/** Values made to hang or crash: in every text of a contract, through every command. */

import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { contractDocument, sendJson, serve } from '../support/server.ts';
import { commitFirst } from '../support/git-folder.ts';
import { rounds } from '../support/rounds.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

const length = 100_000;

/** One character or token over and over, and something else at the end. */
function pump(piece: string, end = 'x'): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + end;
}

const characters = ' \n\t1a-.,:/\\"\'`*_#<>[]{(&!%@$~\u0301\u200d\u2028\u0085';
const tokens =
  `1_|a |- |# |a: |\${A}|\${A:-|[a](|<a |<!--|&a |*a |"a|''|\\"|1:|1.|a.|a/|😀|(1,| a\n|\n- |\n#|\n\n |\r\n`.split(
    '|',
  );
const texts = [
  ...Array.from(characters, (piece) => pump(piece)),
  ...tokens.map((piece) => pump(piece)),
  ...[' ', '\n', '1', '/'].map((piece) => pump(piece, '')),
];

/** A contract for each field that holds text. */
const fields: readonly ((text: string) => JsonObject)[] = [
  (description) => ({ description }),
  (displayName) => ({ displayName }),
  (entityStatus) => ({ entityStatus }),
  (name) => ({ owners: [{ id: 'u', type: 'user', name }] }),
  (rule) => ({ semantics: [{ name: 'r', description: 'd', rule }] }),
  (name) => ({ semantics: [{ name, description: 'd', rule: 'a' }] }),
  (name) => ({ schema: [{ name, dataType: 'INT' }] }),
  (dataType) => ({ schema: [{ name: 'a', dataType }] }),
  (constraint) => ({ schema: [{ name: 'a', dataType: 'INT', constraint }] }),
  (description) => ({ schema: [{ name: 'a', dataType: 'INT', description }] }),
  (availabilityTime) => ({ sla: { availabilityTime, timezone: 'UTC' } }),
  (timezone) => ({ sla: { availabilityTime: '08:30', timezone } }),
  (unit) => ({ sla: { retention: { period: 1, unit } } }),
  (text) => ({ extension: { text } }),
  (key) => ({ extension: { [key]: 1 } }),
];

type World = {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
};

const plain: JsonObject = {
  description: 'd',
  extension: { a: 1 },
  schema: [{ name: 'a', dataType: 'INT' }],
};

/** A repository of harmless contracts, and a catalog in which each has become hostile. */
async function openWorld(hostile: readonly JsonObject[]): Promise<World> {
  const live = hostile.map((fields, index) =>
    contractDocument(index, { ...named(plain, index), ...fields, version: 0.2 }),
  );
  const answer = (path: string): JsonValue => {
    const [, id, rest = ''] = /dataContracts\/([\w-]+)(.*)/u.exec(path) ?? [];
    const document = live.find((each) => each['id'] === id);
    if (!document) return { data: live, paging: { total: live.length } };
    const before = { ...document, ...plain, version: 0.1, updatedAt: 0 };
    if (rest === '/versions/0.1') return before;
    if (rest !== '/versions') return document;
    const versions = [document, before].map((each) => JSON.stringify(each));
    return { entityType: 'dataContract', versions };
  };
  const { url } = await serve(({ path }, response) => sendJson(response, answer(path)));
  const folder = makeFolder(filesOf(hostile.map(() => plain)));
  commitFirst(folder);
  return { folder, environment: accessTo({ url: url.href, token: 'a.b.c' }) };
}

function named(fields: JsonObject, index: number): JsonObject {
  return { fullyQualifiedName: `shop.sales.web.c${index}`, ...fields };
}

/** JSON is YAML. */
function filesOf(contracts: readonly JsonObject[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    contracts.map((fields, index) => [
      `contracts/c${index}.yaml`,
      Object.entries(named(fields, index))
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
        .join(''),
    ]),
  );
}

/** The same texts where ODCS has them. */
function odcsFiles(contracts: readonly JsonObject[]): Readonly<Record<string, string>> {
  const texts = contracts.map((fields) => JSON.stringify(fields));
  return Object.fromEntries(
    contracts.map(({ description = 'd', schema, sla, ...rest }, index) => {
      const document = {
        apiVersion: 'v3.2.0',
        kind: 'DataContract',
        id: String(index),
        version: '1.0.0',
        name: `${texts[index]}`,
        description: { purpose: description },
        schema: [{ name: 't', properties: schema, description: texts[index] }],
        slaProperties: [{ property: 'retention', value: texts[index], unit: sla }],
        ...rest,
      };
      return [`contracts/c${index}.odcs.yaml`, JSON.stringify(document)];
    }),
  );
}

/** What took more than two seconds of work, or is a bug. */
async function faultsWith(hostile: readonly JsonObject[]): Promise<readonly string[]> {
  const world = await openWorld(hostile);
  const faults: string[] = [];
  const run = async (command: string, files?: Readonly<Record<string, string>>) => {
    const where = files ? { ...world, folder: makeFolder(files) } : world;
    const start = process.cpuUsage();
    const { stdout, stderr } = await runInProcess(command.split(' '), where);
    const { user, system } = process.cpuUsage(start);
    const seconds = (user + system) / 1e6;
    const bug = /RangeError|bug in contract-sync/u.exec(stdout + stderr)?.[0] ?? '';
    if (seconds > 2 || bug) faults.push(`${command}: ${seconds.toFixed(1)} s ${bug}`);
  };
  const openMetadata = { 'contract-sync.yaml': 'catalog: { dialect: openmetadata }\n' };
  await run('validate', filesOf(hostile));
  await run('validate', { ...filesOf(hostile), ...openMetadata });
  await run('validate', odcsFiles(hostile));
  await run('plan', filesOf(hostile));
  await run('import', {});
  await run('import --format odcs', {});
  await run('pull', { ...filesOf(hostile.map(() => plain)), ...openMetadata });
  const names = hostile.map((_, index) => `shop.sales.web.c${index}`);
  for (const format of ['markdown', 'html', 'github']) await run(`plan --format ${format}`);
  for (const name of names.slice(0, 6)) await run(`history ${name}`);
  await run('doctor');
  await run(`rollback --to 0.1 ${names.join(' ')}`);
  await run('apply --yes');
  await run('pull');
  return faults;
}

test('a harmless contract takes what loading the program takes, and leaves it loaded', async () => {
  await faultsWith([plain]);
});

// PROPERTY_ROUNDS=10 tries them all.
const step = Math.ceil(texts.length / rounds(8));
const tried = texts.filter((_, index) => index % step === 0);

test.for(
  tried.map((text) => [JSON.stringify(`${text.slice(0, 8)}…${text.slice(-2)}`), text] as const),
)('%s in any text', async ([, text]) => {
  expect(await faultsWith(fields.map((field) => field(text)))).toEqual([]);
});

function nest(levels: number, wrap: (value: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

function many<Item>(amount: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: amount }, (_, index) => make(index));
}

const nested = [150, 900, 2500].map((levels) => [
  [`${levels} mappings`, { extension: { a: nest(levels, (a) => ({ a })) } }],
  [`${levels} lists`, { extension: { a: nest(levels, (a) => [a]) } }],
  [
    `${levels} columns`,
    { schema: [nest(levels / 2, (child) => ({ name: 'a', children: [child] }))] },
  ],
  [`${levels} lists in a rule`, { semantics: [{ name: 'r', rule: nest(levels, (a) => [a]) }] }],
  [`${levels} lists in an unknown field`, { unknown: nest(levels, (a) => [a]) }],
]);
const wide = [
  ['130,000 lines', { description: 'line\n'.repeat(130_000) }],
  ['3,000 keys', { extension: Object.fromEntries(many(3000, (key) => [`k${key}`, key])) }],
  ['20,000 items', { extension: { a: many(20_000, (item) => item) } }],
  ['1,000 columns', { schema: many(1000, (n) => ({ name: `c${n}`, constraint: 'UNIQUE' })) }],
  ['1,000 columns of one name', { schema: many(1000, () => ({ name: 'c', dataType: 'INT' })) }],
  ['1,000 rules', { semantics: many(1000, (n) => ({ name: `r${n}`, rule: 'a' })) }],
];

test.for([...nested.flat(), ...wide] as [string, JsonObject][])('%s', async ([, fields]) => {
  expect(await faultsWith([fields])).toEqual([]);
});

test('patterns and exceptions by the thousand', async () => {
  const amount = 3000;
  const live = many(amount, (index) =>
    contractDocument(index, { ...named(plain, index), entityStatus: 'Active' }),
  );
  const { url } = await serve((_request, response) =>
    sendJson(response, { data: live, paging: { total: amount } }),
  );
  const rules = many(
    amount,
    (index) => `  - { contract: shop.sales.web.c${index}, rule: column-removed, reason: agreed }\n`,
  );
  const none = many(
    1000,
    (index) => `  - { contract: shop.sales.wob.d${index}, rule: column-removed, reason: agreed }\n`,
  );
  const folder = makeFolder({
    'contracts/all.yaml': many(
      amount,
      (index) =>
        `fullyQualifiedName: shop.sales.web.c${index}\nschema: [{ name: b, dataType: TEXT }]\n`,
    ).join('---\n'),
    'contract-sync.yaml': `ignore: ["${'/**'.repeat(6)}/zz"]\nallow:\n${rules.join('')}${none.join('')}`,
  });
  const start = process.cpuUsage();
  const environment = accessTo({ url: url.href, token: 'a.b.c' });
  const { code, stdout } = await runInProcess(
    ['plan', '--allow-limit', 'updates', '--reason', 'agreed'],
    { folder, environment },
  );
  const { user, system } = process.cpuUsage(start);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${amount} to update`),
  });
  expect((user + system) / 1e6).toBeLessThan(10);
});
