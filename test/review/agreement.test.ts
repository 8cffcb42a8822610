import { test as property } from '@fast-check/vitest';
import { rounds } from '../support/rounds.ts';
import { stories, tell } from './agreement-model.ts';

property.prop([stories], { numRuns: rounds(400) })(
  'whatever is pushed, read and reviewed, a change is held for exactly those who have not agreed to it',
  tell,
);
