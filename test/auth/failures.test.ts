import type { ServerResponse } from 'node:http';
import { exportPKCS8 } from 'jose';
import { describe, expect, test } from 'vitest';
import { IssuerError } from '../../src/auth/issuer.ts';
import type { AuthEffects, AuthSettings } from '../../src/auth/token.ts';
import { createTokenSource } from '../../src/auth/source.ts';
import { failureOf, sendJson } from '../support/server.ts';
import { deadUrl } from '../support/workspace.ts';
import { gitHubIdToken } from './github.ts';
import { clientKeys, clientSecret, serveProvider, type Intercept } from './provider.ts';

const secret = { value: clientSecret, origin: 'CONTRACT_SYNC_CLIENT_SECRET' };

type Case = {
  readonly name: string;
  readonly code: string;
  readonly says: RegExp;
  readonly hint: RegExp;
  /** Waits between attempts; none where trying again cannot help. */
  readonly waits?: number;
  readonly settings?: AuthSettings;
  readonly intercept?: Intercept;
  readonly timeoutMs?: number;
};

const pem = await exportPKCS8(clientKeys.privateKey);
const threeWaits = 3;

test.for<Case>([
  {
    name: 'slow',
    code: 'issuer-unreachable',
    says: /did not answer within 0\.04 seconds/u,
    hint: /timeoutSeconds/u,
    waits: threeWaits,
    // Nothing is answered: where something is, a busy machine may be slower than the limit.
    intercept: () => true,
    timeoutMs: 40,
  },
  {
    name: 'failing',
    code: 'issuer-failed',
    says: /failed \(\/token, status 500\)/u,
    hint: /operators/u,
    waits: threeWaits,
    intercept: atToken((response) => sendJson(response, {}, 500)),
  },
  {
    name: 'failing at discovery',
    code: 'issuer-failed',
    says: /openid-configuration, status 503/u,
    hint: /operators/u,
    waits: threeWaits,
    intercept: (_, response) => answer(() => sendJson(response, {}, 503)),
  },
  {
    name: 'wrong secret',
    code: 'client-refused',
    says: /refuses the client basic a token \(invalid_client/u,
    hint: /the client id, the secret and auth\.method/u,
    settings: { clientSecret: { value: `not-${clientSecret}`, origin: 'x' } },
  },
  {
    name: 'unknown client',
    code: 'client-refused',
    says: /refuses the client nobody a token/u,
    hint: /client id/u,
    settings: { clientId: 'nobody' },
  },
  {
    name: 'another method than the client is registered for',
    code: 'client-refused',
    says: /refuses the client basic a token for the signature of its key/u,
    hint: /public half/u,
    settings: { privateKey: { value: pem, origin: 'x' } },
  },
  {
    name: 'a scope that the client may not have',
    code: 'client-refused',
    says: /refuses the client basic a token for scope "openid" \(invalid_scope/u,
    hint: /auth\.scope/u,
    settings: { scope: 'openid' },
  },
  {
    name: 'unknown resource',
    code: 'client-refused',
    says: /a token for resource "https:\/\/elsewhere\.test" \(invalid_target: no such resource\)/u,
    hint: /auth\.resource/u,
    settings: { resource: 'https://elsewhere.test' },
  },
  {
    name: 'a discovery document of another issuer',
    code: 'invalid-issuer',
    says: /belongs to another issuer: https:\/\/evil\.test\./u,
    hint: /set the issuer to exactly https:\/\/evil\.test$/u,
    intercept: (_, response) => answer(() => sendJson(response, { issuer: 'https://evil.test' })),
  },
  {
    name: 'no discovery document',
    code: 'issuer-unexpected',
    says: /No OpenID issuer at http:.*\/realm: http:.* status 404/u,
    hint: /path included/u,
    settings: { issuer: '/realm' },
  },
  {
    name: 'a realm that is not there, which a JSON error says',
    code: 'issuer-unexpected',
    says: /^No OpenID issuer at http:.*\/realms\/x: .* status 404 \(Realm does not exist\)\.$/u,
    hint: /path included/u,
    settings: { issuer: '/realms/x' },
    intercept: (_, response) =>
      answer(() => sendJson(response, { error: 'Realm does not exist' }, 404)),
  },
  {
    name: 'access that is denied to a machine, which has not logged in',
    code: 'client-refused',
    says: /refuses the client basic a token \(access_denied: not_authorized\)/u,
    hint: /permissions at the issuer/u,
    intercept: refusing('access_denied', 'not_authorized'),
  },
  {
    name: 'an audience that comes as invalid_client',
    code: 'client-refused',
    says: /refuses the client basic a token \(invalid_client: Audience not found\)/u,
    hint: /registration/u,
    settings: { audience: 'nobody' },
    intercept: refusing('invalid_client', 'Audience not found'),
  },
  {
    name: 'a web page instead of a token',
    code: 'issuer-unexpected',
    says: /answer like an OpenID issuer/u,
    hint: /login page/u,
    intercept: atToken((response) => response.end('<html>Log in</html>')),
  },
  {
    name: 'a token endpoint that listens in the open',
    code: 'insecure-endpoint',
    says: /unencrypted to id\.test/u,
    hint: /https/u,
    intercept: ({ headers }, response) => {
      const document = {
        issuer: `http://${headers.host}`,
        token_endpoint: 'http://id.test/token',
      };
      return answer(() => sendJson(response, document));
    },
  },
  {
    name: 'an answer that quotes the secret',
    code: 'client-refused',
    says: /\(odd: no \*\*\* here, nor \*\*\*\)/u,
    hint: /client.s registration/u,
    intercept: atToken((response) => {
      const encoded = encodeURIComponent(clientSecret);
      const description = `no ${clientSecret} here, nor ${encoded}`;
      sendJson(response, { error: 'odd', error_description: description }, 400);
    }),
  },
])(
  'an issuer that gives no token is one error message: $name',
  async ({ code, says, hint, waits = 0, settings = {}, intercept, timeoutMs = 5000 }) => {
    const { issuer } = await serveProvider(intercept && { intercept });
    const { effects, waited } = unhurried();
    const token = createTokenSource(
      {
        clientId: 'basic',
        clientSecret: secret,
        ...settings,
        issuer: `${issuer}${settings.issuer ?? ''}`,
      },
      { ...effects, timeoutMs },
    );
    const error = await failureOf(token());
    expect(error).toBeInstanceOf(IssuerError);
    expect(error).toMatchObject({ code });
    const { message, hint: told = '' } = error as IssuerError;
    expect(message).toMatch(says);
    expect(message).toContain(issuer);
    expect(told).toMatch(hint);
    expect(`${message}${told}`).not.toContain('s3cr3t');
    expect(waited).toHaveLength(waits);
  },
);

describe('what Keycloak 26.7 answers', () => {
  const key = { clientSecret: undefined, privateKey: { value: pem, origin: 'key.pem' } };
  const gitHub = { clientSecret: undefined, clientId: 'octo' };
  const subject = 'repo:octo/contracts:ref:refs/heads/main';

  test.for<[error: string, words: string, settings: AuthSettings, says: RegExp, hint: RegExp]>([
    [
      'unauthorized_client',
      'Invalid client or Invalid client credentials',
      {},
      /refuses the client basic a token \(/u,
      /^Compare the client id, the secret and auth\.method with /u,
    ],
    [
      'unauthorized_client',
      'Client not enabled to retrieve service account',
      {},
      /doesn't allow the client basic this grant type \(/u,
      /^Allow it for the client .*"Service accounts roles"/u,
    ],
    [
      'invalid_client',
      'Invalid signature algorithm',
      key,
      /refuses the client basic a token for the signature of its key \(/u,
      /^Register the public half of the key for the client, /u,
    ],
    [
      'unauthorized_client',
      'Invalid client or Invalid client credentials',
      gitHub,
      /refuses the client octo a token for GitHub's ID token \(/u,
      /^There is no secret to check\. .* the subject repo:octo\/contracts:ref:refs\/heads\/main and the audience http:\/\/127.*jwt\.credential\.sub/u,
    ],
    [
      'unauthorized_client',
      'Client not enabled to retrieve service account',
      gitHub,
      /doesn't allow the client octo this grant type \(/u,
      /"Service accounts roles"/u,
    ],
    [
      'invalid_grant',
      'Invalid token',
      { ...gitHub, method: 'github-token-exchange' },
      /refuses the client octo a token for GitHub's ID token \(invalid_grant/u,
      new RegExp(`the subject ${subject} and the audience http`, 'u'),
    ],
  ])('%s: %s, %o', async ([error, words, settings, says, hint]) => {
    // Keycloak sends no Date, and this machine's clock is wrong: it has nothing to do with it.
    const { issuer } = await serveProvider({ intercept: refusing(error, words) });
    const token = createTokenSource(
      { clientId: 'basic', clientSecret: secret, ...settings, issuer },
      { ...unhurried().effects, idToken: gitHubIdToken, now: () => Date.now() + 3_600_000 },
    );
    expect(await failureOf(token())).toMatchObject({
      code: 'client-refused',
      message: expect.stringMatching(says),
      hint: expect.stringMatching(hint),
    });
  });
});

test('an issuer that is down', async () => {
  const issuer = (await deadUrl()).replace('/api', '');
  const { effects, waited } = unhurried();
  const told: string[] = [];
  const tell = (line: string): void => void told.push(line);
  const settings = { issuer, clientId: 'basic', clientSecret: secret };
  const token = createTokenSource(settings, { ...effects, tell });
  expect(await failureOf(token())).toMatchObject({
    code: 'issuer-unreachable',
    message: expect.stringContaining(issuer),
  });
  expect(waited).toEqual([250, 500, 1000]);
  expect(told).toEqual([expect.stringMatching(/ Trying again in 0\.3 s \(2 of 4\)\.$/u)]);
});

test('an issuer that speaks no TLS where it should is not tried again', async () => {
  const { port } = new URL((await serveProvider()).issuer);
  const { effects, waited } = unhurried();
  const settings = { clientId: 'basic', clientSecret: secret };
  const issuer = `https://127.0.0.1:${port}`;
  const failure = await failureOf(createTokenSource({ ...settings, issuer }, effects)());
  expect(failure).toMatchObject({
    code: 'issuer-unreachable',
    hint: expect.stringContaining('HTTPS_PROXY'),
  });
  expect(waited).toEqual([]);
});

test('an issuer that fails twice and is too busy once gives a token in the end', async () => {
  let asked = 0;
  const intercept: Intercept = ({ url }, response) => {
    asked += url === '/token' ? 1 : 0;
    if (url !== '/token' || asked > 3) return false;
    response.setHeader('retry-after', '7');
    return answer(() => sendJson(response, {}, asked === 3 ? 429 : 500));
  };
  const { issuer } = await serveProvider({ intercept });
  const { effects, waited } = unhurried();
  const token = createTokenSource({ issuer, clientId: 'basic', clientSecret: secret }, effects);
  expect(await token()).toMatch(/^ey/u);
  expect(waited).toEqual([7250, 7500, 8000]);
});

test('after a failure the next request tries anew, discovery included', async () => {
  let isDown = true;
  const intercept: Intercept = (_, response) => isDown && answer(() => sendJson(response, {}, 500));
  const { issuer } = await serveProvider({ intercept });
  const { effects } = unhurried();
  const token = createTokenSource({ issuer, clientId: 'basic', clientSecret: secret }, effects);
  await failureOf(token());
  isDown = false;
  expect(await token()).toMatch(/^ey/u);
});

/** Waits that are noted and not waited for. */
function unhurried(): { effects: Partial<AuthEffects>; waited: number[] } {
  const waited: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    waited.push(milliseconds);
  };
  return { effects: { sleep, random: () => 0.5 }, waited };
}

function atToken(write: (response: ServerResponse) => void): Intercept {
  return ({ url }, response) => url === '/token' && answer(() => write(response));
}

function refusing(error: string, description: string): Intercept {
  const body = { error, error_description: description };
  return atToken((response) => sendJson(response, body, 400));
}

function answer(write: () => void): true {
  write();
  return true;
}
