import { decodeJwt, exportJWK, exportPKCS8 } from 'jose';
import { expect, test } from 'vitest';
import { createReader } from '../../src/catalog/client.ts';
import type { AuthSettings } from '../../src/auth/token.ts';
import { createTokenSource } from '../../src/auth/source.ts';
import { collect, connectTo, sendJson, serve } from '../support/server.ts';
import { gitHubIdToken } from './github.ts';
import { audience, clientKeys, clientSecret, serveProvider } from './provider.ts';
import { serveTrusting } from './trusting.ts';

const secret = { value: `${clientSecret}\n`, origin: 'CONTRACT_SYNC_CLIENT_SECRET' };
const pem = await exportPKCS8(clientKeys.privateKey);
const jwk = JSON.stringify(await exportJWK(clientKeys.privateKey));

/** Gets a token and lists a catalog with it, which checks its signature, issuer and audience. */
async function tokenFor(settings: AuthSettings): Promise<string> {
  const { issuer = '' } = settings;
  const catalog = await serveTrusting(issuer);
  const token = createTokenSource(settings, { idToken: gitHubIdToken });
  const reader = createReader(connectTo(new URL(catalog), { token }));
  expect(await collect(reader.list())).toMatchObject([{ contracts: [] }]);
  return token();
}

test.for<{ name: string; subject: string; settings: AuthSettings }>([
  {
    name: 'by a secret in the header',
    subject: 'basic',
    settings: { clientId: 'basic', clientSecret: secret },
  },
  {
    name: 'by a secret in the body',
    subject: 'post',
    settings: { clientId: 'post', clientSecret: secret, method: 'client-secret-post' },
  },
  {
    name: 'by a private key as PEM',
    subject: 'key',
    settings: { clientId: 'key', privateKey: { value: pem, origin: 'a variable' } },
  },
  {
    name: 'by a private key as JWK',
    subject: 'key',
    settings: { clientId: 'key', privateKey: { value: jwk, origin: 'a variable' } },
  },
  {
    name: "in exchange for GitHub's ID token",
    subject: 'exchange',
    settings: { clientId: 'exchange', method: 'github-token-exchange' },
  },
])('the catalog takes the token that a client gets: $name', async ({ subject, settings }) => {
  const { issuer } = await serveProvider();
  const token = await tokenFor({ ...settings, issuer, scope: 'contracts' });
  expect(decodeJwt(token)).toMatchObject({ sub: subject, scope: 'contracts', aud: audience });
});

/** Plays an issuer that knows GitHub, which the real provider here does not: no more than that. */
test("GitHub's ID token stands for the client's secret, and is made anew for each request", async () => {
  const bodies: URLSearchParams[] = [];
  const server = await serve(({ path, body }, response) => {
    if (path.startsWith('/api/.well-known')) {
      const issuer = server.url.href;
      return sendJson(response, { issuer, token_endpoint: `${issuer}/token` });
    }
    bodies.push(new URLSearchParams(body));
    const failsFirst = bodies.length === 1;
    sendJson(response, { access_token: 'ours', token_type: 'bearer' }, failsFirst ? 500 : 200);
  });
  const audiences: string[] = [];
  const token = createTokenSource(
    { issuer: server.url.href, clientId: 'ci', idTokenAudience: 'api://exchange', scope: 'x' },
    {
      idToken: async (wanted) => `assertion-${audiences.push(wanted)}`,
      sleep: async () => undefined,
    },
  );
  expect(await token()).toBe('ours');
  expect(audiences).toEqual(['api://exchange', 'api://exchange']);
  expect(bodies.map((body) => Object.fromEntries(body))).toEqual(
    ['assertion-1', 'assertion-2'].map((assertion) => ({
      grant_type: 'client_credentials',
      scope: 'x',
      client_id: 'ci',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    })),
  );
});

test('the discovery document is fetched once, however many tokens are', async () => {
  const { issuer, requests } = await serveProvider();
  const token = createTokenSource({ issuer, clientId: 'basic', clientSecret: secret });
  const first = await token();
  await Promise.all([token(first), token(first), token(first)]);
  expect(requests).toEqual(['GET /.well-known/openid-configuration', 'POST /token', 'POST /token']);
});

test('no request goes to the issuer before a token is needed', async () => {
  const { issuer, requests } = await serveProvider();
  createTokenSource({ issuer, clientId: 'basic', clientSecret: secret });
  expect(requests).toEqual([]);
});

test('a token that the catalog rejects is renewed once, and the request sent once more', async () => {
  const { issuer, requests } = await serveProvider();
  const sent = new Set<string | undefined>();
  const catalog = await serve(({ headers }, response) => {
    sent.add(headers.authorization);
    sendJson(response, { data: [] }, sent.size === 1 ? 401 : 200);
  });
  const token = createTokenSource({ issuer, clientId: 'basic', clientSecret: secret });
  const reader = createReader(connectTo(catalog.url, { token }));
  await collect(reader.list());
  await collect(reader.list());
  expect(catalog.received).toHaveLength(3);
  expect(requests.filter((line) => line === 'POST /token')).toHaveLength(2);
});
