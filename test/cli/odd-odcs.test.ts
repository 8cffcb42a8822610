import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resolveOdcs } from '../../src/config/rules.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import { readContracts } from '../../src/files/files.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { parseSeed } from '../../src/sandbox/sandbox.ts';
import { expectGolden } from '../support/golden.ts';
import { runInProcess } from '../support/run-program.ts';
import { serve as serveOpenMetadata } from '../sandbox/openmetadata/served.ts';
import { accessTo, makeFolder, serveCatalog, withoutPlace } from '../support/workspace.ts';

const config = `odcs:
  entity:
    - { when: { object.name: "skip_*" }, is: null }
    - { when: { server.project: "*", object.physicalName: "*.*" }, is: "svc.{object.physicalName}" }
    - { is: "svc.{server.database}.{server.schema}.{object.physicalName}" }
    - { is: "svc.{server.catalog}.{server.schema}.{object.physicalName}" }
    - { is: "svc.{server.project}.{server.dataset}.{object.physicalName}" }
    - { is: "svc.default.main.{object.physicalName|quote}" }
  server: production
  status: { "in development": Draft, production: Active, current: Active }
  variables: { DB: shopdb, SCHEMA: sales, NAME: World }
compatibility: { mode: none }
limits: { from: 1000 }
`;

/** As a spreadsheet's macro writes it, and an editor on Windows. */
const onWindows: ReadonlySet<string> = new Set(['windows.yaml']);

function textOf(file: string): string {
  const text = readFileSync(join(import.meta.dirname, 'odd-odcs', file), 'utf8');
  return onWindows.has(file) ? `\uFEFF${text.replaceAll('\n', '\r\n')}` : text;
}

type Dialect = 'standard' | 'openmetadata';

