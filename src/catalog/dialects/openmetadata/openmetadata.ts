import type { ContractHead } from '../../../contract/contract.ts';
import { predictSmallStep } from '../../../contract/version.ts';
import type { Dialect } from '../dialect.ts';
import { findCarrier } from './carrier.ts';
import { bodyOf } from './creation.ts';
import { addressOf, contractNameOf, entityNameOf } from './names.ts';
import { checkChange } from './change.ts';
import { checkFields, checkRequired } from './check.ts';
import { compared } from './compared.ts';
import { isDateField } from './dates.ts';
import { openmetadataRefusals } from './refused.ts';
import { knownStatuses } from './statuses.ts';
import { tagFor } from './tag.ts';
import { asWritten } from './words.ts';

/** OpenMetadata, releases 1.10 to 2.1; where they differ, as 1.12.6 was observed. */
export const openmetadata: Dialect = {
  name: 'openmetadata',
  equivalence: compared,
  complete: withEntityName,
  addressOf,
  resolvesReferences: true,
  checksColumns: true,
  creation: { nameOf: contractNameOf, bodyOf, checkRequired },
  lifecycle: knownStatuses,
  predictVersions: predictSmallStep,
  checkFields,
  checkChange,
  asWritten,
  // Dates are numbers in answers, and are not kept as such.
  isTestable: (field) => !isDateField(field),
  // It writes a version as 1.0, and JavaScript as 1.
  comparesNumbers: false,
  findCarrier,
  tagFor,
  ...openmetadataRefusals,
};

/** `entity.fullyQualifiedName` is often missing and sometimes wrong; the contract's own name is right. */
function withEntityName<Contract extends ContractHead>(contract: Contract): Contract {
  const fullyQualifiedName = entityNameOf(contract);
  return fullyQualifiedName === undefined
    ? contract
    : { ...contract, entity: { ...contract.entity, fullyQualifiedName } };
}
