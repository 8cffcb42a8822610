import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { serveProxy } from '../support/proxy.ts';
import { arrange } from './catalog.ts';
import { pullRequestEvent, runAction } from './run-action.ts';

/**
 * Plays GitHub, which gives ID tokens to jobs, and the issuer, which knows GitHub. The statuses are
 * those of GitHub's first answers.
 */
async function serveIssuer(catalogToken: string, statuses: (403 | 502)[] = []) {
  const app = new Hono();
  const asked: Record<string, string>[] = [];
  const listener = getRequestListener(app.fetch);
  const port = await listen(createServer((request, response) => void listener(request, response)));
  const url = `http://127.0.0.1:${port}`;
  app.get('/id-token', ({ req, json }) => {
    const bearer = req.header('authorization');
    const status = bearer === 'Bearer request-token-of-the-job' ? statuses.shift() : 401;
    if (status !== undefined) return json({}, status);
    return json({ value: `id-token-for-${req.query('audience')}` });
  });
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
  return { url, port, asked, environment };
}

/** A repository with one change, for whose catalog the issuer gives tokens. */
async function arrangeIssuer(statuses?: (403 | 502)[]) {
  const { folder, inputs, catalog } = await arrange();
  const issuer = await serveIssuer(catalog.token, statuses);
  const world = {
    folder,
    event: pullRequestEvent({ fork: true }),
    inputs: {
      'catalog-url': inputs['catalog-url'],
      'auth-issuer': issuer.url,
      'auth-client-id': 'contract-sync',
      'auth-scope': 'contracts',
      'auth-id-token-audience': 'catalog',
      'allow-forks': 'true',
    },
    environment: issuer.environment,
  };
  return { world, issuer, catalog };
}

test("GitHub's ID token is enough: no secret is stored", async () => {
  const { world, issuer, catalog } = await arrangeIssuer();
  const run = await runAction(world);
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

test('an ID token is requested again while GitHub is too busy', async () => {
  const { world } = await arrangeIssuer([502]);
  const run = await runAction(world);
  expect(run).toMatchObject({ code: 0, outputs: { updates: '1' } });
});

test('a run without the permission for an ID token ends and names the permission', async () => {
  const { world, issuer } = await arrangeIssuer([403]);
  const run = await runAction(world);
  expect(run).toMatchObject({ code: 1, stderr: '', outputs: { 'failure-reason': 'auth' } });
  const error = run.commands.find(({ name }) => name === 'error');
  expect(error?.message).toMatch(
    /^GitHub didn.t issue an ID token \(status 403\)\.\n.*id-token: write/u,
  );
  expect(issuer.asked).toEqual([]);
});

test('an ID token is requested through the proxy of the environment', async () => {
  const { world, issuer } = await arrangeIssuer();
  const { proxy, asked } = await serveProxy(issuer.port);
  const run = await runAction({
    ...world,
    environment: {
      ...world.environment,
      ACTIONS_ID_TOKEN_REQUEST_URL: 'http://github.test/id-token?api-version=2.0',
      http_proxy: proxy,
    },
  });
  expect(run).toMatchObject({ code: 0, stderr: '', outputs: { updates: '1' } });
  expect(asked).toEqual(['github.test']);
});

test('an issuer with neither a secret nor an ID token ends the run and names the missing permission', async () => {
  const { folder, inputs } = await arrange();
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
