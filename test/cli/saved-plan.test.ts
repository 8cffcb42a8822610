import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import {
  differencesOf,
  fingerprintOf,
  fingerprintOfCreation,
  planHash,
  sealPlan,
  withPatches,
} from '../../src/plan/change.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { idOf, serve } from '../support/server.ts';
import { runInProcess } from '../support/run-program.ts';
import { serve as serveOpenMetadata } from '../sandbox/openmetadata/served.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

const table = (name: string) => `shop.sales.web.${name}`;
const columns = ['id', 'amount', 'city', 'note'].map((name) => ({ name, dataType: 'INT' }));
const rule = (name: string, text: string) => ({ name, description: '', rule: text });

const live = (number: number, name: string, more: JsonObject = {}): JsonObject => ({
  id: idOf(number),
  name,
  entity: { type: 'table', fullyQualifiedName: table(name) },
  description: 'Old.',
  ...more,
});

const fileOf = (name: string, more: string) =>
  `name: ${name}\nentity: { type: table, fullyQualifiedName: ${table(name)} }\n${more}`;

const files = {
  'contract-sync.yaml':
    'create: true\ncatalog: { dialect: openmetadata }\nscope: ["shop.sales.web.**"]\nunmanaged: deprecate\n',
  'contracts/orders.yaml': fileOf(
    'orders',
    `description: New.
entityStatus: In Review
effectiveFrom: 2026-01-01
schema:
  - { name: id, dataType: BIGINT }
  - { name: note, dataType: INT }
  - { name: amount, dataType: INT }
semantics:
  - { name: positive, description: '', rule: b }
  - { name: third, description: '', rule: c }
`,
  ),
  'contracts/carts.yaml': fileOf('carts', 'description: Old.\n'),
  'contracts/parcels.yaml': fileOf('parcels', 'description: All parcels.\ntermsOfUse: Be kind.\n'),
};

/** What the checkout has come to since the review. */
const later = {
  'contracts/carts.yaml': fileOf('carts', 'description: Never reviewed.\n'),
  'contracts/returns.yaml': fileOf('returns', 'description: Never reviewed.\n'),
};

/** A catalog that shows a change, a creation and a retirement to be made, and stores none. */
async function openWorld() {
  const names = ['orders', 'carts', 'refunds', 'parcels', 'returns'];
  const catalog = await serveOpenMetadata({
    seed: {
      tables: names.map((name) => ({ fullyQualifiedName: table(name), columns })),
      contracts: [
        live(1, 'orders', {
          entityStatus: 'Draft',
          schema: columns,
          semantics: [rule('positive', 'a'), rule('second', 'x'), rule('third', 'c')],
        }),
        live(2, 'carts'),
        live(3, 'refunds', { entityStatus: 'Approved' }),
      ],
    },
  });
  const writes: string[] = [];
  const recorder = await serve(({ method, path, headers, body }, response) => {
    if (method !== 'GET') {
      writes.push(`${method} ${path} ${withoutTests(body)}`);
      response.writeHead(400).end();
      return;
    }
    const { authorization = '' } = headers;
    void (async () => {
      const answer = await fetch(new URL(path, catalog.url), { headers: { authorization } });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    })();
  });
  const folder = makeFolder(files);
  const access = { url: recorder.url.href, token: await catalog.tokenOf('admin') };
  const run = (...args: string[]) => runInProcess(args, { folder, environment: accessTo(access) });
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
  const reviewed: Plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  for (const [file, text] of Object.entries(later)) write(file, text);
  return {
    reviewed,
    /** What an apply says of the text of a plan, and what it sends. */
    apply: async (text: string) => {
      writes.length = 0;
      write('plan.json', text);
      const ran = await run('apply', '--yes', '--plan', 'plan.json');
      return { ...ran, writes: new Set(writes) };
    },
  };
}

/** Guards speak of the moment. */
function withoutTests(body: string): string {
  const value: JsonValue = JSON.parse(body);
  return JSON.stringify(
    isArray(value) ? value.filter((each) => isObject(each) && each['op'] !== 'test') : value,
  );
}

let world: Awaited<ReturnType<typeof openWorld>>;

beforeEach(async () => {
  world = await openWorld();
});

type Draft = ReturnType<typeof JSON.parse>;

/** As somebody seals it who knows how; with fingerprints of what it says its changes are. */
function forge({ reviewed }: typeof world, edit: (plan: Draft) => void): string {
  const plan: Draft = structuredClone(reviewed);
  delete plan.checksum;
  edit(plan);
  return JSON.stringify(sealPlan(withPatches(withFingerprints(plan))));
}

function withFingerprints(plan: Draft): Plan {
  if (!Array.isArray(plan.contracts)) return plan;
  const contracts: Draft[] = plan.contracts.filter(isObject);
  for (const contract of contracts) {
    const { action, id, fullyQualifiedName, document } = contract;
    if (action === 'create' && isObject(document))
      contract.fingerprint = fingerprintOfCreation(String(fullyQualifiedName), document);
    else if (action === 'update' || action === 'blocked')
      contract.fingerprint = fingerprintOf(String(id), differencesIn(contract, plan));
  }
  return { ...plan, planHash: planHash(plan.contracts, plan.environment) };
}

