import { describe, expect, test } from 'vitest';
import type { Patch } from '../../src/patch/evaluate.ts';
import { list, orders, ordersId, patch, sendPatch, serve } from './served.ts';

const later = 1_700_000_100_000;

function serveOrders(now = later) {
  return serve({ seed: [orders], now: () => now });
}

describe('a patch', () => {
  test('answers with the full contract, its new version and what changed', async () => {
    const sandbox = await serveOrders();
    const { status, body } = await patch(sandbox, ordersId, [
      { op: 'replace', path: '/description', value: 'Orders.' },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...orders,
      description: 'Orders.',
      version: 0.2,
      updatedAt: later,
      updatedBy: 'admin',
      changeDescription: {
        fieldsUpdated: [
          { name: 'description', oldValue: 'One row per order.', newValue: 'Orders.' },
        ],
      },
    });
  });

  test.each<[string, Patch, (body: Record<string, unknown[]>) => unknown, unknown]>([
    [
      'appends a semantic rule',
      [{ op: 'add', path: '/semantics/-', value: { name: 'new' } }],
      (body) => body['semantics']?.[2],
      { name: 'new' },
    ],
    [
      'changes the owners',
      [{ op: 'replace', path: '/owners/0/name', value: 'finance' }],
      (body) => body['owners'],
      [{ type: 'team', name: 'finance' }],
    ],
    [
      'moves and copies',
      [
        { op: 'move', from: '/semantics/0', path: '/semantics/1' },
        { op: 'copy', from: '/semantics/0', path: '/semantics/-' },
      ],
      (body) => body['semantics']?.map((rule) => (rule as { name: string }).name),
      ['order has an id', 'amount is positive', 'order has an id'],
    ],
  ])('%s', async (_, operations, pick, expected) => {
    const sandbox = await serveOrders();
    const { status, body } = await patch(sandbox, ordersId, operations);
    expect(status).toBe(200);
    expect(pick(body)).toEqual(expected);
  });

  test('names each changed field, with null for what came or went', async () => {
    const sandbox = await serveOrders();
    const { body } = await patch(sandbox, ordersId, [
      { op: 'add', path: '/displayName', value: 'Orders' },
      { op: 'remove', path: '/sla' },
    ]);
    expect(body.changeDescription.fieldsUpdated).toEqual([
      { name: 'displayName', oldValue: null, newValue: 'Orders' },
      { name: 'sla', oldValue: orders['sla'], newValue: null },
    ]);
  });

  test('that changes nothing stores no version and reports no update', async () => {
    const sandbox = await serveOrders();
    const { body: first } = await patch(sandbox, ordersId, [{ op: 'remove', path: '/sla' }]);
    for (const operations of [
      [],
      [{ op: 'replace', path: '/description', value: 'One row per order.' }],
    ] satisfies Patch[]) {
      const { status, body } = await patch(sandbox, ordersId, operations);
      expect(status).toBe(200);
      expect(body).toEqual({ ...first, changeDescription: { fieldsUpdated: [] } });
    }
  });

  test('gets identity and server fields put back without a word', async () => {
    const sandbox = await serveOrders();
    const { status, body } = await patch(sandbox, ordersId, [
      { op: 'replace', path: '/id', value: '0a000000-0000-4000-8000-000000000002' },
      { op: 'replace', path: '/name', value: 'other' },
      { op: 'remove', path: '/fullyQualifiedName' },
      { op: 'replace', path: '/version', value: 9 },
      { op: 'replace', path: '/updatedAt', value: 1 },
      { op: 'replace', path: '/updatedBy', value: 'mallory' },
      { op: 'add', path: '/changeDescription', value: {} },
      { op: 'add', path: '/deleted', value: true },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({ ...orders, changeDescription: { fieldsUpdated: [] } });
  });

  test('may carry its media type with parameters, or be plain JSON', async () => {
    const sandbox = await serveOrders();
    for (const type of ['application/json', 'Application/JSON-Patch+json; charset=utf-8']) {
      const { status } = await sendPatch(sandbox, ordersId, '[]', { 'Content-Type': type });
      expect(status).toBe(200);
    }
  });
});

describe('a guarded patch', () => {
  const change = { op: 'replace', path: '/description', value: 'new' } as const;

  test.each([
    ['/updatedAt', 1_700_000_000_000],
    ['/version', 0.1],
    ['/entityStatus', 'Draft'],
    ['/owners', [{ name: 'data-platform', type: 'team' }]],
  ])('lands if %s is as tested', async (path, value) => {
    const sandbox = await serveOrders();
    const { status, body } = await patch(sandbox, ordersId, [{ op: 'test', path, value }, change]);
    expect(status).toBe(200);
    expect(body.version).toBe(0.2);
  });

  test('is refused if the contract has moved on', async () => {
    const sandbox = await serveOrders();
    await patch(sandbox, ordersId, [{ op: 'remove', path: '/sla' }]);
    const guard = { op: 'test', path: '/updatedAt', value: 1_700_000_000_000 } as const;
    const { status, body } = await patch(sandbox, ordersId, [guard, change]);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 400, errorType: 'BAD_REQUEST' });
  });
});

