import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveExactly } from './support/exact-catalog.ts';
import { runInProcess } from './support/run-program.ts';
import { makeFolder } from './support/workspace.ts';

const big = '12345678901234567890';
const id = '11111111-1111-4111-8111-111111111111';

/** A contract with these further members. */
function contractOf(members: string, version = '0.1'): string {
  return `{"id":"${id}","name":"orders","fullyQualifiedName":"shop.orders","version":${version},"updatedAt":1700000000000,"entityStatus":"Draft"${members}}`;
}

const head = 'fullyQualifiedName: shop.orders\n';

/** The catalog, the file of the contract, and a way to run a command on them. */
async function worldOf(
  live: string,
  fields: string,
  { config = '', versions = [live] }: { config?: string; versions?: readonly string[] } = {},
) {
  const catalog = await serveExactly([live], { [id]: versions });
  const folder = makeFolder({
    'contract-sync.yaml': `catalog: { dialect: standard }\n${config}`,
    ...(fields !== '' && { 'contracts/orders.yaml': head + fields }),
  });
  const { environment } = catalog;
  return {
    ...catalog,
    folder,
    run: (...args: readonly string[]) => runInProcess(args, { folder, environment }),
  };
}

/** Everything that was sent, and what is stored, with the digits of the catalog. */
function digitsIn(texts: readonly string[]): boolean {
  return texts.every((text) => !text.includes('12345678901234567000'));
}

