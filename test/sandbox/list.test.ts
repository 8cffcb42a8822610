import { test as property, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { entityId, list, listed, orders, ordersId, serve } from './served.ts';

const seven: JsonObject[] = Array.from({ length: 7 }, (_, index) => ({
  // Names repeat, so that the order rests on ids too.
  name: `contract ${Math.floor(index / 2)}`,
  fullyQualifiedName: `warehouse.${index}`,
  entityStatus: index < 3 ? 'Active' : 'Draft',
  deleted: index === 6,
}));

async function names(sandbox: Sandbox, query: string): Promise<string[]> {
  const { body } = await list(sandbox, query);
  return body.data.map((contract: JsonObject) => contract['fullyQualifiedName']);
}

describe('a list', () => {
  test('holds whole contracts without the optional fields', async () => {
    const sandbox = await serve({ seed: [orders] });
    const { status, body } = await list(sandbox);
    expect(status).toBe(200);
    expect(body).toEqual({ data: [listed(orders)], paging: { total: 1 } });
  });

  test('adds the requested fields, and leaves out those that a contract lacks', async () => {
    const { reviewers: _, ...unreviewed } = orders;
    const sandbox = await serve({ seed: [unreviewed] });
    const { body } = await list(sandbox, '?fields=owners,%20reviewers,owners');
    const expected = { ...listed(orders), owners: orders['owners'] };
    expect(body.data).toEqual([expected]);
    const all = await list(sandbox, '?fields=owners,reviewers,extension');
    expect(all.body.data).toEqual([{ ...expected, extension: orders['extension'] }]);
  });

  test.each([
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['fields=owners,tags', 'fields'],
    ['include=some', 'include'],
    ['status=active', 'status'],
    ['entity=orders', 'entity'],
    [`before=${Buffer.from('{"name":"a"}').toString('base64url')}`, 'before'],
    [`after=${Buffer.from('{"id":"b", "name":"a"}').toString('base64url')}`, 'after'],
  ])('is refused for %s', async (query, culprit) => {
    const sandbox = await serve({ seed: seven });
    const { status, body } = await list(sandbox, `?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 400, errorType: 'BAD_REQUEST' });
    expect(body.message).toContain(`\`${culprit}\``);
  });

  test('is refused for two cursors at once', async () => {
    const sandbox = await serve({ seed: seven });
    const { after } = (await list(sandbox, '?limit=2')).body.paging;
    expect((await list(sandbox, `?before=${after}&after=${after}`)).status).toBe(400);
  });
});

describe('filters', () => {
  test('show deleted contracts only when they are included', async () => {
    const sandbox = await serve({ seed: seven });
    expect(await names(sandbox, '')).toHaveLength(6);
    expect(await names(sandbox, '?include=non-deleted')).toHaveLength(6);
    expect(await names(sandbox, '?include=deleted')).toEqual(['warehouse.6']);
    expect(await names(sandbox, '?include=all')).toHaveLength(7);
  });

  test('select by status', async () => {
    const sandbox = await serve({ seed: seven });
    expect(await names(sandbox, '?status=Active')).toHaveLength(3);
    expect(await names(sandbox, '?status=Draft')).toHaveLength(3);
    expect(await names(sandbox, '?status=Draft&include=all')).toHaveLength(4);
    expect(await names(sandbox, '?status=Deprecated')).toEqual([]);
  });

  test('select by the attached entity', async () => {
    const sandbox = await serve({ seed: [...seven, orders] });
    const { body } = await list(sandbox, `?entity=${entityId}`);
    expect(body.data).toEqual([listed(orders)]);
    expect(body.paging).toEqual({ total: 1 });
    expect(await names(sandbox, `?entity=${entityId}&status=Active`)).toEqual([]);
    expect(await names(sandbox, `?entity=${ordersId}`)).toEqual([]);
  });
});

/** Pages in one direction from a query on, until there is no further cursor. */
async function walk(sandbox: Sandbox, query: string, direction: 'before' | 'after') {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { body } = await list(sandbox, `?${query}${cursor ? `&${direction}=${cursor}` : ''}`);
    pages.push(body.data.map(({ id }: { id: string }) => id));
    cursor = body.paging[direction];
  } while (cursor !== undefined);
  return pages;
}

describe('cursors', () => {
  property.prop(
    [
      fc.array(fc.constantFrom('a', 'B', 'é', '名', "o'clock", ''), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
    ],
    { numRuns: 40 },
  )('visit each contract once, in one order, forward and backward', async (names, limit) => {
    const sandbox = await serve({
      seed: names.map((name, index) => ({ name, fullyQualifiedName: `${name}.${index}` })),
    });
    const forward = await walk(sandbox, `limit=${limit}`, 'after');
    const ids = forward.flat();
    expect(new Set(ids).size).toBe(names.length);
    expect(ids).toEqual((await walk(sandbox, 'limit=100', 'after')).flat());
    expect(forward.slice(0, -1).every((page) => page.length === limit)).toBe(true);

    const last = (await list(sandbox, '?limit=1000')).body.data.at(-1);
    if (!last) return;
    const end = Buffer.from(JSON.stringify({ name: last.name, id: last.id })).toString('base64url');
    const backward: string[][] = [];
    for (let before: string | undefined = end; before !== undefined;) {
      const { body } = await list(sandbox, `?limit=${limit}&before=${before}`);
      backward.unshift(body.data.map(({ id }: { id: string }) => id));
      before = body.paging.before;
    }
    expect(backward.flat()).toEqual(ids.slice(0, -1));
  });
});
