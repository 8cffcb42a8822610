/** Which changes wait for those who read what goes: by lineage, by exceptions, by the history. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import { compareContracts } from '../compatibility/compatibility.ts';
import { hasPlaces, impactOf, placeOfEffect, type RuleId } from '../compatibility/rule.ts';
import type { LiveContract } from '../contract/contract.ts';
import { ownStatus } from '../contract/conventions.ts';
import { namesInFiles } from '../contract/identity.ts';
import type { Problem } from '../core/diagnostic.ts';
import { defined } from '../core/json.ts';
import { findAnnouncement } from '../history/notice.ts';
import { sidesOf } from '../plan/seal.ts';
import {
  type Announcement,
  type ContractPlan,
  isBreaking,
  isRetirement,
  type ReaderAgreement,
  type UpdatePlan,
} from '../plan/plan.ts';
import { type Owned, type ReaderRules, type Rules, rulesFor } from '../plan/rules.ts';
import { askReaders, stateOf } from '../review/agreement.ts';
import type { Planning } from '../session.ts';
import type { LineageAccess } from './downstream.ts';
import { fetchVersions } from './history.ts';

/** What readers lose: a column, a promise, or the contract. */
type Loss = {
  readonly rule: RuleId | 'transition-blocked';
  readonly place?: string;
  /** With those around it; absent where every reader of the asset is concerned. */
  readonly column?: readonly string[] | undefined;
  readonly isRemoval: boolean;
};

// Histories in memory at once; the connection limits the requests.
const atOnce = 16;

type Listed = { readonly pairs: readonly Owned[]; readonly rules: Rules };

/** Nobody has agreed yet: only the Action can ask for that. */
export async function withAgreements(
  contracts: readonly ContractPlan[],
  { pairs, rules: shared }: Listed,
  { reader, clockAhead }: Pick<Planning, 'reader' | 'clockAhead'>,
  lineage: LineageAccess,
  now: number,
): Promise<readonly ContractPlan[]> {
  const pairOf = new Map(
    pairs.flatMap(({ live, desired }) => (live ? [[live.id, { live, desired }]] : [])),
  );
  let asked: Promise<number> | undefined;
  const catalogTime = async () => now + ((await (asked ??= clockAhead?.())) ?? 0);
  return pLimit(atOnce).map(contracts, async (plan) => {
    const pair = plan.action === 'update' ? pairOf.get(plan.id) : undefined;
    if (plan.action !== 'update' || !pair) return plan;
    const rules = rulesFor(pair, shared);
    const losses = lossesOf(plan, rules);
    if (!rules.reviews.readers || losses.length === 0) return plan;
    const context = { live: pair.live, rules, reader, lineage, catalogTime };
    const agreement = await agreementOn(losses, rules.reviews.readers, context);
    if (agreement.state !== 'held') return { ...plan, agreement };
    const explained = agreement.losses.flatMap((loss) => whyNotLifted(loss, pair.live, rules));
    return { ...plan, agreement, problems: [...plan.problems, ...explained] };
  });
}

function lossesOf(plan: UpdatePlan, { compatibility, lifecycle }: Rules): Loss[] {
  const isEnd = isRetirement(plan, lifecycle);
  const retirement: Loss[] = isEnd ? [{ rule: 'transition-blocked', isRemoval: true }] : [];
  if (!isBreaking(plan)) return retirement;
  const { live, target } = sidesOf(plan);
  const breaking = compareContracts(live, target, compatibility.widenings)
    .filter(({ rule }) => impactOf(rule, compatibility.mode) === 'breaking')
    .map((effect): Loss => {
      const { rule, column } = effect;
      const place = hasPlaces(rule) ? placeOfEffect(effect) : undefined;
      return { rule, column, isRemoval: removals.has(rule), ...defined({ place }) };
    });
  return [...breaking, ...retirement];
}

const removals: ReadonlySet<RuleId> = new Set([
  'column-removed',
  'column-renamed',
  'contract-emptied',
]);

