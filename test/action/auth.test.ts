import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { arrange, changeOf } from './catalog.ts';
import { pullRequestEvent, runAction } from './run-action.ts';

/** Plays GitHub, which gives ID tokens to jobs, and the issuer, which knows GitHub. */
async function serveIssuer(catalogToken: string) {
  const app = new Hono();
  const asked: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    void getRequestListener(app.fetch)(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app.get('/id-token', ({ req, json }) => json({ value: `id-token-for-${req.query('audience')}` }));
  app.get('/.well-known/openid-configuration', ({ json }) =>
    json({ issuer: url, token_endpoint: `${url}/token` }),
  );
  app.post('/token', async ({ req, json }) => {
    asked.push(Object.fromEntries(new URLSearchParams(await req.text())));
    return json({ access_token: catalogToken, token_type: 'Bearer', expires_in: 600 });
  });
  const environment = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/id-token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token-of-the-job',
  };
  return { url, asked, environment };
}

test("GitHub's ID token is enough: no secret is stored", async () => {
  const { folder, inputs, catalog } = await arrange({ orders: changeOf('orders') }, ['orders']);
  const issuer = await serveIssuer(catalog.token);
  const run = await runAction({
    folder,
    event: pullRequestEvent({ fork: true }),
    inputs: {
      'catalog-url': inputs['catalog-url'],
      'auth-issuer': issuer.url,
      'auth-client-id': 'contract-sync',
      'auth-scope': 'contracts',
      'auth-id-token-audience': 'catalog',
    },
    environment: issuer.environment,
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.outputs).toMatchObject({ updates: '1' });
  expect(issuer.asked).toEqual([
    expect.objectContaining({
      grant_type: 'client_credentials',
      client_assertion: 'id-token-for-catalog',
      scope: 'contracts',
    }),
  ]);
  const masked = run.commands.filter(({ name }) => name === 'add-mask');
  expect(masked.map(({ message }) => message)).toEqual(
    expect.arrayContaining([catalog.token, 'id-token-for-catalog', 'request-token-of-the-job']),
  );
});

test('an issuer without a secret and without an ID token says which permission is missing', async () => {
  const { folder, inputs } = await arrange({ orders: changeOf('orders') }, ['orders']);
  const run = await runAction({
    folder,
    event: pullRequestEvent(),
    inputs: {
      'catalog-url': inputs['catalog-url'],
      'auth-issuer': 'http://127.0.0.1:1',
      'auth-client-id': 'contract-sync',
    },
  });
  expect(run.code).toBe(1);
  expect(run.outputs['failure-reason']).toBe('auth');
  expect(run.stdout).toContain('id-token: write');
});
