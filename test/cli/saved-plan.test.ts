import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
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

test('an apply sends the reviewed changes, and none that came into the files since', async () => {
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
  // Stores nothing, so that each write is tried.
  const writes: string[] = [];
  const recorder = await serve(({ method, path, headers, body }, response) => {
    if (method !== 'GET') {
      writes.push(`${method} ${path.replace(/.*\/v1/u, '')} ${withoutTests(body)}`);
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
  expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
  for (const [file, text] of Object.entries(later)) writeFileSync(join(folder, file), text);
  const { code, stdout } = await run('apply', '--yes', '--plan', 'plan.json');
  expect(code).toBe(1);
  const { contracts } = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  const targets = [
    `PATCH /dataContracts/${idOf(1)}`,
    'POST /dataContracts',
    `PATCH /dataContracts/${idOf(3)}`,
  ];
  const shown = contracts.map(
    ({ patch, document }: JsonObject, index: number) =>
      `${targets[index]} ${JSON.stringify(patch ?? document)}`,
  );
  expect([...new Set(writes)].toSorted()).toEqual(shown.toSorted());
  expect(stdout).toMatch(/shop\.sales\.web\.carts\S* +not-reviewed/u);
  expect(stdout).toMatch(/shop\.sales\.web\.returns\S* +not-reviewed/u);
});

/** Guards speak of the moment. */
function withoutTests(body: string): string {
  const value: JsonValue = JSON.parse(body);
  return JSON.stringify(
    isArray(value) ? value.filter((each) => isObject(each) && each['op'] !== 'test') : value,
  );
}
