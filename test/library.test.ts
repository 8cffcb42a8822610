import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  apply,
  diff,
  evaluate,
  openPlan,
  openTokenSource,
  SyncError,
  sync,
  validate,
} from '../src/index.ts';
import { serve } from './support/server.ts';
import { makeFolder, serveCatalog } from './support/workspace.ts';

const file = 'fullyQualifiedName: shop.orders\ndescription: New.\n';

async function shop() {
  const seed = [{ name: 'orders', fullyQualifiedName: 'shop.orders', description: 'Old.' }];
  const { url: catalogUrl, token } = await serveCatalog({ seed });
  return { catalogUrl, token, folder: makeFolder({ 'contracts/orders.yaml': file }) };
}

test('every request goes by the `fetch` that is given', async () => {
  const requests: string[] = [];
  const options = {
    ...(await shop()),
    fetch: async (...[url, init]: Parameters<typeof fetch>) => {
      requests.push(`${init?.method} ${new URL(new Request(url).url).pathname}`);
      return fetch(url, init);
    },
  };
  const { outcomes } = await apply(await sync(options), options);
  expect(outcomes).toMatchObject([{ result: 'applied' }]);
  expect(requests.some((request) => request.startsWith('PATCH '))).toBe(true);
  expect(requests).toContain('GET /api/v1/dataContracts');
});

describe('a signal', () => {
  test('that is aborted ends a plan with its reason, though the catalog never answers', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const { url } = await serve(() => stop.abort(reason));
    const options = { ...(await shop()), catalogUrl: url.href, signal: stop.signal };
    await expect(sync(options)).rejects.toBe(reason);
    await expect(sync(options)).rejects.toBe(reason);
  });

  test('that is aborted before an apply has it send nothing', async () => {
    const options = await shop();
    const plan = await sync(options);
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(apply(plan, { ...options, signal })).rejects.toBe(reason);
    expect(await sync(options)).toEqual(plan);
  });

  test('that is aborted while a patch is under way lets it end', async () => {
    const stop = new AbortController();
    const options = {
      ...(await shop()),
      signal: stop.signal,
      fetch: async (...[url, init]: Parameters<typeof fetch>) => {
        if (init?.method === 'PATCH') stop.abort();
        return fetch(url, init);
      },
    };
    const { outcomes } = await apply(await sync(options), options);
    expect(outcomes).toMatchObject([{ result: 'applied' }]);
  });
});

test.each([['nowhere'], ['contracts/orders.yaml']])(
  'a path that leads to no folder, %s, is a SyncError',
  async (name) => {
    const options = await shop();
    const folder = join(options.folder, name);
    for (const run of [sync({ ...options, folder }), validate({ folder })]) {
      const error: unknown = await run.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SyncError);
      expect(error).toMatchObject({ code: 'no-folder', hint: 'Correct the option `folder`.' });
    }
  },
);

test('`evaluate` takes what `diff` gives, and a patch', () => {
  const [before, after] = [{ list: [1, 2, 3] }, { list: [3, 1], more: true }];
  const edits = diff(before, after);
  expect(evaluate(before, edits)).toEqual(after);
  expect(
    evaluate(
      before,
      edits.map(({ operation }) => operation),
    ),
  ).toEqual(after);
});

test('a text without a plan and a token source without settings are refused at once', () => {
  expect(() => openPlan('[]')).toThrow(expect.objectContaining({ code: 'not-a-plan' }));
  expect(() => openTokenSource({})).toThrow(expect.objectContaining({ code: 'no-token' }));
});
