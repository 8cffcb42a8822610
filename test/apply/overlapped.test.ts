import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/core/diagnostic.ts';
import { createWriter } from '../../src/catalog/client.ts';
import type { CatalogReader, CatalogWriter } from '../../src/catalog/catalog.ts';
import type { Apply } from '../../src/apply/apply.ts';
import { parseLiveContract } from '../../src/contract/contract.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { idOf } from '../sandbox/openmetadata/served.ts';
import { openOrders } from './openmetadata-world.ts';
import { clientOf, hasty } from './world.ts';

const start = 1_790_000_000_000;
const minute = 60_000;

const columns = [
  { name: 'id', dataType: 'BIGINT' },
  { name: 'amount', dataType: 'DECIMAL' },
];
const rules = [{ name: 'r1', rule: '{"!":[1]}', description: 'A rule.' }];

/** A contract that mira has edited just now (0.2), and a plan that describes it. */
async function openEdited(content: JsonObject = {}) {
  const orders = await openOrders({ description: 'Old.', schema: columns, ...content });
  const edited = [
    { op: 'add', path: '/displayName', value: 'Orders' },
    { op: 'add', path: '/semantics', value: rules },
  ];
  await orders.served.ask('PATCH', orders.contract.path, { body: edited }, 'admin');
  const plan = await orders.plan({ description: 'New.' });
  const { reader, writer } = clientOf(await orders.connect('admin'));
  const requests: string[] = [];
  const watched: CatalogReader = {
    ...reader,
    fetchContract: (...given) => {
      requests.push('GET');
      return reader.fetchContract(...given);
    },
  };
  const sending: CatalogWriter = {
    ...writer,
    patch: (...given) => {
      requests.push('PATCH');
      return writer.patch(...given);
    },
  };
  return {
    ...orders,
    planFor: orders.plan,
    reader: watched,
    writer: sending,
    requests,
    apply: (options: Partial<Apply> = {}, minutes = 1) =>
      orders.run(options.plan ?? plan, {
        reader: watched,
        writer: sending,
        effects: { ...hasty, now: () => start + minutes * minute },
        ...options,
      }),
  };
}

type Edited = Awaited<ReturnType<typeof openEdited>>;

/** A server that patches a state older than the one it has shown. */
function patching({ writer }: Edited, change: (document: JsonObject) => JsonObject) {
  const patch: CatalogWriter['patch'] = async (...given) =>
    otherwise((await writer.patch(...given)).document, change);
  return { ...writer, patch };
}

function otherwise(document: JsonObject, change: (document: JsonObject) => JsonObject) {
  const live = parseLiveContract(change(document));
  if (!live) throw new Error('It is no contract.');
  return live;
}

/** What is read after the patch is another than what is read before it. */
function readingThen({ reader, requests }: Edited, change: (document: JsonObject) => JsonObject) {
  const fetchContract: CatalogReader['fetchContract'] = async (...given) => {
    const live = await reader.fetchContract(...given);
    return live && requests.includes('PATCH') ? otherwise(live.document, change) : live;
  };
  return { ...reader, fetchContract };
}

const without = (field: string) => (document: JsonObject) =>
  Object.fromEntries(Object.entries(document).filter(([name]) => name !== field));

const lost = {
  result: 'overlapped',
  differences: ['semantics'],
  error: {
    code: 'overlapped',
    message:
      'Right after the patch, the contract lacked what it had right before, as admin (0.2) had left it: semantics.',
  },
};

function renamed(document: JsonObject): JsonObject {
  const owners = listOf(document['owners']).map((owner) => ({ ...owner, displayName: 'Renamed' }));
  return { ...document, owners: owners.toReversed() };
}

function withoutBoth(document: JsonObject): JsonObject {
  return { ...without('semantics')(document), description: 'Old.' };
}

