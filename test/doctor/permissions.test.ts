import { expect, test } from 'vitest';
import { createServerReader } from '../../src/catalog/client.ts';
import { examine } from '../../src/doctor/examine.ts';
import { makeValidation } from '../../src/files/files.ts';
import { connectTo } from '../apply/world.ts';
import { collect } from '../support/server.ts';
import { makeContract, serve } from '../sandbox/openmetadata/served.ts';

test.each([
  ['admin', '1.12', 'good', 'administrator'],
  ['ingestion-bot', '1.12', 'good', 'is a bot'],
  ['ingestion-bot', '2.1', 'good', "the catalog's own approvals don't hold its changes"],
  ['zoe', '2.1', 'warning', 'needs EditAll'],
])('to %s of OpenMetadata %s the permissions are %s', async (user, release, verdict, words) => {
  const served = await serve({ release });
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
      validate: async () => makeValidation([], 1, 1),
      server: createServerReader(connectTo({ url: served.url, token })),
      now: () => 0,
    })),
  );
  expect(checks.at(-2)).toMatchObject({
    subject: 'permissions',
    verdict,
    message: expect.stringContaining(words),
  });
});
