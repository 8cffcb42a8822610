import { getIDToken } from '@actions/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { explainedIdToken } from '../../src/action/id-token.ts';
import { failureOf } from '../catalog/server.ts';

/** The toolkit's failure, in our words. */
async function failureAt(url: string): Promise<unknown> {
  vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_URL', url);
  vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'request-token');
  // The toolkit tells the log whom it asks.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  return failureOf(explainedIdToken(getIDToken)('catalog'));
}

const oneLine = /^GitHub gives no ID token \([^\n]+\)\.$/u;

test('an ID token is worth another attempt where the connection was lost', async () => {
  expect(await failureAt('http://127.0.0.1:1/?api-version=2.0')).toMatchObject({
    code: 'issuer-failed',
    message: expect.stringMatching(oneLine),
    transient: true,
  });
});

test('and none where there is nobody to ask', async () => {
  expect(await failureAt('')).toMatchObject({
    code: 'issuer-failed',
    message: expect.stringMatching(oneLine),
    transient: false,
  });
});
