/** Changes that give a contract back what it had before its last version, of a short while ago. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import { compareContracts } from '../compatibility/compatibility.ts';
import { impactOf } from '../compatibility/rule.ts';
import { hasErrors, type Problem } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { shellWord } from '../core/text.ts';
import { formatAge } from '../core/time.ts';
import { findTakenBack } from '../history/rollback.ts';
import type { ContractVersion } from '../history/version.ts';
import { sidesOf } from '../plan/seal.ts';
import type { ContractPlan, UpdatePlan } from '../plan/plan.ts';
import { type Rules, rulesFor } from '../plan/rules.ts';
import type { Planning } from '../session.ts';
import { fetchVersions } from './history.ts';
import type { FoundPairs } from './pairs.ts';

// Histories in memory at once; the connection limits the requests.
const atOnce = 16;

// For so many times as long as a version may be taken back, a plan says that it came too late.
const explained = 7;

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
    const { revert } = own.compatibility;
    const { updatedAt = -Infinity } = pair.live;
    const age = Math.abs(now - updatedAt);
    if (age >= revert * explained || hasNewReaders(plan, own)) return plan;
    try {
      const versions = await fetchVersions(pair.live, own, reader);
      const found = findTakenBack(pair.live, plan.target, versions, own);
      if (!found) return plan;
      return age < revert
        ? takeBack(plan, found, versions, own, now)
        : comesTooLate(plan, found, now);
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

type TakenBack = NonNullable<ReturnType<typeof findTakenBack>>;

// A revert that was reviewed in time may be applied only now.
function comesTooLate(plan: UpdatePlan, found: TakenBack, now: number): UpdatePlan {
  const { version, former, updatedAt } = found;
  const says = `This takes back version ${version} (${formatAge(updatedAt, now)}), which is older than \`compatibility.revert\` allows, whenever it was reviewed.`;
  const name = shellWord(plan.fullyQualifiedName ?? plan.id);
  const hint = `${says} Agree it with consumers and add it to \`allow\`, or: contract-sync rollback ${name} --to ${former} --reason "…"`;
  const problems = plan.problems.map((each) => (isBlocking(each) ? { ...each, hint } : each));
  return { ...plan, problems };
}

function takeBack(
  plan: UpdatePlan,
  found: TakenBack,
  versions: readonly ContractVersion[],
  rules: Rules,
  now: number,
): UpdatePlan {
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
