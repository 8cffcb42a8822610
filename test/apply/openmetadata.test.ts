import { describe, expect, test } from 'vitest';
import type { CatalogWriter } from '../../src/catalog/catalog.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { idOf, serve } from '../sandbox/openmetadata/served.ts';
import { openOrders, rules, runAll } from './openmetadata-world.ts';
import { clientOf, connectTo, desiredOf, hasty, listAll } from './world.ts';

const retention = { retention: { period: 1, unit: 'year' } };

/** A contract as a seed gives it. */
function seeded(name: string): JsonObject {
  return { name, description: 'Old.', entity: { fullyQualifiedName: `shop.sales.web.${name}` } };
}

function copies<Some>(amount: number, some: Some): Some[] {
  return Array.from({ length: amount }, () => structuredClone(some));
}

/** A writer that notes what it sends. */
function watch(writer: CatalogWriter) {
  const sent: { readonly patch: Patch; readonly ifMatch: string | undefined }[] = [];
  const patch: CatalogWriter['patch'] = (id, operations, options) => {
    sent.push({ patch: operations, ifMatch: options?.ifMatch });
    return writer.patch(id, operations, options);
  };
  return { sent, writer: { ...writer, patch } };
}

describe('what the catalog refuses', () => {
  const badPatches: readonly {
    readonly about: string;
    readonly patch: Patch;
    readonly result: string;
    readonly error: JsonObject;
  }[] = [
    {
      about: 'a test that fails',
      patch: [{ op: 'test', path: '/name', value: 'other' }],
      result: 'stale',
      error: { code: 'contract-moved', message: expect.stringContaining('at /name') },
    },
    {
      about: 'a member that is not there',
      patch: [{ op: 'remove', path: '/displayName' }],
      result: 'stale',
      error: { code: 'contract-moved' },
    },
    {
      about: 'an index beyond the end',
      patch: [{ op: 'replace', path: '/schema/7/name', value: 'id' }],
      result: 'stale',
      error: { code: 'contract-moved' },
    },
    {
      about: 'a value of no known word',
      patch: [{ op: 'add', path: '/entityStatus', value: 'Activ' }],
      result: 'failed',
      error: { code: 'value-refused', hint: expect.stringContaining('statuses') },
    },
    {
      about: 'a column that the table lacks',
      patch: [{ op: 'add', path: '/schema', value: [{ name: 'ID', dataType: 'INT' }] }],
      result: 'failed',
      error: { code: 'unknown-column', message: expect.stringContaining('has: ID.') },
    },
    {
      about: 'a column that comes twice',
      patch: [
        {
          op: 'add',
          path: '/schema',
          value: ['id', 'id'].map((name) => ({ name, dataType: 'INT' })),
        },
      ],
      result: 'failed',
      error: { code: 'change-refused', message: expect.stringContaining('Duplicate column names') },
    },
  ];
  test.each(badPatches)('for $about is sent once', async ({ patch, result, error }) => {
    const orders = await openOrders({ description: 'Old.' });
    const plan = await orders.plan({ description: 'New.' });
    const own = clientOf(await orders.connect('admin')).writer;
    // As if the contract were otherwise than it is.
    const other: CatalogWriter['patch'] = (id, _, options) => own.patch(id, patch, options);
    const { sent, writer } = watch({ ...own, patch: other });
    expect(await orders.run(plan, { writer })).toMatchObject({ result, error });
    expect(sent).toHaveLength(1);
  });

  test('because of the reviewers names those who may approve', async () => {
    const served = await serve();
    const ada = { id: await idOf(served, 'users', 'ada'), type: 'user' };
    const orders = await openOrders({ entityStatus: 'In Review', reviewers: [ada] }, served);
    const plan = await orders.plan({ entityStatus: 'Approved' });
    expect(await orders.run(plan)).toMatchObject({
      result: 'failed',
      error: { code: 'needs-reviewer', message: expect.stringContaining("admin isn't one") },
    });
    expect(await orders.run(plan, {}, 'ada')).toMatchObject({ result: 'applied' });
  });

  test('for want of a permission names it, and what needs it', async () => {
    const orders = await openOrders();
    const ofText = await orders.plan({ description: 'New.' });
    expect(await orders.run(ofText, {}, 'zoe')).toMatchObject({
      result: 'failed',
      error: {
        code: 'forbidden',
        message:
          'zoe lacks EditAll for this contract: the guard of the patch needs it, though the change alone needs only EditDescription.',
      },
    });
    const ofStatus = await orders.plan({ entityStatus: 'Draft' });
    expect(await orders.run(ofStatus, {}, 'zoe')).toMatchObject({
      error: { message: 'zoe lacks EditAll for this contract.' },
    });
  });

  test('is refused to one contract alone; a bad token stops the run', async () => {
    const orders = await openOrders();
    const plan = await orders.plan({ description: 'New.' });
    const many = { ...plan, contracts: plan.contracts.flatMap((each) => copies(12, each)) };
    const denied = await runAll(many, await orders.connect('zoe'));
    expect(denied.map(({ error }) => error?.code)).toEqual(copies(12, 'forbidden'));
    const token = await orders.served.tokenOf('admin', 0);
    const unknown = await runAll(many, connectTo({ url: orders.served.url, token }));
    expect(unknown.map(({ error }) => error?.code)).toEqual([
      'unauthorized',
      ...copies(11, 'stopped-early'),
    ]);
  });
});

