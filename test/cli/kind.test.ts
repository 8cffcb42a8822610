import fastJsonPatch from 'fast-json-patch';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { contractProblems, type Plan } from '../../src/plan/plan.ts';
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
  return { folder, run, plan, asked, statuses };
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
const isDown: Answering = (_, response) => sendJson(response, {}, 503);

/** The action of each contract by its name, with the doubt if there is one. */
function actions({ contracts }: Plan): Record<string, string> {
  return Object.fromEntries(
    contracts.map((each) => {
      const isDoubtful = contractProblems(each).some(({ code }) => code === 'dialect-doubtful');
      return [each.name ?? '', isDoubtful ? `${each.action}, doubtful` : each.action];
    }),
  );
}

function patchOf({ contracts }: Plan, name: string) {
  const found = contracts.find((each) => each.name === name);
  return found?.action === 'update' ? patchOfChanges(found.changes) : undefined;
}

const activate = { ab: fileOf('ab', 'entityStatus: Active') };

describe('without evidence', () => {
  test.for<[string, Answering | undefined, string]>([
    ['no release', undefined, 'names no release of OpenMetadata'],
    ['an empty version', says('', 'abc'), 'names no release of OpenMetadata'],
    ['a version without a revision', says('1.12.6'), 'names no release of OpenMetadata'],
    ['a server that is down', isDown, "release of its server can't be read (status 503)"],
    ['a release that is too old', says('1.9.3', 'abc'), 'its server is OpenMetadata 1.9.3'],
  ])('and with %s, what would differ is blocked and the rest applied', async ([, version, why]) => {
    const { plan, run, statuses } = await open({
      contracts: [
        contract('ab', 'Draft'),
        contract('abc', 'Deprecated'),
        contract('abcd', 'Draft'),
      ],
      ...(version && { version }),
      config: 'scope: ["shop.**"]\nunmanaged: deprecate\n',
      files: { ...activate, abc: fileOf('abc', 'description: New.') },
    });
    const made = await plan();
    expect(made.dialect).toBeUndefined();
    expect(actions(made)).toEqual({ ab: 'blocked, doubtful', abc: 'update', abcd: 'update' });
    const [problem] = made.contracts.flatMap(contractProblems);
    expect(problem).toMatchObject({
      code: 'dialect-doubtful',
      message: expect.stringContaining(why),
      hint: expect.stringContaining('`catalog: { dialect: standard }`'),
      source: { file: 'contracts/ab.yaml', line: 1 },
    });
    expect((await run('apply', '--yes')).stdout).toContain('Apply: 2 applied');
    expect(statuses).toEqual(['Deprecated']);
    expect(actions(await plan())).toMatchObject({ abc: 'unchanged' });
  });

  test('a release that is too old is said', async () => {
    const { plan } = await open({ contracts: [], version: says('1.9.3', 'abc'), files: activate });
    expect((await plan()).diagnostics).toMatchObject([
      { code: 'release-unsupported', severity: 'warning' },
    ]);
  });

  test.for<[string, JsonObject, string]>([
    ['a status that is removed', {}, 'entityStatus: null'],
    ['a status of OpenMetadata', {}, 'entityStatus: Approved'],
    [
      'a default that is removed',
      { schema: [{ name: 'a', dataLength: 1 }] },
      'schema: [{ name: a }]',
    ],
    ['a field of OpenMetadata', {}, 'termsOfUse: Be kind.'],
    [
      'what needs a carrier',
      { sla: {}, schema: [{ name: 'a' }] },
      'schema: [{ name: a, description: A. }]',
    ],
    ['an empty list', {}, 'owners: []'],
    ['somebody who has an id there', {}, 'owners: [{ type: user, name: ada }]'],
    ['a type that only one knows', { schema: [] }, 'schema: [{ name: a, dataType: int8 }]'],
  ])('%s is doubtful', async ([, more, line]) => {
    const { plan } = await open({
      contracts: [contract('ab', 'Draft', more)],
      files: { ab: fileOf('ab', line) },
    });
    expect(actions(await plan())).toEqual({ ab: 'blocked, doubtful' });
  });

  test('an empty catalog has nothing to doubt, but what would be created', async () => {
    const file = 'name: ab\nentity: { type: table, fullyQualifiedName: shop.sales.ab }\n';
    const { plan } = await open({ contracts: [], files: { ab: file } });
    expect(actions(await plan())).toEqual({ ab: 'missing' });
    const creating = await open({ contracts: [], files: { ab: file }, config: 'create: true\n' });
    expect(actions(await creating.plan())).toEqual({ ab: 'missing, doubtful' });
  });

  test('a contract that only one kind finds is not called missing', async () => {
    const { entity: _, ...unattached } = contract('ab', 'Draft');
    const file =
      'name: ab\nentity: { type: table, fullyQualifiedName: shop.sales.ab }\ndescription: N.\n';
    const { plan } = await open({ contracts: [unattached], files: { ab: file } });
    const made = await plan();
    expect(made.contracts.map(({ action }) => action).toSorted()).toEqual(['blocked', 'missing']);
    for (const each of made.contracts)
      expect(contractProblems(each)).toMatchObject([{ code: 'dialect-doubtful' }]);
  });
});