/** What a file declares, as people made it in the pages of a catalog before there was a file. */
async function seedFor(folder: string, dialect: Dialect) {
  const source = { file: '', line: 1, column: 1 };
  const odcs = resolveOdcs({ settings: parse(config), locate: () => source }, '2026-11-22');
  const selection = { root: folder, include: ['contracts'], exclude: [] };
  const { contracts } = await readContracts(selection, { odcs });
  const declared = contracts.map(({ identity, managed }, index) => ({
    entity: identity.entity?.fullyQualifiedName ?? '',
    managed,
    id: (kind: string) => `0${kind}000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  }));
  return {
    tables: declared.map(({ entity, managed }) => ({
      fullyQualifiedName: entity,
      columns: [...columnsOf(managed['schema']).map(bare), { name: 'added', dataType: 'INT' }],
    })),
    contracts: [
      ...(dialect === 'standard' ? [evidence] : []),
      ...declared.map(({ entity, managed, id }): JsonObject => {
        const schema = columnsOf(managed['schema']).map(asMade).toReversed();
        const isStandard = dialect === 'standard';
        return {
          id: id('a'),
          name: 'made',
          ...(isStandard && { fullyQualifiedName: `${entity}.made` }),
          entity: {
            type: 'table',
            fullyQualifiedName: entity,
            ...(isStandard && { id: id('b') }),
          },
          description: 'As made in the catalog.',
          entityStatus: statusOf(managed['entityStatus'], dialect),
          ...(schema.length > 0 && { schema }),
          sla: { timezone: 'GMT+00:00 (Europe/London)', availabilityTime: '09:00' },
        };
      }),
    ],
  };
}

/** Without a file: what tells that the catalog is a standard one. */
const evidence: JsonObject = {
  name: 'evidence',
  fullyQualifiedName: 'elsewhere.evidence',
  entityStatus: 'Active',
};

function columnsOf(schema: JsonValue | undefined): readonly JsonObject[] {
  return isArray(schema) ? schema.filter(isObject) : [];
}

function bare({ name = '', children }: JsonObject): JsonObject {
  const below = columnsOf(children).map(bare);
  return { name, dataType: 'STRING', ...(below.length > 0 && { children: below }) };
}

/** In another order, with a name for people, a size, and types of the same family. */
function asMade({ dataType = null, ...column }: JsonObject): JsonObject {
  const { description: _description, constraint: _constraint, ...rest } = column;
  const tags = [{ tagFQN: 'PII.None', source: 'Classification' }];
  const made = { ...rest, displayName: 'Made', tags };
  if (dataType === 'STRING') return { ...made, dataType: 'VARCHAR', dataLength: 18 };
  return { ...made, dataType: dataType === 'INT' ? 'BIGINT' : dataType };
}

/** Of a draft, the catalog's word for one that is being reviewed. */
function statusOf(wanted: JsonValue | undefined, dialect: Dialect): JsonValue {
  if (dialect === 'standard') return wanted ?? 'Draft';
  if (wanted === 'Active') return 'Approved';
  return wanted === undefined || wanted === 'Draft' ? 'In Review' : wanted;
}

async function open(folder: string, dialect: Dialect) {
  const { tables, contracts } = await seedFor(folder, dialect);
  if (dialect === 'standard')
    return accessTo(await serveCatalog({ seed: parseSeed(JSON.stringify(contracts), '') }));
  const served = await serveOpenMetadata({ seed: { tables, contracts } });
  return accessTo({ url: served.url, token: await served.tokenOf('admin') });
}

type Access = ReturnType<typeof accessTo>;

/** What somebody does in the catalog: to each contract the same, so that a document can say it. */
async function editAll({ CONTRACT_SYNC_URL: url, CONTRACT_SYNC_TOKEN: token }: Access) {
  const authorization = `Bearer ${token}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization, 'content-type': 'application/json-patch+json' };
    const response = await fetch(`${url}/v1/dataContracts${path}`, { headers, ...init });
    expect(response.status).toBe(200);
    const body: ReturnType<typeof JSON.parse> = await response.json();
    return body;
  };
  const { data } = await ask('?limit=100');
  for (const { id, name, schema = [] } of data) {
    if (name === 'evidence') continue;
    const patch: Patch = [
      { op: 'add', path: '/description', value: 'Pulled.' },
      { op: 'add', path: '/entityStatus', value: 'Deprecated' },
      { op: 'add', path: '/sla/retention', value: { period: 5, unit: 'year' } },
      ...(schema.length === 0
        ? []
        : ([
            { op: 'add', path: '/schema/0/description', value: 'A pulled column.' },
            {
              op: 'add',
              path: '/schema/-',
              value: { name: 'added', dataType: 'VARCHAR', dataLength: 12 },
            },
          ] as const)),
    ];
    await ask(`/${id}`, { method: 'PATCH', body: JSON.stringify(patch) });
  }
}

/** Each has something that can't be planned, and is told where. */
const broken: readonly string[] = ['broken.yaml', 'columns-as-mapping.yaml', 'other-kinds.yaml'];
/** A description has a variable, a column is an alias: no pull writes over either. */
const notWhollyPulled = new Set(['templated.yaml', 'anchors.yaml']);

const files = readdirSync(join(import.meta.dirname, 'odd-odcs'));
const golden = (file: string) => join(import.meta.dirname, 'golden', 'odd-odcs', `${file}.txt`);

function makeWith(file: string): string {
  return makeFolder({ 'contract-sync.yaml': config, [`contracts/${file}`]: textOf(file) });
}

describe.each(['standard', 'openmetadata'] as const)(
  'a file of ODCS, in the dialect %s',
  (dialect) => {
    test.for(files.filter((file) => !broken.includes(file)))(
      '%s is planned, applied, pulled, and then there is nothing to do',
      { timeout: 60_000 },
      async (file) => {
        const folder = makeWith(file);
        const environment = await open(folder, dialect);
        const world = { folder, environment };
        const run = (...args: readonly string[]) => runInProcess(args, world);
        const validated = await run('validate');
        const planned = await run('plan', '--all');
        expect(await run('apply', '--yes', '--quiet')).toMatchObject({ code: 0 });
        expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
        await editAll(environment);
        const pulled = await run('pull', '--force');
        const again = await run('plan', '--detailed-exitcode');
        const isWhole = !notWhollyPulled.has(file);
        expect([validated, planned, pulled, again].map(({ code }) => code)).toEqual(
          isWhole ? [0, 0, 0, 0] : [0, 0, 1, 2],
        );
        const told = [
          ['validate', validated],
          ['plan --all', planned],
          ['pull --force', pulled],
        ] as const;
        if (dialect === 'standard') expectGolden(golden(file), told.map(describeRun).join('\n'));
      },
    );
  },
);

type Run = Awaited<ReturnType<typeof runInProcess>>;

function describeRun([command, { stdout, stderr }]: readonly [string, Run]): string {
  return `$ contract-sync ${command}\n${withoutPlace(stdout)}${stderr}`;
}

test.for(broken)('each problem of %s is reported at its place', async (file) => {
  const validated = await runInProcess(['validate'], { folder: makeWith(file) });
  expect(validated.code).toBe(1);
  expectGolden(golden(file), describeRun(['validate', validated]));
  const json = await runInProcess(['validate', '--format', 'json'], { folder: makeWith(file) });
  const { diagnostics } = JSON.parse(json.stdout);
  for (const { source } of diagnostics) expect(source).toMatchObject({ line: expect.any(Number) });
});