test("owners that a refused patch leaves behind are reported, with the catalog's reason for refusing the rest", async () => {
  const served = await serve();
  const [ada, zoe] = await Promise.all(
    ['ada', 'zoe'].map(async (name) => ({ type: 'user', id: await idOf(served, 'users', name) })),
  );
  const orders = await openOrders({ description: 'Old.', owners: [ada ?? {}] }, served);
  const wanted = { description: 'New.', owners: [zoe ?? {}], extension: { nosuch: 'x' } };
  const outcome = await orders.run(await orders.plan(wanted));
  expect(outcome).toMatchObject({
    result: 'landed-in-part',
    versionBefore: '0.1',
    versionAfter: '0.1',
    changed: {
      before: { owners: [{ name: 'ada' }] },
      after: { owners: [{ name: 'zoe' }] },
      version: '0.1',
    },
    error: {
      code: 'landed-in-part',
      message:
        'The catalog changed owners user ada → user zoe, without a version of it, and then refused the rest. The catalog refuses the change: Unknown custom field nosuch',
      hint: 'To take that back: contract-sync rollback --run FILE, with the outcomes of this run. Correct the file.',
    },
  });
  const again = await orders.run(await orders.plan(wanted));
  expect(again).toMatchObject({ result: 'failed', error: { code: 'change-refused' } });
});

describe('the ETag of the contract that was read', () => {
  test('is sent no more in a run once a right one was refused', async () => {
    const served = await serve({
      seed: { contracts: copies(12, 'orders').map((name, n) => seeded(`${name}${n}`)) },
    });
    const connection = connectTo(served);
    const wanted = { description: 'New.' };
    const lives = await listAll(connection);
    const contracts = lives.map((live) => planUpdate(live, desiredOf(live, wanted), rules));
    const { sent, writer } = watch(clientOf(connection).writer);
    const withOtherTags: CatalogWriter = {
      ...writer,
      patch: (id, patch, { ifMatch, ...options } = {}) =>
        writer.patch(id, patch, { ...options, ifMatch: ifMatch && '"0000000000000000"' }),
    };
    const plan = makePlan(served.url, contracts, []);
    const outcomes = await runAll(plan, connection, { writer: withOtherTags });
    expect(outcomes.map(({ result }) => result)).toEqual(copies(12, 'applied'));
    const tagged = sent.map(({ ifMatch }) => ifMatch !== undefined);
    expect(tagged).toEqual([...copies(10, true), ...copies(12, false)]);
  });

  test('lands the patch of one run of several at once', async () => {
    const served = await serve();
    const orders = await openOrders({ description: 'Old.', sla: retention }, served);
    const wanted = ['One.', 'Two.', 'Three.', 'Four.'];
    const plans = await Promise.all(wanted.map((description) => orders.plan({ description })));
    const outcomes = await Promise.all(plans.map((plan) => orders.run(plan)));
    expect(outcomes.map(({ result }) => result).toSorted()).toEqual([
      'applied',
      'stale',
      'stale',
      'stale',
    ]);
    const winner = outcomes.findIndex(({ result }) => result === 'applied');
    expect(await orders.contract.read()).toMatchObject({
      description: wanted[winner],
      version: 0.2,
      sla: retention,
    });
  });
});

