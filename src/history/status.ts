/** What a history says about a contract's status: since when, and which versions were in force. */

import type { ContractVersion } from './version.ts';

/** Since when a contract has had the status that it has. */
export type StatusClock = {
  readonly status?: string;
  /** The version that brought the status; the first known where no other one is. */
  readonly version: ContractVersion;
  /** Whether it may have had the status before: no earlier version is known. */
  readonly isAtLeast: boolean;
};

/**
 * The clock starts with the last write of the version that brought the status: what a catalog
 * merged into it came no later, so nothing counts as older than it is. Undefined: no version.
 */
export function startOfStatus(versions: readonly ContractVersion[]): StatusClock | undefined {
  const status = versions[0]?.entityStatus;
  const other = versions.findIndex(({ entityStatus }) => entityStatus !== status);
  const version = other < 0 ? versions.at(-1) : versions[other - 1];
  return version && { ...(status !== undefined && { status }), version, isAtLeast: other < 0 };
}

/**
 * The versions, newest first, that had one of the statuses at some moment since the given time, in
 * epoch milliseconds. A version ends when the next one is written; where a time is not known, it
 * may have been in force.
 */
export function versionsInForce(
  versions: readonly ContractVersion[],
  statuses: ReadonlySet<string>,
  since: number,
): readonly ContractVersion[] {
  return versions.filter(({ entityStatus = '' }, index) => {
    const end = versions[index - 1]?.updatedAt ?? Infinity;
    return statuses.has(entityStatus) && end > since;
  });
}