describe('evidence', () => {
  const rows = [contract('ab', 'Draft'), contract('abc', 'Draft'), contract('abcd', 'Active')];

  test.for([rows, rows.toReversed()])(
    'counts wherever it stands in the list',
    async (contracts) => {
      const { run, plan, statuses } = await open({ contracts, files: activate });
      expect((await plan()).dialect).toEqual({ name: 'standard' });
      expect((await run('apply', '--yes')).code).toBe(0);
      expect(statuses).toEqual(['Active']);
    },
  );

  test('of a release is enough for all statuses', async () => {
    const { run, plan, statuses } = await open({
      contracts: [contract('ab', 'Draft')],
      version: isOpenMetadata,
      files: activate,
    });
    expect((await plan()).dialect).toEqual({ name: 'openmetadata', release: '1.12.6' });
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(statuses).toEqual(['Approved']);
  });

  test('of a release counts where it is lost once', async () => {
    let lost = 0;
    const { plan } = await open({
      contracts: [contract('ab', 'Draft')],
      version: (request, response) => {
        lost += 1;
        if (lost === 1) response.destroy();
        else isOpenMetadata(request, response);
      },
      files: activate,
    });
    expect((await plan()).dialect?.name).toBe('openmetadata');
  });

  test('of a status lasts where the server is down, and strips nothing', async () => {
    const schema = [{ name: 'a', dataType: 'INT', tags: [], dataLength: 1 }];
    const { plan } = await open({
      contracts: [contract('ab', 'Draft', { schema }), contract('abc', 'In Review')],
      version: isDown,
      files: { ab: fileOf('ab', 'schema: [{ name: a, dataType: INT }]') },
    });
    expect(actions(await plan())).toMatchObject({ ab: 'unchanged' });
  });

  test('that disagrees blocks what would differ, and nothing else', async () => {
    const { plan, run, statuses } = await open({
      contracts: rows,
      version: isOpenMetadata,
      files: {
        ...activate,
        abc: fileOf('abc', 'description: New.'),
        abcd: fileOf('abcd', 'entityStatus: Active'),
      },
    });
    const made = await plan();
    expect(actions(made)).toEqual({
      ab: 'blocked, doubtful',
      abc: 'update',
      abcd: 'blocked, doubtful',
    });
    expect(made.contracts.flatMap(contractProblems)[0]?.message).toContain(
      'its server is OpenMetadata 1.12.6, but it has contracts that are Active',
    );
    expect((await run('apply', '--yes')).stdout).toContain('Apply: 1 applied');
    expect(statuses).toEqual([]);
  });

  test('of one status is none of another: it is not written before it was seen', async () => {
    const review = contract('abc', 'In Review');
    const without = await open({ contracts: [contract('ab', 'Draft'), review], files: activate });
    const made = await without.plan();
    expect(actions(made)).toMatchObject({ ab: 'blocked, doubtful' });
    expect(made.contracts.flatMap(contractProblems).at(-1)?.message).toContain('Approved');
    const approved = contract('abcd', 'Approved');
    const seen = await open({
      contracts: [contract('ab', 'Draft'), review, approved],
      files: activate,
    });
    expect(patchOf(await seen.plan(), 'ab')).toMatchObject([{ value: 'Approved' }]);
  });

  test.for(['standard', 'openmetadata'])('is not asked for where %s is set', async (name) => {
    const { plan, asked } = await open({
      contracts: [contract('ab', 'Draft'), contract('abc', 'Active'), contract('abcd', 'Approved')],
      version: isOpenMetadata,
      config: `catalog: { dialect: ${name} }\n`,
      files: activate,
    });
    const value = name === 'standard' ? 'Active' : 'Approved';
    expect(patchOf(await plan(), 'ab')).toMatchObject([{ value }]);
    expect(asked()).toBe(0);
  });

  test('is what a run that is narrowed has read', async () => {
    const { plan } = await open({ contracts: rows, files: activate });
    expect(actions(await plan('--only', '**.dataContract_ab'))).toEqual({ ab: 'update' });
  });
});

describe('while the kind is not known', () => {
  const doubtful = contract('ab', 'Draft', {
    schema: [{ name: 'a', dataType: 'INT', dataLength: 1 }],
  });
  const plain = contract('abc', 'Draft');

  test('a pull takes what is the same, and leaves the rest', async () => {
    const files = {
      ab: fileOf('ab', 'schema: [{ name: a, dataType: INT }]'),
      abc: fileOf('abc', 'description: New.'),
    };
    const { run, folder } = await open({ contracts: [doubtful, plain], files });
    const { code, stderr } = await run('pull');
    expect(code).toBe(1);
    expect(stderr).toContain('[dialect-doubtful]');
    const textOf = (name: string) => readFileSync(join(folder, `contracts/${name}.yaml`), 'utf8');
    expect(textOf('ab')).toBe(files.ab);
    expect(textOf('abc')).toBe(fileOf('abc', 'description: Old.'));
  });

  test('an import writes the files that are the same', async () => {
    const terms = contract('abcd', 'Draft', { effectiveFrom: 1_767_225_600_000 });
    const { run } = await open({ contracts: [plain, terms], files: {} });
    const { code, stdout, stderr } = await run('import', '--check');
    expect(code).toBe(1);
    expect(stdout).toContain('abc.yaml');
    expect(stderr).toContain("Can't import shop.sales.abcd.dataContract_abcd: its file depends");
  });

  test('a rollback brings back what is the same, and a history that is the same says nothing else', async () => {
    const files = { ab: fileOf('ab', 'description: New.') };
    const { run } = await open({ contracts: [contract('ab', 'Draft')], files });
    expect((await run('apply', '--yes')).code).toBe(0);
    const back = await run('rollback', 'ab', '--to', '0.1', '--yes');
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('New. → Old.') });
    expect(await run('history', 'ab')).toMatchObject({ code: 0, stderr: '' });
  });

  test('doctor says so, with the line to add', async () => {
    const { run } = await open({ contracts: [plain], files: {} });
    const { stdout } = await run('doctor');
    expect(stdout).toMatch(/^! dialect {5}not known: its server names no release/mu);
    expect(stdout).toContain('`catalog: { dialect: openmetadata }`');
  });
});
