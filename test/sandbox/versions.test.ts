import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { orders, ordersId, patch, send, serve } from './served.ts';

const path = `/v1/dataContracts/${ordersId}/versions`;
const unknown = '/v1/dataContracts/0a000000-0000-4000-8000-00000000ffff/versions';

/** Versions 0.1, 0.2 (a description) and 1.0 (the status). */
async function serveThreeVersions(): Promise<[Sandbox, unknown[]]> {
  const sandbox = await serve({ seed: [orders] });
  const second = await patch(sandbox, ordersId, [
    { op: 'replace', path: '/description', value: 'Orders.' },
  ]);
  const third = await patch(sandbox, ordersId, [
    { op: 'replace', path: '/entityStatus', value: 'Active' },
  ]);
  return [sandbox, [third.body, second.body, orders]];
}

describe('the history of a contract', () => {
  test('holds every version as a JSON text, newest first', async () => {
    const [sandbox, expected] = await serveThreeVersions();
    const { status, body } = await send(sandbox, path);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['entityType', 'versions']);
    expect(body.entityType).toBe('dataContract');
    expect(body.versions.map((text: string) => JSON.parse(text))).toEqual(expected);
  });

  test('is not found for an unknown contract', async () => {
    const sandbox = await serve({ seed: [orders] });
    const { status, body } = await send(sandbox, unknown);
    expect(status).toBe(404);
    expect(body).toEqual({ code: 404, errorType: 'NOT_FOUND', message: expect.any(String) });
  });
});

describe('one version', () => {
  test('is found by its number with the decimal', async () => {
    const [sandbox, expected] = await serveThreeVersions();
    for (const [index, version] of ['1.0', '0.2', '0.1'].entries()) {
      const { status, body } = await send(sandbox, `${path}/${version}`);
      expect(status).toBe(200);
      expect(body).toEqual(expected[index]);
    }
  });

  test.each(['1', '0.3'])('is not found by %s', async (version) => {
    const [sandbox] = await serveThreeVersions();
    const { status, body } = await send(sandbox, `${path}/${version}`);
    expect(status).toBe(404);
    expect(body.errorType).toBe('NOT_FOUND');
  });

  test('is not found for an unknown contract', async () => {
    const sandbox = await serve({ seed: [orders] });
    expect((await send(sandbox, `${unknown}/0.1`)).status).toBe(404);
  });
});