describe('a change that the catalog does not record', () => {
  const id = { name: 'id', dataType: 'BIGINT' };
  const amount = { name: 'amount', dataType: 'DECIMAL' };
  const columns = [id, amount];
  const described = [{ ...id, description: 'One for each order.' }, amount];
  const carrier = { path: '/displayName', carrier: true };

  test('rides on a display name that is the name, and the next one takes it away', async () => {
    const orders = await openOrders({ schema: columns });
    const plan = await orders.plan({ schema: described });
    expect(plan.contracts).toMatchObject([
      {
        changes: expect.arrayContaining([
          expect.objectContaining({ ...carrier, kind: 'add', after: 'orders' }),
        ]),
        problems: [{ code: 'change-carried', severity: 'information' }],
      },
    ]);
    expect(await orders.run(plan)).toMatchObject({ result: 'applied', versionAfter: '0.2' });
    expect(await orders.contract.read()).toMatchObject({
      displayName: 'orders',
      schema: [{ description: 'One for each order.' }, {}],
    });
    expect(await orders.planOne({ schema: described })).toMatchObject({ action: 'unchanged' });
    const back = await orders.plan({ schema: columns.toReversed() });
    expect(back.contracts).toMatchObject([
      {
        changes: expect.arrayContaining([
          expect.objectContaining({ ...carrier, kind: 'remove', before: 'orders' }),
        ]),
      },
    ]);
    expect(await orders.run(back)).toMatchObject({ result: 'applied', versionAfter: '0.3' });
    expect(await orders.contract.read()).not.toHaveProperty('displayName');
  });

  test('rides along for a bot too, whose role denies it the display name alone', async () => {
    const orders = await openOrders({ schema: columns });
    const plan = await orders.plan({ schema: described });
    expect(await orders.run(plan, {}, 'ingestion-bot')).toMatchObject({ result: 'applied' });
  });

  test('needs no carrier beside one that is recorded', async () => {
    const orders = await openOrders({ schema: columns });
    const plan = await orders.planOne({ schema: described, description: 'New.' });
    expect(plan).toMatchObject({ changes: [{}, {}], problems: [] });
  });

  test.each([
    { about: 'the contract has a display name of its own', content: { displayName: 'Orders' } },
    {
      about: 'the file gives it one',
      content: { displayName: 'Orders' },
      managed: { displayName: 'Orders' },
    },
    {
      about: 'the configuration forbids it',
      own: { sections: { openmetadata: { carrier: 'none' } } },
    },
  ])('is blocked where $about', async ({ content = {}, managed = {}, own = {} }) => {
    const orders = await openOrders({ schema: columns, displayName: 'orders', ...content });
    expect(await orders.planOne({ schema: described, ...managed }, own)).toMatchObject({
      action: 'blocked',
      problems: [{ code: 'change-not-stored', hint: expect.stringContaining('description') }],
    });
  });
});

describe('a change within ten minutes of another by the same user', () => {
  const note = expect.stringContaining('one version');

  test('has no version of its own where it joins that, and the run says so once', async () => {
    const orders = await openOrders({ description: 'Old.' });
    await orders.edit([{ op: 'add', path: '/description', value: 'New.' }]);
    const { updatedAt } = await orders.contract.read();
    orders.served.pass(60_000);
    const effects = { ...hasty, now: () => updatedAt + 60_000 };
    const first = await orders.plan({ sla: retention });
    const twice = { ...first, contracts: first.contracts.flatMap((each) => copies(2, each)) };
    const outcomes = await runAll(twice, await orders.connect('admin'), { effects });
    expect(outcomes).toMatchObject([
      { result: 'applied', versionBefore: '0.2', versionAfter: '0.2', note },
      { result: 'unchanged', versionAfter: '0.2' },
    ]);
    const back = await orders.run(await orders.plan({ sla: null, description: 'Old.' }));
    expect(back).toMatchObject({ result: 'applied', versionAfter: '0.3' });
    expect(back).not.toHaveProperty('note');
  });

  test('takes the version back if it undoes the edit, without suspecting another user', async () => {
    const orders = await openOrders({});
    await orders.edit([{ op: 'add', path: '/sla', value: retention }]);
    const outcome = await orders.run(await orders.plan({ sla: null }));
    expect(outcome).toMatchObject({ result: 'applied', versionBefore: '0.2', note });
    expect(outcome.note).not.toContain('somebody');
  });
});
