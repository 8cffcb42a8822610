import fastJsonPatch from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { type Answering, idOf, sendJson, serve } from '../support/server.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { makeFolder } from '../support/workspace.ts';
import { patchOf as patchOfChanges } from '../../src/plan/change.ts';

type Catalog = {
  readonly contracts: readonly JsonObject[];
  /** Answers `GET /v1/system/version`; without it there is none. */
  readonly version?: Answering;
  readonly config?: string;
  readonly files: Readonly<Record<string, string>>;
};

/** A server of no kind in particular: it stores whatever it is sent. */
async function open({ contracts, version, config = '', files }: Catalog) {
  const stored = new Map<JsonValue | undefined, JsonObject[]>(
    contracts.map((each) => [each['id'], [each]]),
  );
  const statuses: (JsonValue | undefined)[] = [];
  const server = await serve((request, response) => {
    const [path = ''] = request.path.split('?');
    const [, id = '', part] = /\/dataContracts\/([^/]+)(\/versions)?$/u.exec(path) ?? [];
    const [live, ...earlier] = stored.get(id) ?? [];
    if (path.endsWith('/system/version') && version) return version(request, response);
    if (path.endsWith('/dataContracts')) {
      const data = [...stored.values()].flatMap(([newest]) => newest ?? []);
      return sendJson(response, { data, paging: { total: data.length } });
    }
    if (!live) return sendJson(response, {}, 404);
    if (part !== undefined) {
      const versions = [live, ...earlier].map((each) => JSON.stringify(each));
      return sendJson(response, { entityType: 'dataContract', versions });
    }
    if (request.method === 'GET') return sendJson(response, live);
    const before: JsonObject = structuredClone(live);
    const patch = JSON.parse(request.body);
    const { newDocument } = fastJsonPatch.applyPatch(before, patch, true, false);
    const number = Number(live['version']) + 0.1;
    const next: JsonObject = {
      ...newDocument,
      version: number,
      updatedAt: Number(live['updatedAt']) + 1,
    };
    if (next['entityStatus'] !== live['entityStatus']) statuses.push(next['entityStatus']);
    stored.set(id, [next, live, ...earlier]);
    return sendJson(response, next);
  });
  const named = Object.entries(files).map(([name, text]) => [`contracts/${name}.yaml`, text]);
  const folder = makeFolder({
    'contract-sync.yaml': `limits: { from: 100 }\n${config}`,
    ...Object.fromEntries(named),
  });
  const environment = { CONTRACT_SYNC_URL: server.url.href, CONTRACT_SYNC_TOKEN: 'token' };
  const run = (...args: string[]) => runInProcess(args, { folder, environment });
  const plan = async (...args: string[]): Promise<Plan> => {
    const made: Plan = JSON.parse((await run('plan', '--all', '--format', 'json', ...args)).stdout);
    expectValid('plan', made);
    return made;
  };
  const asked = () => server.received.filter(({ path }) => path.includes('/system/version')).length;
  const listed = () => server.received.filter(({ path }) => path.includes('/dataContracts')).length;
  return { folder, run, plan, asked, listed, statuses };
}

function contract(name: string, entityStatus: string, more: JsonObject = {}): JsonObject {
  return {
    id: idOf(name.length),
    name,
    fullyQualifiedName: `shop.sales.${name}.dataContract_${name}`,
    entity: {
      id: idOf(100 + name.length),
      type: 'table',
      fullyQualifiedName: `shop.sales.${name}`,
    },
    entityStatus,
    description: 'Old.',
    version: 0.1,
    updatedAt: 1_700_000_000_000,
    ...more,
  };
}

const fileOf = (name: string, ...lines: readonly string[]): string =>
  `${[`fullyQualifiedName: shop.sales.${name}.dataContract_${name}`, ...lines].join('\n')}\n`;

const says =
  (version: string, revision?: string): Answering =>
  (_, response) =>
    sendJson(response, { version, ...(revision !== undefined && { revision }) });
const isOpenMetadata = says('1.12.6', 'abc');

function patchOf({ contracts }: Plan, name: string) {
  const found = contracts.find((each) => each.name === name);
  return found?.action === 'update' ? patchOfChanges(found.changes) : undefined;
}

const activate = { ab: fileOf('ab', 'entityStatus: Active') };
const rows = [contract('ab', 'Draft'), contract('abc', 'Draft')];
const answers =
  (status: number): Answering =>
  (_, response) =>
    sendJson(response, {}, status);

