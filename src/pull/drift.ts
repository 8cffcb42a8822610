import { keepUnstated } from '../contract/unstated.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { contractLabel } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { type Base, compareThreeWays, type ReasonedPlace } from '../plan/drift.ts';
import type { Rules } from '../plan/rules.ts';
import type { Divergence } from '../files/formats/format.ts';

/**
 * Gives the state to write into the file: live, with the file's changes since the base. Conflicts,
 * unapplied changes and differences without a known reason keep the file's value. Without a file at
 * the base, nothing was declared: the file asks for all differences.
 */
export function driftOf({
  live,
  desired,
  base,
  rules,
}: Divergence & { readonly base: Base; readonly rules: Rules }) {
  const { managed } = keepUnstated(live, desired);
  const file = targetDocument(live, managed, rules.equivalence, rules.arrays);
  const declared = base.declared && keepUnstated(live, base.declared);
  const apartWhere = { ...base, declared, holdsWhere: ['not-applied', 'unknown'] } as const;
  const { asked, drift, apart } = compareThreeWays(live, file, apartWhere, rules);
  const problems = apart.flatMap((place) => problemOf(place, live, desired));
  if (drift.length === 0 || !declared) return { divergence: undefined, problems };
  const divergence: Divergence = { live: { ...live, document: asked }, desired, rules };
  return { divergence, problems };
}

function problemOf(
  { path, isAsked, reason }: ReasonedPlace,
  live: LiveContract,
  desired: DesiredContract,
): Diagnostic[] {
  const place = `\`${labelKeyPath(path)}\` of ${contractLabel(live)}`;
  const source = desired.locate(path.slice(0, 1));
  if (reason.kind === 'unknown') {
    const message = `Whether ${place} was edited in the catalog or is not applied yet is not known (${reason.why}): kept the file's value.`;
    const hint = 'If it was edited, copy it into the file.';
    return [{ code: 'edit-unknown', severity: 'warning', message, hint, source }];
  }
  if (isAsked === (reason.kind === 'not-applied')) return [];
  if (reason.kind === 'not-applied') {
    const message = `${place} was committed in ${reason.commit.slice(0, 7)} and is not applied yet: kept the file's value.`;
    return [{ code: 'not-applied', severity: 'information', message, source }];
  }
  const message = `Both the file and the catalog changed ${place}: kept the file's value.`;
  const hint = 'To take the edit, pull without --drift, or copy it into the file.';
  return [{ code: 'conflict', severity: 'warning', message, hint, source }];
}
