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

function isWanted({ identities, names }: Sieve, contract: ContractHead): boolean {
  const qualified = qualifiedNames(contract);
  return (
    identities.has(contract.id) ||
    (contract.entity?.id !== undefined && identities.has(contract.entity.id)) ||
    qualified.some((name) => identities.has(name)) ||
    matchesName(names, qualified)
  );
}