describe('a catalog that nobody has configured', () => {
  test('and that has no release works without any setting, asked once a run', async () => {
    const { run, plan, asked, statuses } = await open({ contracts: rows, files: activate });
    expect(await plan()).toMatchObject({ dialect: { name: 'standard' }, diagnostics: [] });
    expect(asked()).toBe(1);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect([statuses, asked()]).toEqual([['Active'], 2]);
    for (const args of [
      ['history', 'ab'],
      ['pull', '--check'],
      ['import', '--check'],
    ])
      expect((await run(...args)).stderr).toBe('');
    expect(asked()).toBe(5);
  });

  test('and that is OpenMetadata gets its words', async () => {
    const { run, plan, statuses } = await open({
      contracts: rows,
      version: isOpenMetadata,
      files: activate,
    });
    expect((await plan()).dialect).toEqual({ name: 'openmetadata', release: '1.12.6' });
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(statuses).toEqual(['Approved']);
  });

  test.each([
    ['standard', undefined],
    ['openmetadata', isOpenMetadata],
  ])('is planned for as one that is configured as %s', async (name, version) => {
    const lifecycle = 'lifecycle: { transitions: [{ from: Draft, to: Deprecated, rule: warn }] }\n';
    const schema = [{ name: 'a', dataType: 'INT', dataLength: 1 }];
    const contracts = [contract('ab', 'Draft'), contract('abc', 'Draft', { schema })];
    const files = {
      ab: fileOf('ab', 'entityStatus: Deprecated'),
      abc: fileOf('abc', 'schema: [{ name: a, dataType: INT }]'),
    };
    const shared = { contracts, files, ...(version && { version }) };
    const asked = await open({ ...shared, config: lifecycle });
    const config = `catalog: { dialect: ${name} }\n${lifecycle}`;
    const configured = await open({ ...shared, config });
    const [one, other] = [await asked.plan(), await configured.plan()];
    expect(one.contracts).toEqual(other.contracts);
    expect([one.planHash, configured.asked()]).toEqual([other.planHash, 0]);
  });

  test('and that fails at the question counts as standard, which plans and histories say', async () => {
    const { run, plan } = await open({ contracts: rows, version: answers(500), files: activate });
    expect((await plan()).diagnostics).toMatchObject([{ code: 'dialect-assumed' }]);
    expect((await run('history', 'ab')).stderr).toContain('[dialect-assumed]');
  });

  test('and that refuses the token ends in that error', async () => {
    const server = await serve((_, response) => sendJson(response, {}, 401));
    const folder = makeFolder({ 'contracts/ab.yaml': activate.ab });
    const environment = { CONTRACT_SYNC_URL: server.url.href, CONTRACT_SYNC_TOKEN: 'token' };
    const { code, stdout } = await runInProcess(['plan', '--format', 'json'], {
      folder,
      environment,
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'unauthorized' }]);
  });
});

describe('a listed status that contradicts the kind', () => {
  test.each<[string, Answering | undefined, string, string]>([
    ['a release', isOpenMetadata, '', 'Active'],
    ['a setting', isOpenMetadata, 'catalog: { dialect: standard }\n', 'Approved'],
  ])(
    'by %s ends the run before anything is planned or sent',
    async (_, version, config, status) => {
      const contracts = [...rows, contract('abcd', status)];
      const files = { ab: fileOf('ab', 'description: New.') };
      const { run, plan, statuses, listed } = await open({
        contracts,
        config,
        files,
        ...(version && { version }),
      });
      const other = status === 'Active' ? 'standard' : 'openmetadata';
      expect(await plan()).toMatchObject({
        errored: true,
        contracts: [],
        diagnostics: [
          {
            code: 'dialect-contradicted',
            message: expect.stringContaining(`shop.sales.abcd.dataContract_abcd is ${status}`),
            hint: expect.stringContaining(`\`catalog: { dialect: ${other} }\``),
          },
        ],
      });
      const { code } = await run('apply', '--yes');
      expect([code, listed(), statuses]).toEqual([1, 2, []]);
    },
  );
});

test.each(['standard', 'openmetadata'])('nothing is asked where %s is set', async (name) => {
  const { plan, asked } = await open({
    contracts: rows,
    version: answers(500),
    config: `catalog: { dialect: ${name} }\n`,
    files: activate,
  });
  const value = name === 'standard' ? 'Active' : 'Approved';
  expect(patchOf(await plan(), 'ab')).toMatchObject([{ value }]);
  expect(asked()).toBe(0);
});
