/** Contracts whose catalog history decides what a change of them may do. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/api-error.ts';
import type { CatalogReader } from '../catalog/catalog.ts';
import { type KnownPast, mayBreakPromises } from '../compatibility/past.ts';
import type { LiveContract } from '../contract/contract.ts';
import { active, ownStatus } from '../contract/lifecycle.ts';
import { SyncError } from '../core/errors.ts';
import { withId } from '../history/snapshot.ts';
import { startOfStatus, versionsInForce } from '../history/status.ts';
import { type ContractVersion, parseVersions } from '../history/version.ts';
import { type ContractPlan, isBreaking } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import type { Understood } from './understand.ts';

/** So many histories in memory at once; how many requests, the connection says. */
const atOnce = 16;

/** Whether a plan that was made without the history may be another with it. */
export function needsPast({ live, rules }: Understood, planned: ContractPlan): boolean {
  const { terms, against, mode } = rules.compatibility;
  if (mode === 'none' || (planned.action !== 'update' && planned.action !== 'blocked'))
    return false;
  const isWaiting = terms.has(live.entityStatus ?? '') && isBreaking(planned);
  return isWaiting || (against.kind === 'all-active' && mayBreakPromises(touchedBy(planned)));
}

function touchedBy({ target }: Extract<ContractPlan, { action: 'update' | 'blocked' }>): string[] {
  return Object.keys(target);
}

/** Asks for one history each, and gives the contracts back with rules that know it. */
export async function askPasts<T extends Understood>(
  contracts: readonly T[],
  reader: Pick<CatalogReader, 'versions'>,
): Promise<readonly T[]> {
  return pLimit(atOnce).map(contracts, async (contract) =>
    withPast(contract, await askPast(contract, reader)),
  );
}

/** The contract with rules that know its past. */
function withPast<T extends Understood>(contract: T, past: KnownPast): T {
  const { rules } = contract;
  return { ...contract, rules: { ...rules, compatibility: { ...rules.compatibility, past } } };
}

async function askPast(
  { live, rules }: Understood,
  { versions }: Pick<CatalogReader, 'versions'>,
): Promise<KnownPast> {
  try {
    const { versions: snapshots } = await versions(live.id);
    const { updatedAt = Infinity } = live;
    // What has been written since is not what was planned against.
    const until = snapshots.filter((snapshot) => Number(snapshot['updatedAt'] ?? 0) <= updatedAt);
    return pastOf(live, parseVersions(withId(live.id, until), rules), rules);
  } catch (error) {
    // Without a good token no request succeeds: that ends the run.
    const isFinal = error instanceof ApiError && error.status === 401;
    if (!(error instanceof SyncError) || isFinal) throw error;
    return { kind: 'unreadable', why: error.message };
  }
}

/** The rules for one contract whose versions are at hand, newest first. */
export function rulesWithPast(
  live: LiveContract,
  versions: readonly ContractVersion[],
  rules: Rules,
): Rules {
  return withPast({ live, rules }, pastOf(live, versions, rules)).rules;
}

function pastOf(
  live: LiveContract,
  versions: readonly ContractVersion[],
  { lifecycle, compatibility }: Rules,
): KnownPast {
  return {
    kind: 'known',
    ...sinceWhen(live, versions),
    promised: promisedVersions(versions, {
      statuses: new Set([active, ownStatus(active, lifecycle.synonyms)]),
      ...compatibility,
    }),
  };
}

/** Nothing where the history does not lead to the status that was read, or keeps no times. */
function sinceWhen(live: LiveContract, versions: readonly ContractVersion[]) {
  const clock = startOfStatus(versions);
  const time = clock?.version.updatedAt;
  if (!clock || time === undefined || clock.status !== live.entityStatus) return {};
  const { isAtLeast, version } = clock;
  return {
    since: {
      time,
      isAtLeast,
      ...(version.version !== undefined && { version: version.version }),
    },
  };
}

type InForce = Pick<Rules['compatibility'], 'against' | 'today'> & {
  readonly statuses: ReadonlySet<string>;
};

function promisedVersions(
  versions: readonly ContractVersion[],
  { statuses, against, today }: InForce,
) {
  if (against.kind === 'live') return [];
  return versionsInForce(versions, statuses, today - against.window).map((version) => {
    const until = versions[versions.indexOf(version) - 1]?.updatedAt;
    return {
      ...(version.version !== undefined && { version: version.version }),
      status: version.entityStatus ?? '',
      ...(until !== undefined && { until }),
      document: version.document,
    };
  });
}
