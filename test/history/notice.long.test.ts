import { test as property } from '@fast-check/vitest';
import { histories, tellHistory, tellWalk, walks } from './notice-model.ts';

// Milliseconds, for a machine that others use too.
const timeout = 300_000;

property.prop([walks], { numRuns: 20_000 })(
  'in 20,000 histories of sessions, nothing counts as announced a day early',
  tellWalk,
  timeout,
);

property.prop([histories], { numRuns: 20_000 })(
  'in 20,000 histories with gaps and wrong clocks, a notice begins where all that is known allows it',
  tellHistory,
  timeout,
);
