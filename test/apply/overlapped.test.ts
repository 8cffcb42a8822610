import { describe, expect, test } from 'vitest';
import { advance, type Catalog, type Event, planned } from '../../src/apply/delivery.ts';
import type { CatalogReader, CatalogWriter } from '../../src/catalog/catalog.ts';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { ConfigError } from '../../src/core/diagnostic.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { updates } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { openOrders } from './openmetadata-world.ts';
import { clientOf, desiredOf, hasty, liveOf, rules } from './world.ts';

const columns = [
  { name: 'id', dataType: 'BIGINT' },
  { name: 'amount', dataType: 'DECIMAL' },
];
const positive = { name: 'r1', rule: '{"!":[1]}', description: 'A rule.' };
const [ada, mira] = ['ada', 'mira'].map((name) => ({ id: `${name}-id`, type: 'user', name }));

const before = {
  id: 'orders-id',
  description: 'Old.',
  version: 0.2,
  updatedAt: 2,
  updatedBy: 'admin',
  schema: columns,
  semantics: [positive],
  owners: [ada ?? {}, mira ?? {}],
};
const landed = { ...before, description: 'New.', version: 0.3, updatedAt: 3 };
const { semantics: _, ...withoutRules } = landed;

const catalog: Catalog = { rules, product: openmetadata, guards: 'unknown' };

/** What becomes of a new description, by what is answered and what is read afterwards. */
function outcomeOf(answer: JsonObject, read: JsonObject | Error) {
  const live = liveOf(before);
  const plan = planUpdate(live, desiredOf(live, { description: 'New.' }), rules);
  const [change] = updates(makePlan('https://catalog', [plan], []));
  if (!change) throw new Error('There is no change.');
  const events: readonly Event[] = [
    { kind: 'answered', answer: liveOf(answer), before: live },
    read instanceof Error
      ? { kind: 'unreadable', error: read }
      : { kind: 'seen', live: liveOf(read) },
  ];
  const delivery = events.reduce(
    (due, event) => advance(due, event, catalog),
    planned(change, catalog),
  );
  return delivery.state.kind === 'settled' ? delivery.state.outcome : undefined;
}

const lacks =
  'Right after the patch, the contract lacked what it had right before, as admin (0.2) had left it: semantics.';

describe('a patch that overwrote an edit', () => {
  test.for<[string, JsonObject, JsonObject | Error, string[], string]>([
    [
      'is reported by the answer and by what is stored',
      withoutRules,
      withoutRules,
      ['semantics'],
      lacks,
    ],
    [
      'is reported by the answer alone, where nothing can be read',
      withoutRules,
      new ConfigError('server-error', 'The server failed.'),
      ['semantics'],
      `${lacks} The catalog accepted the change, but the contract can't be read to check it: The server failed.`,
    ],
    [
      'is reported where the change itself is not stored either',
      withoutRules,
      { ...withoutRules, description: 'Old.' },
      ['semantics', 'description'],
      `${lacks} The catalog accepted the change, but the contract differs from the plan at description.`,
    ],
  ])('%s', ([, answer, read, differences, message]) => {
    expect(outcomeOf(answer, read)).toMatchObject({
      result: 'overlapped',
      differences,
      error: {
        code: 'overlapped',
        message,
        hint: 'The catalog overwrote an edit, or somebody took it back in that moment. Look at the contract, and set again what should stay.',
      },
    });
  });

  test('is recorded for a rollback, as it has landed', () => {
    const { changed } = outcomeOf(withoutRules, withoutRules) ?? {};
    expect(changed).toMatchObject({ after: { description: 'New.' } });
  });

  test.for<[string, JsonObject, JsonObject]>([
    ['removed something after the patch', landed, withoutRules],
    ['has set again what the answer lacks', withoutRules, landed],
  ])('is not reported where somebody %s', ([, answer, read]) => {
    expect(outcomeOf(answer, read)).toMatchObject({ result: 'applied', error: null });
  });

  test.for<[string, JsonObject]>([
    ['a column', { schema: [...columns, { name: 'x' }] }],
    ['a field', { termsOfUse: { content: 'Read.' }, effectiveFrom: 7 }],
    ['a note of the server', { version: 9.9, updatedAt: 9, latestResult: {}, href: 'x' }],
    ['an empty list', { reviewers: [] }],
    ['a default', { sla: { timezone: 'GMT+00:00 (Europe/London)' } }],
    ['a member that the server adds', { semantics: [{ ...positive, inherited: false }] }],
    ['another order of owners', { owners: [mira ?? {}, ada ?? {}] }],
    [
      'another name of an owner',
      { owners: [{ ...ada, name: 'Ada', displayName: 'Ada' }, mira ?? {}] },
    ],
  ])('is not reported where %s came in between', ([, more]) => {
    const other = { ...landed, ...more };
    for (const [answer, read] of [
      [other, landed],
      [landed, other],
      [other, other],
    ] as const)
      expect(outcomeOf(answer, read)).toMatchObject({ result: 'applied', error: null });
  });
});

const minute = 60_000;

/** A contract that was edited just now (0.2), and its patch some minutes later. */
async function patchAfter(minutes: number, edits: readonly JsonObject[], fails = false) {
  const orders = await openOrders({ description: 'Old.', schema: columns });
  const [edit, later] = edits;
  const { path } = orders.contract;
  if (edit) await orders.served.ask('PATCH', path, { body: [edit] }, 'admin');
  const plan = await orders.plan({ description: 'New.' });
  orders.served.pass(minute);
  if (later) await orders.served.ask('PATCH', path, { body: [later] });
  const { reader, writer } = clientOf(await orders.connect('admin'));
  const requests: string[] = [];
  const fetchContract: CatalogReader['fetchContract'] = (...given) => {
    if (fails && !requests.includes('PATCH')) throw new ConfigError('server-error', 'It failed.');
    requests.push('GET');
    return reader.fetchContract(...given);
  };
  const patch: CatalogWriter['patch'] = (...given) => {
    requests.push('PATCH');
    return writer.patch(...given);
  };
  const { result } = await orders.run(plan, {
    reader: { ...reader, fetchContract },
    writer: { ...writer, patch },
    effects: { ...hasty, now: () => 1_790_000_000_000 + minutes * minute },
  });
  return `${requests.join(', ')}: ${result}`;
}

const named = { op: 'add', path: '/displayName', value: 'Orders' };
const timed = { op: 'add', path: '/sla', value: { availabilityTime: '09:00' } };

test.for<[string, number, JsonObject[], boolean, string]>([
  ['is read before it is patched', 1, [named], false, 'GET, PATCH, GET: applied'],
  ['is guarded alone where that read fails', 1, [named], true, 'PATCH, GET: applied'],
  ['is stale where it was edited since the plan', 1, [named, timed], false, 'GET: stale'],
  ['is not read where the last edit is old', 16, [named], false, 'PATCH, GET: applied'],
  ['is not read before its first edit, which is a version', 1, [], false, 'PATCH, GET: applied'],
])('where edits may merge, a contract %s', async ([, minutes, edits, fails, expected]) => {
  expect(await patchAfter(minutes, edits, fails)).toBe(expected);
});
