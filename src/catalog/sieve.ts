import type { ContractHead } from '../contract/contract.ts';
import { qualifiedNames } from '../contract/identity.ts';
import { matchesName, type NamePattern } from '../contract/name-pattern.ts';
import { openmetadata } from './dialects/openmetadata.ts';

/** Which contracts of a list are wanted whole: plain data, for it crosses threads. */
export type Sieve = {
  /** Those of which the id, or that of the asset, or one of the qualified names is among these. */
  readonly identities: ReadonlySet<string>;
  /** Those of which a qualified name matches. */
  readonly names: readonly NamePattern[];
};

/** Whether a contract is wanted whole in any dialect that the catalog may speak. */
export function passes(sieve: Sieve, contract: ContractHead): boolean {
  const completed = openmetadata.complete(contract);
  return isWanted(sieve, contract) || (completed !== contract && isWanted(sieve, completed));
}

/** Of each contract of a long list, and mostly in vain: nothing is made to look it up. */
function isWanted({ identities, names }: Sieve, contract: ContractHead): boolean {
  const { id, fullyQualifiedName, entity } = contract;
  return (
    identities.has(id) ||
    isAmong(identities, fullyQualifiedName) ||
    isAmong(identities, entity?.id) ||
    isAmong(identities, entity?.fullyQualifiedName) ||
    (names.length > 0 && matchesName(names, qualifiedNames(contract)))
  );
}

function isAmong(identities: ReadonlySet<string>, identity: string | undefined): boolean {
  return identity !== undefined && identities.has(identity);
}
