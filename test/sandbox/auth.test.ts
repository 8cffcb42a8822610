import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Answer, orders, ordersId, patch, send, sendPatch, serve } from './served.ts';

const operations = [
  ['GET', '/v1/dataContracts'],
  ['PATCH', `/v1/dataContracts/${ordersId}`],
  ['GET', `/v1/dataContracts/${ordersId}/versions`],
  ['GET', `/v1/dataContracts/${ordersId}/versions/0.1`],
] as const;

function callAs(sandbox: Sandbox, token: string, method: string, path: string): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return send(sandbox, path, { method, headers, ...(method === 'PATCH' && { body: '[]' }) });
}

describe.each(operations)('%s %s', (method, path) => {
  test('needs a token', async () => {
    const { url } = await serve({ seed: [orders] });
    const response = await fetch(`${url}${path}`, { method });
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    const message = expect.any(String);
    expect(await response.json()).toEqual({ code: 401, errorType: 'UNAUTHORIZED', message });
  });

  test('names the permission that is lacking', async () => {
    const sandbox = await serve({ seed: [orders] });
    const token = await sandbox.issueToken({ subject: 'eve', permissions: [] });
    const { status, body } = await callAs(sandbox, token, method, path);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 403, errorType: 'FORBIDDEN' });
    expect(body.message).toMatch(/^eve lacks the permission to \w+ data contracts\.$/u);
  });

  test('serves a token with every permission', async () => {
    const sandbox = await serve({ seed: [orders], token: 'opaque-token' });
    expect((await callAs(sandbox, sandbox.token, method, path)).status).toBe(200);
    expect((await callAs(sandbox, 'opaque-token', method, path)).status).toBe(200);
  });
});

test('the read-only token may list and view, and not update', async () => {
  const sandbox = await serve({ seed: [orders] });
  for (const [method, path] of operations) {
    const { status } = await callAs(sandbox, sandbox.readOnlyToken, method, path);
    expect(status).toBe(method === 'PATCH' ? 403 : 200);
  }
});

test('a contract is updated in the name of the token', async () => {
  const sandbox = await serve({ seed: [orders] });
  const token = await sandbox.issueToken({ subject: 'ci-bot', permissions: ['update'] });
  const body = JSON.stringify([{ op: 'remove', path: '/sla' }]);
  const answer = await sendPatch(sandbox, ordersId, body, { Authorization: `Bearer ${token}` });
  expect(answer.body.updatedBy).toBe('ci-bot');
});

test('a token expires by the clock of the sandbox', async () => {
  let now = 1_700_000_000_000;
  const sandbox = await serve({ now: () => now });
  const token = await sandbox.issueToken({
    subject: 'ada',
    permissions: ['list'],
    expiresInSeconds: 60,
  });
  now += 59_000;
  expect((await callAs(sandbox, token, 'GET', '/v1/dataContracts')).status).toBe(200);
  now += 1000;
  const { status, headers } = await callAs(sandbox, token, 'GET', '/v1/dataContracts');
  expect(status).toBe(401);
  expect(headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
});

describe('a token is refused', () => {
  const claims = { permissions: ['list', 'update', 'view'] };

  test('if another sandbox has issued it', async () => {
    const [sandbox, other] = [await serve(), await serve()];
    expect((await callAs(sandbox, other.token, 'GET', '/v1/dataContracts')).status).toBe(401);
  });

  test('if it is not signed', async () => {
    const sandbox = await serve();
    const token = new UnsecuredJWT(claims).setSubject('mallory').encode();
    expect((await callAs(sandbox, token, 'GET', '/v1/dataContracts')).status).toBe(401);
  });

  test('if it is signed with another secret', async () => {
    const sandbox = await serve();
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('mallory')
      .sign(Buffer.alloc(32));
    expect((await callAs(sandbox, token, 'GET', '/v1/dataContracts')).status).toBe(401);
  });

  test.each(['nonsense', 'undefined', 'a.b.c'])('if it is %s', async (token) => {
    const sandbox = await serve();
    expect((await callAs(sandbox, token, 'GET', '/v1/dataContracts')).status).toBe(401);
  });

  test.each(['Basic YWRtaW46YWRtaW4=', 'Bearer', 'Bearer a b'])(
    'in the header "%s"',
    async (header) => {
      const sandbox = await serve();
      const headers = { Authorization: header };
      expect((await send(sandbox, '/v1/dataContracts', { headers })).status).toBe(401);
    },
  );
});

test('a message never shows the token', async () => {
  const sandbox = await serve({ seed: [orders] });
  const { body } = await callAs(sandbox, 'secret-token', 'GET', '/v1/dataContracts');
  expect(JSON.stringify(body)).not.toContain('secret-token');
  expect((await patch(sandbox, ordersId, [])).status).toBe(200);
});
