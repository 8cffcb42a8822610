import { standardConventions } from '../../contract/standard.ts';
import type { Dialect } from './dialect.ts';
import { refusals } from './refusals.ts';

/** The interface as it is written: nothing is added, nothing is left out. */
export const standard: Dialect = {
  name: 'standard',
  equivalence: { serverAdded: [], emptyIsAbsent: false },
  complete: (contract) => contract,
  addressOf: () => undefined,
  resolvesReferences: false,
  checksColumns: false,
  comparesNumbers: true,
  // The interface has no ETags.
  tagFor: () => undefined,
  ...standardConventions,
  ...refusals,
};
