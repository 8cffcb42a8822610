import { expect, test } from 'vitest';
import type { AuthSettings, Method } from '../../src/auth/token.ts';
import { describeToken } from '../../src/auth/source.ts';

const token = { value: 'static', origin: 'CONTRACT_SYNC_TOKEN' };
const clientSecret = { value: 'secret', origin: 'CONTRACT_SYNC_CLIENT_SECRET' };
const privateKey = { value: 'key', origin: 'key.pem' };
const client = { issuer: 'https://id.test', clientId: 'ci' };

test.for<{ given: string; settings: AuthSettings; method: Method; reason: RegExp; gitHub?: true }>([
  {
    given: 'a token and all else',
    settings: { ...client, token, clientSecret, method: 'device-login' },
    method: 'static-token',
    reason: /^CONTRACT_SYNC_TOKEN is set$/u,
  },
  {
    given: 'a method, and a secret for another',
    settings: { ...client, clientSecret, privateKey, method: 'client-secret-post' },
    method: 'client-secret-post',
    reason: /^auth\.method is client-secret-post$/u,
  },
  {
    given: 'a private key and a secret',
    settings: { ...client, clientSecret, privateKey },
    method: 'private-key-jwt',
    reason: /^key\.pem is set and takes precedence over CONTRACT_SYNC_CLIENT_SECRET$/u,
  },
  {
    given: 'a secret, in a workflow',
    settings: { ...client, clientSecret },
    gitHub: true,
    method: 'client-secret-basic',
    reason: /^CONTRACT_SYNC_CLIENT_SECRET is set$/u,
  },
  {
    given: 'an issuer alone, in a workflow',
    settings: client,
    gitHub: true,
    method: 'github-client-assertion',
    reason: /no secret is set and GitHub/u,
  },
  {
    given: 'an issuer alone',
    settings: client,
    method: 'device-login',
    reason: /without a secret/u,
  },
])('$given: $method', ({ settings, method, reason, gitHub = false }) => {
  const description = describeToken(settings, gitHub);
  expect(description).toMatchObject({ method, reason: expect.stringMatching(reason) });
  const isIssued = method !== 'static-token';
  expect(description.clientId).toBe(isIssued ? client.clientId : undefined);
});

test.each(['', '/'])('the address of a discovery document is refused as an issuer%s', (slash) => {
  const issuer = `https://id.test/realms/data/.well-known/openid-configuration${slash}`;
  expect(() => describeToken({ ...client, issuer }, false)).toThrow(
    expect.objectContaining({
      code: 'invalid-issuer',
      hint: 'Set the issuer to https://id.test/realms/data',
    }),
  );
});

test('a token is described by its claims and is not shown', () => {
  const claims = {
    sub: 'f3b0',
    preferred_username: 'ada',
    exp: 1_800_000_000,
    iss: 'https://id.test',
    aud: ['account', 'catalog'],
  };
  const jwt = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`;
  const description = describeToken({ token }, false, jwt);
  expect(description).toEqual({
    method: 'static-token',
    reason: 'CONTRACT_SYNC_TOKEN is set',
    subject: 'ada',
    expiresAt: 1_800_000_000_000,
    issuedBy: 'https://id.test',
    audience: 'account, catalog',
  });
});
