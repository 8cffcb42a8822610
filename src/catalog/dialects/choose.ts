import type { ContractHead } from '../../contract/contract.ts';
import type { Dialect } from './dialect.ts';
import { refusals } from './refusals.ts';
import { entityNameOf, openmetadata } from './openmetadata.ts';

export type DialectSetting = 'auto' | Dialect['name'];

/** The dialect that is set, or the one that a contract of the catalog speaks by its name. */
export function chooseDialect(setting: DialectSetting, sample: ContractHead): Dialect {
  switch (setting) {
    case 'documented':
      return documented;
    case 'openmetadata':
      return openmetadata;
    case 'auto':
      return entityNameOf(sample) === undefined ? documented : openmetadata;
  }
}

/** The interface as it is written: nothing is added, nothing is left out. */
export const documented: Dialect = {
  name: 'documented',
  equivalence: { serverAdded: [], emptyIsAbsent: false },
  complete: (contract) => contract,
  comparesNumbers: true,
  // The interface has no ETags.
  tagFor: () => undefined,
  ...refusals,
};
