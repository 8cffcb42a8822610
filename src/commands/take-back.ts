/** Changes that give a contract back what it had before its last version, of a short while ago. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import { compareContracts } from '../compatibility/compatibility.ts';
import { impactOf } from '../compatibility/rule.ts';
import type { LiveContract } from '../contract/contract.ts';
import { hasErrors, type Problem } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { formatAge } from '../core/time.ts';
import { findTakenBack } from '../history/take-back.ts';
import { type ContractVersion, parseVersions, readSnapshots } from '../history/version.ts';
import { sidesOf } from '../plan/change.ts';
import type { ContractPlan, UpdatePlan } from '../plan/plan.ts';
import { type Rules, rulesFor } from '../plan/rules.ts';
import type { Planning } from '../session.ts';
import type { FoundPairs } from './pairs.ts';

// Histories in memory at once; the connection limits the requests.
const atOnce = 16;

/** Breaking changes don't block what takes back a version that readers can hardly rely on yet. */
export async function allowTakingBack(
  contracts: readonly ContractPlan[],
  { pairs, rules }: FoundPairs,
  { reader }: Planning,
  now: number,
): Promise<readonly ContractPlan[]> {
  const pairOf = new Map(pairs.flatMap((pair) => (pair.live ? [[pair.live.id, pair]] : [])));
  return pLimit(atOnce).map(contracts, async (plan) => {
    if (plan.action !== 'blocked' || !plan.problems.some(isBlocking)) return plan;
    const pair = pairOf.get(plan.id);
    if (!pair) return plan;
    const own = rulesFor(pair, rules);
    const { updatedAt = -Infinity } = pair.live;
    if (Math.abs(now - updatedAt) >= own.compatibility.revert) return plan;
    if (hasNewReaders(plan, own)) return plan;
    try {
      const history = await reader.versions(plan.id);
      const snapshots = readSnapshots(pair.live, history.versions, own.conventions);
      return takeBack(plan, pair.live, parseVersions(snapshots, own), own, now);
    } catch (error) {
      // Without its versions, the contract stays blocked.
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      return plan;
    }
  });
}

function isBlocking({ impact, severity }: Problem): boolean {
  return impact === 'breaking' && severity === 'error';
}

// A column that goes, while lineage shows readers of it, or can't rule them out.
function hasNewReaders(plan: UpdatePlan, { compatibility }: Rules): boolean {
  const { downstream } = plan;
  if (!downstream) return false;
  const mayRead =
    'unknown' in downstream || downstream.assets.some(({ columns }) => columns?.length !== 0);
  if (!mayRead) return false;
  const { live, target } = sidesOf(plan);
  const effects = compareContracts(live, target, compatibility.widenings);
  return effects.some(({ rule }) => rule === 'column-removed');
}

function takeBack(
  plan: UpdatePlan,
  live: LiveContract,
  versions: readonly ContractVersion[],
  rules: Rules,
  now: number,
): UpdatePlan {
  const found = findTakenBack(live, plan.target, versions, rules);
  if (!found) return plan;
  // What readers have had since before the window is a promise, whoever mended it within.
  const start = now - rules.compatibility.revert;
  const promised = versions.find(({ updatedAt = now }) => updatedAt <= start);
  if (promised && breaks(promised.document, plan, rules)) return plan;
  const takesBack: Problem = {
    code: 'takes-back',
    severity: 'warning',
    message: `This takes back version ${found.version} (${formatAge(found.updatedAt, now)}): the contract gets what version ${found.former} had.`,
    hint: "So breaking changes don't block it. Check that nobody relies on that version yet.",
    source: plan.source,
  };
  const lifted = plan.problems.map((problem): Problem => {
    const { hint: _, ...finding } = problem;
    return isBlocking(problem) ? { ...finding, severity: 'warning' } : problem;
  });
  if (hasErrors(lifted)) return plan;
  return { ...plan, action: 'update', problems: [takesBack, ...lifted] };
}

/** Whether a breaking change takes away what the contract had in that state too. */
function breaks(state: JsonObject, plan: UpdatePlan, { compatibility }: Rules): boolean {
  const { live, target } = sidesOf(plan);
  const fields = Object.entries(state).filter(([field]) => Object.hasOwn(target, field));
  const effectsOn = (before: JsonObject): readonly string[] =>
    compareContracts(before, target, compatibility.widenings)
      .filter(({ rule }) => impactOf(rule, compatibility.mode) === 'breaking')
      .map(({ rule, column }) => `${rule} ${JSON.stringify(column)}`);
  const then = new Set(effectsOn(Object.fromEntries(fields)));
  return effectsOn(live).some((effect) => then.has(effect));
}
