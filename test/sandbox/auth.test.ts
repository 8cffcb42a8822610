import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Answer, orders, ordersId, send, sendPatch, serve } from './served.ts';

const operations = [
  ['GET', '/v1/dataContracts'],
  ['PATCH', `/v1/dataContracts/${ordersId}`],
  ['GET', `/v1/dataContracts/${ordersId}/versions`],
  ['GET', `/v1/dataContracts/${ordersId}/versions/0.1`],
] as const;

function callAs(
  sandbox: Sandbox,
  token: string,
  [method, path]: (typeof operations)[number] = operations[0],
): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return send(sandbox, path, { method, headers, ...(method === 'PATCH' && { body: '[]' }) });
}

test.each(operations)('%s %s needs a token with the permission', async (method, path) => {
  const sandbox = await serve({ seed: [orders], token: 'opaque-token' });
  const unknown = await fetch(`${sandbox.url}${path}`, { method });
  expect(unknown.status).toBe(401);
  expect(unknown.headers.get('WWW-Authenticate')).toBe('Bearer');
  const powerless = await sandbox.issueToken({ subject: 'eve', permissions: [] });
  const operation = [method, path] as (typeof operations)[number];
  const { status, body } = await callAs(sandbox, powerless, operation);
  expect(status).toBe(403);
  expect(body.message).toMatch(/^eve lacks the permission to \w+ data contracts\.$/u);
  const statuses = ['opaque-token', sandbox.token, sandbox.readOnlyToken].map(
    async (token) => (await callAs(sandbox, token, operation)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, method === 'PATCH' ? 403 : 200]);
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
  expect((await callAs(sandbox, token)).status).toBe(200);
  now += 1000;
  const { status, headers } = await callAs(sandbox, token);
  expect(status).toBe(401);
  expect(headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
});

test('a token of another sandbox, without a signature, or made up is refused, and not shown', async () => {
  const [sandbox, other] = [await serve(), await serve()];
  const claims = { permissions: ['list', 'update', 'view'] };
  const unsigned = new UnsecuredJWT(claims).setSubject('mallory').encode();
  const forged = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('mallory')
    .sign(Buffer.alloc(32));
  for (const token of [other.token, unsigned, forged, 'nonsense', 'a.b.c', 'a b', '']) {
    const { status, body } = await callAs(sandbox, token);
    expect(status).toBe(401);
    if (token !== '') expect(JSON.stringify(body)).not.toContain(token);
  }
});