describe('a live number that does not survive reading', () => {
  test("doesn't replace the value around it whole", async () => {
    const { run, stored } = await worldOf(
      contractOf(`,"extension":{"a":1,"b":2,"c":3,"serial":${big}}`),
      'extension: { a: 4, b: 5, c: 6 }\n',
      { config: 'ignore: [/extension/serial]\n' },
    );
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(stored()[0]).toContain(`"extension":{"a":4,"b":5,"c":6,"serial":${big}}`);
  });

  test('is not sent back with a list around it, where a server takes no guard', async () => {
    const { run, stored, patches } = await worldOf(
      contractOf(`,"extension":{"list":[1],"serial":${big}}`),
      'extension: { list: [1, 2] }\n',
      { config: 'ignore: [/extension/serial]\n' },
    );
    const { code, stdout } = await run('apply', '--yes', '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).outcomes).toMatchObject([
      { result: 'failed', error: { code: 'number-inexact' } },
    ]);
    expect(patches().every((body) => body.includes('"op":"test"'))).toBe(true);
    expect(stored()[0]).toContain(`"extension":{"list":[1],"serial":${big}}`);
  });

  test('holds back its own contract alone', async () => {
    const other = contractOf(',"description":"Old."')
      .replace(id, id.replaceAll('1', '2'))
      .replaceAll('orders', 'carts');
    const live = contractOf(`,"extension":{"serial":${big}}`);
    const { environment, stored } = await serveExactly([live, other], {});
    const folder = makeFolder({
      'contract-sync.yaml': 'catalog: { dialect: standard }\n',
      'contracts/carts.yaml': 'fullyQualifiedName: shop.carts\ndescription: New.\n',
      'contracts/orders.yaml': `${head}extension: { serial: 5 }\n`,
    });
    const { code, stdout } = await runInProcess(['apply', '--yes'], { folder, environment });
    expect(code).toBe(1);
    expect(stdout).toContain('number-inexact');
    expect(stored().join('')).toContain('"description":"New."');
    expect(stored().join('')).toContain(big);
  });

  test.each([
    ['replaced', `{"serial":${big}}`, '{ serial: 5 }', `extension.serial\` is ${big}`],
    ['removed', `{"serial":1e400,"a":1}`, '{ a: 1 }', 'extension.serial` is 1e400'],
    ['read as what the file says', '{"a":0.1000000000000000055}', '{ a: 0.1 }', 'extension.a`'],
    ['in a value that becomes another', `{"list":[[1,${big}],2]}`, '{ list: 5 }', 'list[0][1]`'],
  ])('blocks the change by which it is %s', async (_, extension, wanted, place) => {
    const { run, patches } = await worldOf(
      contractOf(`,"extension":${extension}`),
      `extension: ${wanted}\n`,
    );
    const { code, stdout } = await run('apply', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('number-inexact');
    expect(stdout).toContain('contracts/orders.yaml:2');
    expect(stdout).toContain(place);
    expect(digitsIn([stdout])).toBe(true);
    expect(patches()).toEqual([]);
  });

  test('stands with its digits in plans, saved and shown', async () => {
    const { run, folder } = await worldOf(
      contractOf(`,"extension":{"serial":${big},"list":[${big}]}`),
      'extension: { serial: 5 }\n',
    );
    const { stdout } = await run('plan', '--format', 'json', '--out', 'plan.json');
    expect(stdout).toContain(`"serial": ${big}`);
    expect(digitsIn([stdout, (await run('plan')).stdout])).toBe(true);
    const saved = readFileSync(join(folder, 'plan.json'), 'utf8');
    expect(saved).toContain(`"serial": ${big}`);
    expect((await run('apply', '--yes', '--plan', 'plan.json')).stdout).not.toContain(
      'plan-edited',
    );
  });

  test('blocks a rollback to a version that has it', async () => {
    const before = contractOf(`,"sla":{"retention":{"period":${big}}}`);
    const now = contractOf(',"sla":{"retention":{"period":5}}', '0.2');
    const { run, patches } = await worldOf(now, '', { versions: [now, before] });
    const { code, stdout } = await run('rollback', 'shop.orders', '--to', '0.1', '--yes');
    expect([code, patches()]).toEqual([1, []]);
    expect(stdout).toContain(`\`sla.retention.period\` is ${big} in the catalog`);
  });

  test('is not pulled, and its place is named', async () => {
    const { run, folder } = await worldOf(
      contractOf(`,"extension":{"serial":${big}}`),
      'extension: { serial: 5 }\n',
    );
    const { code, stderr } = await run('pull');
    expect(code).toBe(1);
    expect(stderr).toContain('contracts/orders.yaml:2');
    expect(stderr).toContain('number-inexact');
    expect(readFileSync(join(folder, 'contracts/orders.yaml'), 'utf8')).toContain('serial: 5');
  });

  test.each(['native', 'odcs'])('is left out of a file that is imported as %s', async (format) => {
    const live = contractOf(
      `,"description":"Orders.","sla":{"retention":{"period":${big},"unit":"day"}},"entity":{"id":"${id}","type":"table","fullyQualifiedName":"warehouse.db.public.orders"}`,
    );
    const { run, folder } = await worldOf(live, '', {
      config:
        'scope: ["**"]\nodcs: { entity: "warehouse.{server.database}.{server.schema}.{object.physicalName}" }\n',
    });
    const into = 'contracts/new.odcs.yaml';
    const { stdout, stderr } = await run('import', '--format', format, '--into', into);
    expect(stdout + stderr).toContain(`\`sla.retention.period\` is ${big} in the catalog`);
    const text = readFileSync(join(folder, 'contracts/new.odcs.yaml'), 'utf8');
    expect(text).toContain('Orders.');
    expect(text).not.toMatch(/12345|raw/u);
  });
});

test('a version is shown as major.minor, and guarded with the digits of the server', async () => {
  const number = '0.30000000000000004';
  const { run, patches } = await worldOf(
    contractOf(',"description":"Old."', number),
    'description: New.\n',
  );
  const plan = await run('plan');
  expect(plan.stdout).toContain('0.3');
  expect(plan.stdout).not.toContain(number);
  const { code, stdout } = await run('apply', '--yes');
  expect(code).toBe(0);
  expect(stdout).not.toContain(number);
  expect(patches()[0]).toContain(`{"op":"test","path":"/version","value":${number}}`);
});
