import { test as property } from '@fast-check/vitest';
import { histories, tellHistory, tellWalk, walks } from './notice-model.ts';

property.prop([walks], { numRuns: 20_000 })(
  'in 20,000 histories of sessions, nothing counts as announced a day early',
  tellWalk,
);

property.prop([histories], { numRuns: 20_000 })(
  'in 20,000 histories with gaps and wrong clocks, a notice begins where all that is known allows it',
  tellHistory,
);
