/** What a command asks of its catalog: each thing once, and nothing that it has no use for. */

import { expect, test } from 'vitest';
import { noRepository } from '../support/git-folder.ts';
import { staticToken } from '../../src/auth/token.ts';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import type { CatalogReader } from '../../src/catalog/catalog.ts';
import { prepareImport } from '../../src/commands/import.ts';
import { planNow } from '../../src/commands/plan.ts';
import { preparePull } from '../../src/commands/pull.ts';
import { resolveSettings } from '../../src/config/settings.ts';
import { parseLiveContract } from '../../src/contract/contract.ts';
import { parsePathPattern } from '../../src/pull/name.ts';
import { readContracts } from '../../src/files/files.ts';
import { adoptConventions, type Rules } from '../../src/plan/rules.ts';
import { openSession, type Session } from '../../src/session.ts';
import { lenientRules } from '../support/rules.ts';
import { makeFolder } from '../support/workspace.ts';
import { idOf, sendJson, serve } from '../support/server.ts';

const listed = [0, 1, 2].map((number) =>
  parseLiveContract({
    id: idOf(number),
    name: `t${number}`,
    fullyQualifiedName: `shop.sales.t${number}.dataContract_t${number}`,
    entity: { id: idOf(number + 5), type: 'table', fullyQualifiedName: `shop.sales.t${number}` },
    version: 0.1,
    entityStatus: 'Draft',
    schema: [{ name: 'id', dataType: 'INT' }],
    owners: [],
  }),
);

const text = (number: number) => `fullyQualifiedName: shop.sales.t${number}.dataContract_t${number}
owners: [{ type: user, name: ada }]
schema: [{ name: id, dataType: INT }, { name: amount, dataType: INT }]
`;

/** Each asset has the same two readers, one of which is the third contract's. */
function lineageOf(id: string) {
  const nodes = [idOf(7), idOf(8)].map((reader) => {
    return { id: reader, type: 'table', fullyQualifiedName: `shop.sales.r${reader.at(-1)}` };
  });
  return {
    entity: { id, type: 'table', fullyQualifiedName: 'shop.sales.t' },
    nodes,
    downstreamEdges: nodes.map((node) => ({ fromEntity: id, toEntity: node.id })),
  };
}

const unlimited = { ...lenientRules, limits: { ...lenientRules.limits, from: 100 } };

/** Two of the three contracts have a file, which adds a column and the same owner. */
function sessionOf(requests: string[]): Session {
  const reader: CatalogReader = {
    async *list() {
      requests.push('list');
      yield { contracts: listed.filter((each) => each !== undefined), total: listed.length };
    },
    fetchContract: async () => {
      requests.push('contract');
      return undefined;
    },
    fetchCaller: async () => undefined,
    fetchEntity: async (address) => {
      const by = 'id' in address ? address.id : address.name;
      requests.push(`${address.type} ${by}`);
      return address.type === 'user'
        ? { id: idOf(9), type: 'user', name: 'ada' }
        : { id: by, type: 'table', columns: ['id', 'amount'] };
    },
    fetchOwners: async ({ id }) => {
      requests.push(`owners ${id}`);
      return ['finance'];
    },
    fetchLineage: async ({ id }) => {
      requests.push(`lineage ${id}`);
      return lineageOf(id);
    },
    versions: async (id) => {
      requests.push(`versions ${id}`);
      return { entityType: 'dataContract', versions: [] };
    },
  };
  return {
    catalogUrl: 'http://catalog.test/api',
    files: {
      root: makeFolder({ '0.yaml': text(0), '1.yaml': text(1) }),
      include: ['*.yaml'],
      exclude: [],
    },
    repository: noRepository,
    reader,
    rules: adoptConventions(unlimited, openmetadata),
    product: openmetadata,
    concurrency: 4,
    blame: 'few',
    resumesAt: () => 0,
    clockAhead: async () => 0,
    openWriter: () => {
      throw new Error('nothing is written');
    },
  };
}

const jwtOf = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const person = jwtOf({ sub: 'ada' });
const bot = jwtOf({ sub: 'ingestion-bot', isBot: true });
const ofBot = ['bot-not-held'];

test.each([
  { dialect: 'auto', token: 't', asked: ['version', 'dataContracts', 'loggedInUser'] },
  { dialect: 'openmetadata', token: 't', asked: ['dataContracts'] },
  { dialect: 'openmetadata', token: person, asked: ['dataContracts'] },
  { dialect: 'openmetadata', token: bot, asked: ['dataContracts', 'version'], tells: ofBot },
  { dialect: 'openmetadata', token: bot, asked: ['dataContracts'], description: 'Old.' },
  { dialect: 'standard', token: bot, asked: ['dataContracts'] },
])('a session and its plan send no request without a use: %j', async (row) => {
  const { dialect, token, description = 'New.', tells = [] } = row;
  const name = 'shop.sales.t0.dataContract_t0';
  const { url, received } = await serve(({ path }, response) => {
    if (path.includes('/name/')) return sendJson(response, {}, 404);
    const release = { version: '2.1.0', revision: 'abc', timestamp: 1 };
    const live = { ...listed[0]?.document, id: idOf(0), version: 0.1, description: 'Old.' };
    const list = { data: [{ ...live, fullyQualifiedName: name }], paging: { total: 1 } };
    return sendJson(response, path.endsWith('/version') ? release : list);
  });
  const folder = makeFolder({
    'contract-sync.yaml': `catalog: { dialect: ${dialect} }\n`,
    'contracts/0.yaml': `fullyQualifiedName: ${name}\ndescription: ${description}\n`,
  });
  const settings = resolveSettings({ catalogUrl: url.href }, {}, folder);
  const session = await openSession(settings, { token: staticToken(token), folder, paths: [] });
  const plan = await planNow(session);
  expect(plan.dialect?.name).toBe(dialect === 'standard' ? dialect : 'openmetadata');
  const asked = received.flatMap(
    ({ path }) => /version$|loggedInUser|dataContracts(?=\?)/u.exec(path) ?? [],
  );
  expect(asked).toEqual(row.asked);
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(tells);
});