describe('a patch is refused', () => {
  test.each<[string, string]>([
    ['a value that is not JSON', '{"op":'],
    ['an object instead of an array', '{"op":"add","path":"/a","value":1}'],
    ['a member that is not there', '[{"op":"remove","path":"/displayName"}]'],
    ['a status of no contract', '[{"op":"replace","path":"/entityStatus","value":"Live"}]'],
    ['a description that is no text', '[{"op":"replace","path":"/description","value":1}]'],
    ['semantics that are no array', '[{"op":"replace","path":"/semantics","value":{}}]'],
    ['an entity id that is no UUID', '[{"op":"replace","path":"/entity/id","value":"orders"}]'],
    ['a document that is no object', '[{"op":"replace","path":"","value":[]}]'],
    [
      'nesting without end',
      `[{"op":"add","path":"/x","value":${'['.repeat(9e4)}${']'.repeat(9e4)}}]`,
    ],
  ])('with 400 for %s', async (_, text) => {
    const sandbox = await serveOrders();
    const { status, body } = await sendPatch(sandbox, ordersId, text);
    expect(status).toBe(400);
    expect(body).toEqual({ code: 400, errorType: 'BAD_REQUEST', message: expect.any(String) });
    expect((await list(sandbox)).body.data[0].version).toBe(0.1);
  });

  test('whole, with what its first operations had done', async () => {
    const sandbox = await serveOrders();
    const before = await list(sandbox, '?fields=owners,reviewers,extension');
    const { status } = await patch(sandbox, ordersId, [
      { op: 'replace', path: '/description', value: 'new' },
      { op: 'remove', path: '/owners' },
      { op: 'test', path: '/version', value: 9 },
    ]);
    expect(status).toBe(400);
    const after = await list(sandbox, '?fields=owners,reviewers,extension');
    expect(after.body).toEqual(before.body);
  });

  test.each(['text/plain', 'application/merge-patch+json'])(
    'with 415 for the media type %s',
    async (type) => {
      const sandbox = await serveOrders();
      const answer = await sendPatch(sandbox, ordersId, '[]', { 'Content-Type': type });
      expect(answer.status).toBe(415);
      expect(answer.body.message).toContain('application/json-patch+json');
    },
  );

  test.each(['0a000000-0000-4000-8000-00000000ffff', 'orders'])(
    'with 404 for the unknown contract %s',
    async (id) => {
      const sandbox = await serveOrders();
      const { status, body } = await patch(sandbox, id, []);
      expect(status).toBe(404);
      expect(body).toEqual({ code: 404, errorType: 'NOT_FOUND', message: expect.any(String) });
    },
  );
});