describe('where edits may merge, a contract is read right before it is patched', () => {
  test('and an edit that the answer to the patch lacks is named', async () => {
    const edited = await openEdited();
    const outcome = await edited.apply({
      writer: patching(edited, without('semantics')),
      reader: readingThen(edited, without('semantics')),
    });
    expect(outcome).toMatchObject(lost);
    expect(outcome.changed).toMatchObject({ after: { description: 'New.' } });
    expect(edited.requests).toEqual(['GET', 'PATCH', 'GET']);
  });

  test('also where nothing can be read afterwards', async () => {
    const edited = await openEdited();
    const failing: CatalogReader = {
      ...edited.reader,
      fetchContract: async (...given) => {
        if (!edited.requests.includes('PATCH')) return edited.reader.fetchContract(...given);
        throw new ConfigError('server-error', 'The server failed.');
      },
    };
    const writer = patching(edited, without('semantics'));
    const outcome = await edited.apply({ writer, reader: failing });
    expect(outcome).toMatchObject({ result: 'overlapped', differences: ['semantics'] });
    expect(outcome.error?.message).toContain("can't be read to check it: The server failed.");
    const unread = await (await openEdited()).apply({ reader: failing });
    expect(unread.result).not.toBe('applied');
  });

  test('or where the change itself is not stored either', async () => {
    const edited = await openEdited();
    const outcome = await edited.apply({
      writer: patching(edited, withoutBoth),
      reader: readingThen(edited, withoutBoth),
    });
    expect(outcome).toMatchObject({
      result: 'overlapped',
      differences: ['semantics', 'description'],
    });
    expect(outcome.error?.message).toContain('differs from the plan at description');
  });

  test('but a value that another takes back after the patch was not lost by it', async () => {
    const edited = await openEdited();
    const reader = readingThen(edited, without('semantics'));
    expect(await edited.apply({ reader })).toMatchObject({ result: 'applied', error: null });
  });

  test('nor is one that is there again', async () => {
    const edited = await openEdited();
    const writer = patching(edited, without('semantics'));
    expect(await edited.apply({ writer })).toMatchObject({ result: 'applied', error: null });
  });

  const harmless: readonly (readonly [string, (document: JsonObject) => JsonObject])[] = [
    ['a column', (each) => ({ ...each, schema: [...listOf(each['schema']), { name: 'x' }] })],
    ['a field', (each) => ({ ...each, termsOfUse: { content: 'Read.' }, effectiveFrom: 7 })],
    [
      'what the server owns',
      (each) => ({
        ...each,
        version: 9.9,
        updatedAt: 1,
        updatedBy: 'zoe',
        changeDescription: {},
        latestResult: { status: 'Success' },
        href: 'x',
      }),
    ],
    [
      'a default or an empty list, or their absence',
      (each) => ({
        ...each,
        reviewers: [],
        sla: { timezone: 'GMT+00:00 (Europe/London)' },
        semantics: listOf(each['semantics']).map((rule) => ({ ...rule, inherited: false })),
        schema: listOf(each['schema']).map(({ name = null, dataType = null }) => ({
          name,
          dataType,
        })),
      }),
    ],
  ];
  test.each(harmless)('and %s that came in between is no loss', async (_, change) => {
    const edited = await openEdited();
    for (const options of [
      { writer: patching(edited, change) },
      { reader: readingThen(edited, change) },
      { writer: patching(edited, change), reader: readingThen(edited, change) },
    ]) {
      edited.requests.length = 0;
      expect((await edited.apply(options)).error).toBeNull();
      const back = [{ op: 'add', path: '/description', value: 'Old.' }];
      await edited.served.ask('PATCH', edited.contract.path, { body: back });
    }
  });

  test('and the order of owners, and what their names are, is no loss', async () => {
    const edited = await openEdited();
    const users = await Promise.all(
      ['ada', 'mira'].map((name) => idOf(edited.served, 'users', name)),
    );
    const owners = users.map((id) => ({ type: 'user', id }));
    const body = [{ op: 'add', path: '/owners', value: owners }];
    await edited.served.ask('PATCH', edited.contract.path, { body });
    const plan = await edited.planFor({ description: 'New.' });
    const options = { writer: patching(edited, renamed), reader: readingThen(edited, renamed) };
    expect(await edited.apply({ plan, ...options })).toMatchObject({ result: 'applied' });
  });

  test('and where that read fails, the guard is all there is', async () => {
    const edited = await openEdited();
    const fetchContract: CatalogReader['fetchContract'] = async (...given) => {
      if (edited.requests.includes('PATCH')) return edited.reader.fetchContract(...given);
      throw new ConfigError('server-error', 'The server failed.');
    };
    const reader = { ...edited.reader, fetchContract };
    expect(await edited.apply({ reader })).toMatchObject({ result: 'applied' });
    expect(edited.requests).toEqual(['PATCH', 'GET']);
  });

  test('and one that was edited since the plan is stale, with nothing sent', async () => {
    const edited = await openEdited();
    edited.served.pass(minute);
    const body = [{ op: 'add', path: '/sla', value: { availabilityTime: '09:00' } }];
    await edited.served.ask('PATCH', edited.contract.path, { body });
    expect(await edited.apply()).toMatchObject({
      result: 'stale',
      error: { code: 'contract-moved' },
    });
    expect(edited.requests).toEqual(['GET']);
  });
});

describe('there is no other request', () => {
  test('where nobody has edited the contract for a while', async () => {
    const edited = await openEdited();
    expect(await edited.apply({}, 16)).toMatchObject({ result: 'applied' });
    expect(edited.requests).toEqual(['PATCH', 'GET']);
  });

  test('nor for the first edit of a contract, which is a version of its own', async () => {
    const orders = await openOrders({ description: 'Old.' });
    const log: string[] = [];
    const connection = await orders.connect('admin', { log: (line) => void log.push(line) });
    const writer = createWriter(connection);
    const plan = await orders.plan({ description: 'New.' });
    const { reader } = clientOf(connection);
    const run = { effects: { ...hasty, now: () => start }, writer, reader };
    expect(await orders.run(plan, run)).toMatchObject({ result: 'applied' });
    expect(log.filter((line) => line.startsWith('GET'))).toHaveLength(1);
  });
});

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value : [];
}
