import type { ContractHead } from '../../contract/contract.ts';
import type { Dialect } from './dialect.ts';
import { findCarrier } from './openmetadata/carrier.ts';
import { openmetadataRefusals } from './openmetadata/refused.ts';
import { tagFor } from './openmetadata/tag.ts';

/** OpenMetadata, releases 1.10 to 2.1, read from its sources and issue threads. */
export const openmetadata: Dialect = {
  name: 'openmetadata',
  equivalence: {
    serverAdded: [
      ['semantics', '*', 'enabled'],
      ['semantics', '*', 'provider'],
      ['semantics', '*', 'ignoredEntities'],
      ['schema', '**', 'fullyQualifiedName'],
      ['schema', '**', 'dataTypeDisplay'],
      ['schema', '**', 'dataLength'],
      ['schema', '**', 'tags'],
    ],
    // Null members are left out of its answers, and an empty list may come back as none.
    emptyIsAbsent: true,
  },
  complete: withEntityName,
  // It writes a version as 1.0, and JavaScript as 1.
  comparesNumbers: false,
  findCarrier,
  tagFor,
  ...openmetadataRefusals,
};

/** A contract's own name is `<entity's qualified name>.dataContract_<name>`. */
export function entityNameOf({ name, fullyQualifiedName }: ContractHead): string | undefined {
  const ending = `.dataContract_${name}`;
  return name !== undefined && fullyQualifiedName?.endsWith(ending)
    ? fullyQualifiedName.slice(0, -ending.length)
    : undefined;
}

/** `entity.fullyQualifiedName` is often missing and sometimes wrong; the contract's own name is right. */
function withEntityName<Contract extends ContractHead>(contract: Contract): Contract {
  const fullyQualifiedName = entityNameOf(contract);
  return fullyQualifiedName === undefined
    ? contract
    : { ...contract, entity: { ...contract.entity, fullyQualifiedName } };
}
