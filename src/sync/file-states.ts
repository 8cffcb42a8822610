/** What the commits of a file say of its contract. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { composed } from '../contract/canonical-name.ts';
import { contractLabel, idKey, writtenNames } from '../contract/identity.ts';
import type { FilePast } from '../files/past.ts';
import type { AskedState, FileStates } from '../history/provenance.ts';
import type { ContractVersion } from '../history/version.ts';
import { createMatcher } from '../plan/match.ts';
import type { ReadContract } from './understand.ts';

export function statesOf(
  versions: readonly ContractVersion[],
  contract: ReadContract,
  { commits, gap }: FilePast,
): FileStates {
  const { live } = contract;
  const named = versions.map((version) => withEntityOf(version, live));
  const names = new Map([live, ...named].map((each) => [contractLabel(each), each]));
  const states = commits.flatMap(({ contracts, ...commit }) => {
    // What a contract is called now, another one may have been called then.
    const then = named.findLast(({ updatedAt = -Infinity }) => updatedAt >= commit.time) ?? live;
    const declared = declaredAmong(contracts, contract, [then, ...names.values()]);
    return declared ? [{ ...commit, ...askedBy(declared, live) }] : [];
  });
  return { states, knownFrom: gap ? (gap.since ?? Infinity) : -Infinity };
}

/** A snapshot may know its asset by the id alone. */
function withEntityOf(version: ContractVersion, { entity }: LiveContract): ContractVersion {
  const [id, then] = [entity?.id, version.entity?.id];
  const isSame = id !== undefined && then !== undefined && idKey(id) === idKey(then);
  return isSame ? { ...version, entity: { ...entity, ...version.entity } } : version;
}

/** By a name that the catalog has or had for it, or that it had according to its file of today. */
function declaredAmong(
  contracts: readonly DesiredContract[],
  { live, desired }: ReadContract,
  names: readonly LiveContract[],
): DesiredContract | undefined {
  const matcher = createMatcher(contracts);
  const former = new Set((desired?.movedFrom ?? []).map(composed));
  return (
    names.map(matcher.match).find((each) => each !== undefined) ??
    matcher.movedTo(live) ??
    contracts.find(({ identity }) => writtenNames(identity).some((name) => former.has(name)))
  );
}

/** What a file asks of the states of its contract: some of it depends on the state. */
export function askedBy(
  { managed, refine, leeway }: DesiredContract,
  live: LiveContract,
): AskedState {
  return {
    managed,
    ...(refine && { refine: (document) => refine({ ...live, document }).managed }),
    ...(leeway !== undefined && { leeway }),
  };
}
