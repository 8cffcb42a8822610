import { expect, test } from 'vitest';
import { githubIdToken, createTokenSource } from '../../src/auth/source.ts';
import { completeEffects } from '../../src/auth/token.ts';
import { failureOf, sendJson, serve } from '../support/server.ts';

const effects = completeEffects({ sleep: async () => undefined });

function runner(address: string): Record<string, string> {
  return {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${address}?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner-token',
  };
}

test('GitHub gives no token outside a workflow, nor in a job without the permission', () => {
  expect(githubIdToken({}, effects)).toBeUndefined();
  expect(githubIdToken({ ACTIONS_ID_TOKEN_REQUEST_URL: '' }, effects)).toBeUndefined();
});

test('a lost connection to GitHub is retried as often as a failure, and logged in one line', async () => {
  let attempts = 0;
  const fetch: typeof globalThis.fetch = async () => {
    attempts += 1;
    throw new TypeError('fetch failed\nin two lines');
  };
  const idToken = githubIdToken(runner('https://github.test/'), { ...effects, fetch });
  expect(await failureOf(idToken?.('catalog') ?? Promise.resolve())).toMatchObject({
    code: 'issuer-failed',
    message: "GitHub didn't issue an ID token (no answer).",
  });
  expect(attempts).toBe(4);
});

test('an ID token that a client needs for its issuer is requested four times in all', async () => {
  const gitHub = await serve((_, response) => sendJson(response, {}, 502));
  const issuer = await serve((_, response) => {
    sendJson(response, { issuer: issuer.url.href, token_endpoint: `${issuer.url.href}/token` });
  });
  const token = createTokenSource(
    { issuer: issuer.url.href, clientId: 'ci' },
    { ...effects, idToken: githubIdToken(runner(gitHub.url.href), effects) },
  );
  expect(await failureOf(token())).toMatchObject({ code: 'issuer-failed' });
  expect(gitHub.received).toHaveLength(4);
});

test('an ID token is requested again when GitHub fails, and not when GitHub refuses', async () => {
  const server = await serve(({ number, query }, response) => {
    const status = number < 3 ? 502 : 200;
    sendJson(response, { value: query.get('audience') ?? '' }, number > 3 ? 403 : status);
  });
  const idToken = githubIdToken(runner(server.url.href), effects);
  expect(await idToken?.('api://a b')).toBe('api://a b');
  expect(server.received).toHaveLength(3);
  expect(await failureOf(idToken?.('x') ?? Promise.resolve())).toMatchObject({
    message: "GitHub didn't issue an ID token (status 403).",
    hint: expect.stringContaining('id-token: write'),
  });
  expect(server.received).toHaveLength(4);
});
