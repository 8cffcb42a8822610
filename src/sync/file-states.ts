/** What the commits of a file say of its contract. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { composed } from '../contract/canonical-name.ts';
import { contractLabel, idKey, writtenNames } from '../contract/identity.ts';
import { deprecated } from '../contract/lifecycle.ts';
import type { JsonObject } from '../core/json.ts';
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
  const retiring = retiringCommits(commits, contract);
  const states = commits.flatMap(({ commit, author, time, contracts }) => {
    if (retiring.delete(commit)) return [{ commit, author, time, managed: retired }];
    // What a contract is called now, another one may have been called then.
    const then = named.findLast(({ updatedAt = -Infinity }) => updatedAt >= time) ?? live;
    const declared = declaredAmong(contracts, contract, [then, ...names.values()]);
    return declared ? [{ commit, author, time, ...askedBy(declared, live) }] : [];
  });
  return { states, knownFrom: gap ? (gap.since ?? Infinity) : -Infinity };
}

/** What `unmanaged: deprecate` makes of a contract whose file is deleted. */
const retired: JsonObject = { entityStatus: deprecated };

/** The commits that deleted the file, and brought its contract to no other. */
function retiringCommits(
  commits: FilePast['commits'],
  { rules: { unmanaged } }: ReadContract,
): Set<string> {
  if (unmanaged.rule !== 'deprecate') return new Set();
  const kept = new Set(commits.flatMap((each) => (each.isDeleted ? [] : [each.commit])));
  const deleting = commits.filter(({ isDeleted, commit }) => isDeleted && !kept.has(commit));
  return new Set(deleting.map(({ commit }) => commit));
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