test('a plan lists once, and looks up each user and each asset once', async () => {
  const requests: string[] = [];
  const plan = await planNow(sessionOf(requests));
  expect(plan.summary).toMatchObject({ update: 2, unmanaged: 1, blocked: 0 });
  expect(requests.toSorted()).toEqual(['list', `table ${idOf(5)}`, `table ${idOf(6)}`, 'user ada']);
  expect(requests[0]).toBe('list');
});

test('an asset is read only where the plan adds a column', async () => {
  const requests: string[] = [];
  const session = sessionOf(requests);
  const { contracts } = await readContracts(session.files);
  const base = { revision: 'main', commit: 'c', isHead: false, contracts };
  // Somebody has removed the column in the catalog, and the plan leaves that alone.
  const rules: Rules = { ...session.rules, drift: 'leave' };
  const plan = await planNow({ ...session, rules, bases: [base], blame: 'none' });
  expect(plan.summary).toMatchObject({ update: 0, unchanged: 2 });
  expect(requests.filter((line) => line.startsWith('table'))).toEqual([]);
});

test('versions are requested only where a live value differs from the base', async () => {
  const requests: string[] = [];
  const session = sessionOf(requests);
  const file = text(0)
    .replace(/owners.*\n/u, '')
    .replace(', { name: amount, dataType: INT }', '');
  const files = { ...session.files, root: makeFolder({ '0.yaml': file }) };
  const { contracts } = await readContracts(files);
  const bases = [{ revision: 'main', commit: 'c', isHead: false, contracts }];
  await planNow({ ...session, files, bases, blame: 'none' });
  expect(requests).toEqual(['list']);
});

const about = (lines: readonly string[]) =>
  lines.filter((line) => /^(?:lineage|owners)/u.test(line)).toSorted();

test('lineage is read once for each contract that loses a column, owners once for each asset', async () => {
  const requests: string[] = [];
  const session = sessionOf(requests);
  const lost = text(0).replace('[{ name: id, dataType: INT }, ', '[');
  const files = {
    ...session.files,
    root: makeFolder({ '0.yaml': lost, '1.yaml': lost.replaceAll('t0', 't1') }),
  };
  const plan = await planNow({ ...session, files });
  expect(about(requests.splice(0))).toEqual([
    `lineage ${idOf(5)}`,
    `lineage ${idOf(6)}`,
    `owners ${idOf(7)}`,
    `owners ${idOf(8)}`,
  ]);
  expect(plan.contracts.filter((each) => 'downstream' in each)).toHaveLength(2);
  expect(plan.contracts[0]).toMatchObject({
    downstream: {
      assets: [
        { name: 'r7', owners: ['finance'], contract: { status: 'Draft' } },
        { name: 'r8', owners: ['finance'] },
      ],
    },
  });
  const silent = await planNow({ ...session, files, downstream: false });
  expect(about(requests)).toEqual([]);
  expect(silent.planHash).toBe(plan.planHash);
});

test('a plan that readers have to agree to reads no lineage twice', async () => {
  const requests: string[] = [];
  const session = sessionOf(requests);
  const { compatibility, reviews } = session.rules;
  const levels = new Map([['Draft', 'warn'] as const]);
  const rules: Rules = {
    ...session.rules,
    compatibility: { ...compatibility, mode: 'backward', levels },
    reviews: { ...reviews, readers: { handles: {} } },
  };
  const lost = text(0).replace('[{ name: id, dataType: INT }, ', '[');
  const files = { ...session.files, root: makeFolder({ '0.yaml': lost }) };
  const plan = await planNow({ ...session, files, rules });
  expect(about(requests)).toEqual([`lineage ${idOf(5)}`, `owners ${idOf(7)}`, `owners ${idOf(8)}`]);
  expect(plan.contracts.filter((each) => 'agreement' in each)).toHaveLength(1);
});

test('a selection looks up what it is about', async () => {
  const requests: string[] = [];
  const selection = { only: ['**.t1.*'], exclude: [] };
  await planNow({ ...sessionOf(requests), selection });
  expect(requests.toSorted()).toEqual(['list', `table ${idOf(6)}`, 'user ada']);
});

test('a pull and an import list once, and look nothing up', async () => {
  const requests: string[] = [];
  const pull = await preparePull(sessionOf(requests));
  expect(pull).toMatchObject({ compared: 2, files: [{ file: '0.yaml' }, { file: '1.yaml' }] });
  expect(requests.splice(0)).toEqual(['list']);
  const pathOf = parsePathPattern('{name}.yaml');
  const imported = await prepareImport(sessionOf(requests), { pathOf });
  expect(imported).toMatchObject({ declared: 2, files: [{ file: 't2.yaml' }] });
  expect(requests).toEqual(['list']);
});