/** None where the changes do not lead to the target. */
function differencesIn(contract: Draft, { arrays }: Draft) {
  try {
    return differencesOf(contract, arrays);
  } catch {
    return [];
  }
}

function contractOf(plan: Draft, id: string): Draft {
  return plan.contracts.find((each: Draft) => each.id === id);
}

test('what was reviewed is sent, and nothing that the files have come to want since', async () => {
  const { code, stdout, writes } = await world.apply(JSON.stringify(world.reviewed));
  expect(code).toBe(1);
  expect([...writes].map((line) => line.replace(/ [^ ]*\/v1/u, ' ').split(' ', 2))).toEqual(
    expect.arrayContaining([
      ['PATCH', `/dataContracts/${idOf(1)}`],
      ['PATCH', `/dataContracts/${idOf(3)}`],
      ['POST', '/dataContracts'],
    ]),
  );
  const bodies = [...writes].map((line) => JSON.parse(line.replace(/^\S+ \S+ /u, '')));
  const { contracts }: Draft = world.reviewed;
  const shown = contracts.map(({ patch, document }: Draft) => patch ?? document);
  expect(bodies).toEqual(expect.arrayContaining(shown));
  expect(bodies).toHaveLength(shown.length);
  expect(stdout).toMatch(/shop\.sales\.web\.carts\S* +not-reviewed/u);
  expect(stdout).toMatch(/shop\.sales\.web\.returns\S* +not-reviewed/u);
});

describe('a saved plan that was forged and sealed again sends nothing', () => {
  test.for<[string, (plan: Draft) => void]>([
    [
      'with an operation that it shows to change nothing',
      (plan) => {
        const change = contractOf(plan, idOf(1));
        change.changes.push({
          kind: 'replace',
          path: '/displayName',
          place: '/displayName',
          label: 'displayName',
          before: 'Mine',
          after: 'Mine',
        });
        change.target.displayName = 'Mine';
      },
    ],
    [
      'with an operation and its undoing',
      (plan) => {
        const change = contractOf(plan, idOf(3));
        for (const [before, after] of [
          ['Old.', 'Mine.'],
          ['Mine.', 'Old.'],
        ]) {
          change.changes.push({
            kind: 'replace',
            path: '/description',
            place: '/description',
            label: 'description',
            before,
            after,
          });
        }
        change.target.description = 'Old.';
      },
    ],
    [
      'with a label of another place',
      (plan) => {
        contractOf(plan, idOf(3)).changes[0].label = 'description';
      },
    ],
    [
      'with another place by key',
      (plan) => {
        contractOf(plan, idOf(3)).changes[0].place = '/description';
      },
    ],
    [
      'with a status that it does not lead to',
      (plan) => {
        contractOf(plan, idOf(3)).transition.to = 'Draft';
      },
    ],
    [
      'with a date in other words',
      (plan) => {
        const dated = contractOf(plan, idOf(1)).changes.find((each: Draft) => each.inWords);
        dated.inWords.after = '2030-01-01';
      },
    ],
    [
      'with a creation that shows other fields than it has',
      (plan) => {
        const created = plan.contracts.find((each: Draft) => each.action === 'create');
        created.document.description = 'Never reviewed.';
      },
    ],
    ['with a contract twice', (plan) => plan.contracts.splice(1, 0, plan.contracts[0])],
    [
      'in another order',
      (plan) => {
        plan.contracts = plan.contracts.toReversed();
      },
    ],
    [
      'with fewer changes than it counts',
      (plan) => {
        plan.contracts.pop();
      },
    ],
    [
      'with an error that it does not own up to',
      (plan) => plan.diagnostics.push({ code: 'x', severity: 'error', message: 'x' }),
    ],
  ])('%s', async ([, edit]) => {
    const { code, stderr, writes } = await world.apply(forge(world, edit));
    expect({ code, writes: [...writes] }).toEqual({ code: 1, writes: [] });
    expect(stderr).toContain('The plan in plan.json was changed after it was made. [plan-edited]');
  });

  test('and with indices of another element neither', async () => {
    const text = forge(world, (plan) => {
      const change = contractOf(plan, idOf(1));
      const turned = JSON.stringify(change.changes).replaceAll('/semantics/1', '/semantics/0');
      change.changes = JSON.parse(turned);
    });
    const { code, writes } = await world.apply(text);
    expect({ code, writes: [...writes] }).toEqual({ code: 1, writes: [] });
  });

  test.for<[string, object]>([
    ['the name of another contract', { fullyQualifiedName: `${table('refunds')}.harmless` }],
    ['a false short name alone', { fullyQualifiedName: undefined, name: 'stock' }],
  ])('and a change under %s is none of that contract', async ([, names]) => {
    const text = forge(world, (plan) => {
      const renamed = { ...contractOf(plan, idOf(3)), ...names };
      plan.contracts = plan.contracts.map((each: Draft) =>
        each.id === idOf(3) ? JSON.parse(JSON.stringify(renamed)) : each,
      );
    });
    const { code, stdout, writes } = await world.apply(text);
    expect(code).toBe(1);
    expect([...writes].some((line) => line.includes(idOf(3)))).toBe(false);
    expect(stdout).toMatch(/^\+ \S*refunds\S* +was not in the reviewed plan$/mu);
    expect(stdout).toContain('1 not-found');
  });
});
