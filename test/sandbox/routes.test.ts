import { expect, test } from 'vitest';
import { ordersId, send, serve } from './served.ts';

const contract = `/v1/dataContracts/${ordersId}`;

test.each(['', '/v1/tables', `${contract}/other`])('there is nothing at "%s"', async (path) => {
  const sandbox = await serve();
  const { status, body, headers } = await send(sandbox, path);
  expect(status).toBe(404);
  expect(headers.get('Content-Type')).toContain('application/json');
  expect(body).toEqual({ code: 404, errorType: 'NOT_FOUND', message: expect.any(String) });
});

test('a path outside of the base URL is a 404 in JSON', async () => {
  const { url } = await serve();
  const response = await fetch(new URL('/', url));
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 404 });
});

test.each([
  ['POST', '/v1/dataContracts', 'GET'],
  ['GET', contract, 'PATCH'],
  ['PATCH', `${contract}/versions`, 'GET'],
])('the interface has no operation %s %s', async (method, path, allowed) => {
  const sandbox = await serve();
  const { status, body, headers } = await send(sandbox, path, { method });
  expect(status).toBe(405);
  expect(headers.get('Allow')).toBe(allowed);
  expect(body).toMatchObject({ code: 405, errorType: 'METHOD_NOT_ALLOWED' });
});
