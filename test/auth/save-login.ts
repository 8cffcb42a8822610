/** A process that keeps a login as `contract-sync login` does: `FILE CLIENT`. */

import process from 'node:process';
import { openTokenStore } from '../../src/auth/store.ts';

const [file = '', clientId = ''] = process.argv.slice(2);
await openTokenStore(file).save(
  { issuer: 'https://id.test', clientId },
  { accessToken: `token of ${clientId}` },
);
