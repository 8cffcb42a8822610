import { test as property } from '@fast-check/vitest';
import { stories, tell } from './agreement-model.ts';

// Milliseconds, for a machine that others use too.
const timeout = 300_000;

property.prop([stories], { numRuns: 20_000 })(
  'in 20,000 stories nothing is sent with a reader missing, and nothing is held without a reason',
  tell,
  timeout,
);
