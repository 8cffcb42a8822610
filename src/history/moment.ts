/** Which version a contract was at: by number, at a time, before and after a run. */

import { formatVersion } from '../contract/version.ts';
import type { ContractVersion } from './version.ts';

/** A version by its number; a catalog that sets numbers back may have given it twice. */
export type Numbered =
  | { readonly kind: 'found'; readonly version: ContractVersion; readonly index: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'repeated'; readonly versions: readonly ContractVersion[] };

/** `1` means 1.0. */
export function versionNumbered(versions: readonly ContractVersion[], number: string): Numbered {
  const wanted = formatVersion(number);
  const found = versions.filter(({ version }) => version === wanted);
  const [version] = found;
  if (!version) return { kind: 'missing' };
  if (found.length > 1) return { kind: 'repeated', versions: found };
  return { kind: 'found', version, index: versions.indexOf(version) };
}

/** What a contract was just before a moment. */
export type Past = {
  readonly version: ContractVersion;
  /** A later version into which edits from before that moment may have been merged. */
  readonly mergedInto?: ContractVersion;
};

/** The last version written before the time, in epoch milliseconds; undefined: none is known. */
export function versionBefore(
  versions: readonly ContractVersion[],
  time: number,
): Past | undefined {
  const index = versions.findIndex(({ updatedAt = Infinity }) => updatedAt < time);
  const [version, next] = [versions[index], versions[index - 1]];
  return version && { version, ...(next?.mayHoldMore && { mergedInto: next }) };
}

/** A run's own account of one contract. */
export type RunRecord = {
  readonly versionBefore?: string;
  readonly versionAfter?: string;
  /** The run sent its change, and did not learn whether it landed: what it saw may be of others. */
  readonly unverified?: true;
};

/** The states on both sides of what a run did to a contract. */
export type RunVersions =
  /** Where `after` may hold more, other edits of the same user are taken for the run's. */
  | { readonly kind: 'found'; readonly before: ContractVersion; readonly after: ContractVersion }
  | { readonly kind: 'unknown'; readonly reason: UnknownRun };

/**
 * `unverified`: the run did not learn whether its change landed; `not-recorded`: it did not note its
 * versions; `not-in-history`: the catalog does not have them any more; `repeated`: it has given a
 * number twice; `merged`: it has merged the run's change into a version that was there before, so
 * that no version is what the run found.
 */
type UnknownRun = 'unverified' | 'not-recorded' | 'not-in-history' | 'repeated' | 'merged';

/** Somebody may have been faster than the run: what it changed is what its own version did. */
export function versionsOfRun(
  versions: readonly ContractVersion[],
  { versionBefore, versionAfter, unverified }: RunRecord,
): RunVersions {
  if (unverified) return unknown('unverified');
  if (versionBefore === undefined || versionAfter === undefined) return unknown('not-recorded');
  if (formatVersion(versionBefore) === formatVersion(versionAfter)) return unknown('merged');
  const planned = versionNumbered(versions, versionBefore);
  const after = versionNumbered(versions, versionAfter);
  if (planned.kind === 'missing' || after.kind === 'missing') return unknown('not-in-history');
  if (planned.kind === 'repeated' || after.kind === 'repeated') return unknown('repeated');
  const before = versions[after.index + 1];
  if (!before || planned.index < after.index) return unknown('merged');
  return { kind: 'found', before, after: after.version };
}

function unknown(reason: UnknownRun): RunVersions {
  return { kind: 'unknown', reason };
}