type Context = {
  readonly live: LiveContract;
  readonly rules: Rules;
  readonly reader: Planning['reader'];
  readonly lineage: LineageAccess;
  /** The clock that dates the versions, in epoch milliseconds. */
  readonly catalogTime: () => Promise<number>;
};

async function agreementOn(
  losses: readonly Loss[],
  rule: ReaderRules,
  context: Context,
): Promise<ReaderAgreement> {
  const { live, rules, catalogTime, lineage } = context;
  // An exception that lifts this says where, why and until when.
  const exceptions = rules
    .exceptionsFor(namesInFiles(live, rules.names))
    .filter(({ expired, until }) => !expired && until !== undefined);
  const exceptionOf = (loss: Loss) =>
    exceptions.find((each) => each.rule === loss.rule && each.place === loss.place);
  const mayBeAnnounced = losses.some((loss) => loss.isRemoval && !exceptionOf(loss));
  const versions = rule.notice !== undefined && mayBeAnnounced ? await readVersions(context) : [];
  const allowed: ReaderAgreement['allowed'][number][] = [];
  const announced: Announcement[] = [];
  const noticed: ReaderAgreement['noticed'][number][] = [];
  const open: Loss[] = [];
  for (const loss of losses) {
    const place = defined({ place: loss.place });
    const exception = exceptionOf(loss);
    const announcement = loss.isRemoval
      ? findAnnouncement(versions, live, loss.column, rules.lifecycle)
      : undefined;
    const from = (announcement?.since ?? Infinity) + (rule.notice ?? Infinity);
    if (exception) {
      const { reason, until } = exception;
      allowed.push({ reason, ...defined({ until }), ...place });
    } else if (announcement && (await catalogTime()) >= from) {
      announced.push({ ...announcement, ...place });
    } else {
      open.push(loss);
      if (announcement) noticed.push({ ...announcement, ...place, from });
    }
  }
  const named = open.map((loss) => ({ rule: loss.rule, ...defined({ place: loss.place }) }));
  const lifted = { losses: named, announced, noticed, allowed };
  if (open.length === 0) return { state: 'needless', readers: [], unasked: [], ...lifted };
  // The plan shows the readers of all that changes; those of the rest have nothing to agree to.
  const columns = open.flatMap(({ column }) => (column ? [column] : []));
  const isWhole = columns.length < open.length;
  const downstream = await lineage({ live, columns: isWhole ? undefined : columns });
  const active = ownStatus('Active', rules.lifecycle.synonyms);
  const asked = askReaders(downstream, active, isWhole, rule);
  return { state: stateOf(asked), ...asked, ...lifted };
}

/** The exceptions that cover it, and lift only the block of `compatibility`. */
function whyNotLifted(
  { rule, place }: ReaderAgreement['losses'][number],
  live: LiveContract,
  { exceptionsFor, names }: Rules,
): Problem[] {
  return exceptionsFor(namesInFiles(live, names)).flatMap((exception): Problem[] => {
    const { place: own, until, expired, reason, source } = exception;
    if (exception.rule !== rule || (own !== undefined && own !== place)) return [];
    const lacks: string[] = [];
    const additions: string[] = [];
    if (own === undefined && place !== undefined) {
      lacks.push('no `place`');
      additions.push(`\`place: ${place}\``);
    }
    if (until === undefined) {
      lacks.push('no `until`');
      additions.push('`until`, its last day');
    }
    const why = lacks.length > 0 ? `it has ${lacks.join(' and ')}` : `it ended on ${until}`;
    const hint = expired ? 'Set a later `until`.' : `Add ${additions.join(' and ')}.`;
    const message = `The exception for ${rule} (${reason}) doesn't lift the agreement of those who read ${place ?? 'the contract'}: ${why}.`;
    return [{ code: 'agreement-missing', severity: 'warning', message, hint, source }];
  });
}

// Without its versions, nothing counts as announced.
async function readVersions({ live, reader, rules }: Context) {
  try {
    return await fetchVersions(live, rules, reader);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return [];
  }
}
