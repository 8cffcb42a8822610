import pLimit from 'p-limit';
import { keepUnstated } from '../contract/unstated.ts';
import { contractLabel } from '../contract/identity.ts';
import { differingFields } from '../contract/equality.ts';
import {
  type Diagnostic,
  hasErrors,
  type Problem,
  type SourcePosition,
} from '../core/diagnostic.ts';
import { compareCodeUnits, defined } from '../core/json.ts';
import { blockedBy, contentFor, planUpdate } from '../plan/update.ts';
import { noFacts, referencesIn } from '../plan/facts.ts';
import { enforceLimits, makePlan } from '../plan/seal.ts';
import type { LivePair } from '../plan/pair.ts';
import { contractProblems, type Plan, type UnchangedPlan, type UpdatePlan } from '../plan/plan.ts';
import { type Rules, rulesFor } from '../plan/rules.ts';
import type { Session } from '../session.ts';
import { lookUpPeople } from './facts.ts';
import { fetchVersions } from './history.ts';
import { plannedDialect } from './plan.ts';
import { findFields, type Restored, type RollbackTarget } from './restore.ts';

/** A plan that returns contracts to former states; it is applied like any other. */

/** A reason overrides lifecycle and compatibility: contract-sync may undo what it did. */
export async function planRollback(
  pairs: readonly LivePair[],
  target: RollbackTarget,
  session: Session,
  reason?: string,
): Promise<Plan> {
  const { rules } = session;
  const returned = await planReturns(pairs, target, session, reason);
  const contracts = returned.map(({ plan }) => plan);
  const inGit = returned.flatMap(({ plan, pair }) => leavesGit(plan, pair, rules));
  const isEmptyRun = target.kind === 'run' && target.records.size === 0;
  const notes = isEmptyRun ? [...inGit, nothingToUndo] : inGit;
  const made = makePlan(session.catalogUrl, contracts, [...(session.notices ?? []), ...notes], {
    dialect: plannedDialect(session),
    environment: session.environment?.name,
    arrays: rules.arrays,
  });
  return enforceLimits(keepReason(made, reason), rules, session.overrides);
}

const nothingToUndo: Diagnostic = {
  code: 'changed-since-run',
  severity: 'information',
  message: 'This run changed nothing, so there is nothing to take back.',
};

async function planReturns(
  pairs: readonly LivePair[],
  target: RollbackTarget,
  session: Session,
  reason: string | undefined,
) {
  const { rules } = session;
  const found = await pLimit(session.concurrency).map(pairs, async (pair) => {
    const versions = await fetchVersions(pair, rules, session);
    const restored = findFields(pair, versions, target, rules);
    return { pair, restored, desired: desiredOf(pair, restored, rules) };
  });
  const references = referencesIn(found.map(({ desired }) => desired));
  const people = await lookUpPeople(references, rules, session.reader);
  return found.map(({ pair, restored, desired: asked }) => {
    const { desired, problems } = contentFor(pair.live, asked, { ...noFacts, people });
    const own = rulesFor(pair, rules);
    const made = planUpdate(pair.live, desired, own);
    const plan = blockedBy(reason === undefined ? made : allowWithReason(made, reason), problems);
    const all = [...plan.problems, ...restored.problems];
    const owned = { ...plan, ...defined({ team: own.team }), problems: all };
    return { plan: withoutPlaces(owned), pair };
  });
}

function isLiftable({ severity, scope, impact }: Problem): boolean {
  return severity === 'error' && (scope === 'change' || impact === 'breaking');
}

function allowWithReason(plan: Planned, reason: string): Planned {
  if (plan.action !== 'blocked') return plan;
  const problems = plan.problems.map((problem): Problem =>
    isLiftable(problem)
      ? { ...problem, severity: 'warning', hint: `Allowed: ${reason}`, allowed: { reason } }
      : problem,
  );
  return { ...plan, action: hasErrors(problems) ? 'blocked' : 'update', problems };
}

function keepReason(plan: Plan, reason: string | undefined): Plan {
  if (reason === undefined) return plan;
  const lifted = plan.contracts
    .flatMap(contractProblems)
    .filter(({ allowed }) => allowed?.reason === reason)
    .map(({ code }) => code);
  const overrides = [...new Set(lifted)]
    .toSorted(compareCodeUnits)
    .map((rule) => ({ rule, reason }));
  return overrides.length > 0 ? { ...plan, overrides } : plan;
}

function desiredOf({ live }: LivePair, { fields, described }: Restored, rules: Rules) {
  const source: SourcePosition = { file: described, line: 1, column: 1, format: 'version' };
  const { asWritten } = rules.conventions;
  const managed = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, value && asWritten(field, value)]),
  );
  return { identity: { id: live.id }, managed, source, locate: () => source };
}

type Planned = UpdatePlan | UnchangedPlan;

function withoutPlaces(plan: Planned): Planned {
  const hint =
    'If you mean it, roll back again with --reason "…": it is kept in the plan and its outcomes.';
  const problems = plan.problems
    .map((problem) => (isLiftable(problem) ? { ...problem, hint } : problem))
    .map(({ source, ...problem }) =>
      source && source.format !== 'version' ? { ...problem, source } : problem,
    );
  if (plan.action === 'unchanged') return { ...plan, problems };
  const changes = plan.changes.map(({ source: _source, ...change }) => change);
  return { ...plan, problems, changes };
}

// The next apply would undo the rollback, unless the file is changed too.
function leavesGit(plan: Planned, { live, desired }: LivePair, rules: Rules): Diagnostic[] {
  if (plan.action !== 'update' || !desired) return [];
  const restored = { ...live, document: { ...live.document, ...plan.target } };
  const { managed } = keepUnstated(restored, desired);
  const differing = differingFields(restored, managed, rules);
  if (!Object.keys(plan.target).some((field) => differing.has(field))) return [];
  const { source } = desired;
  const message = `The file of ${contractLabel(live)} differs: applying it would undo this rollback.`;
  const hint = `Then update the file: contract-sync pull ${source.file}`;
  return [{ code: 'git-differs', severity: 'information', message, hint, source }];
}
