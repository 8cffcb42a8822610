import { expect, test } from 'vitest';
import { createServerReader } from '../../src/catalog/client.ts';
import { examine } from '../../src/doctor/examine.ts';
import { connectTo } from '../apply/world.ts';
import { collect } from '../support/server.ts';
import { makeContract, serve } from '../sandbox/openmetadata/served.ts';

test.each([
  ['admin', 'good', 'administrator'],
  ['ingestion-bot', 'good', 'is a bot'],
  ['zoe', 'warning', 'needs EditAll'],
])('to %s of an OpenMetadata catalog the permissions are %s', async (user, verdict, words) => {
  const served = await serve();
  await makeContract(served);
  const token = await served.tokenOf(user);
  const checks = await collect(
    examine(() => ({
      catalogOrigin: '--catalog-url',
      notices: [],
      catalogUrl: served.url,
      dialect: 'auto',
      pageSize: 'auto',
      environment: {},
      describeToken: async () => ({ method: 'static-token', reason: 'it is set' }),
      server: createServerReader(connectTo({ url: served.url, token })),
      now: () => 0,
    })),
  );
  expect(checks.at(-1)).toMatchObject({
    subject: 'permissions',
    verdict,
    message: expect.stringContaining(words),
  });
});
