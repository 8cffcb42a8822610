/** A plan that returns contracts to what they were. It is one as any other, and so is its apply. */

import pLimit from 'p-limit';
import { openDirectory } from '../catalog/directory.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import { differingFields } from '../contract/restate-fields.ts';
import {
  type Diagnostic,
  hasErrors,
  type Problem,
  type SourcePosition,
} from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';
import { planContract } from '../plan/contract-plan.ts';
import { agreeOnAll, blockUnknownStatus, dialectDoubtful, unasked } from '../plan/doubt.ts';
import { enforceLimits } from '../plan/limits.ts';
import { makePlan } from '../plan/make.ts';
import { contractProblems, type Plan, type UnchangedPlan, type UpdatePlan } from '../plan/plan.ts';
import { blockedBy, createPeople } from '../plan/references.ts';
import type { Session } from '../session.ts';
import {
  type DialectRules,
  dialectRules,
  type ReadContract,
  understand,
  withDialect,
} from '../sync/understand.ts';
import type { NamedContracts } from './find-live.ts';
import { fetchVersions } from './history.ts';
import { findFields, type Restored, type RollbackTarget } from './restore.ts';

/**
 * The plan that brings contracts back; what a rule forbids, and what others hold, it says. A reason
 * lifts what the lifecycle and consumers say against it: what the tool did, it can undo.
 */
export async function planRollback(
  { contracts, kind }: NamedContracts,
  target: RollbackTarget,
  session: Session,
  reason?: string,
): Promise<Plan> {
  const [reading, other] = dialectRules(kind.possible, session);
  const back = { contracts, target, session, reason };
  const planned = await planIn(reading, back, other === undefined);
  const plans = planned.map(({ plan }) => plan);
  const elsewhere = other && (await planIn(other, back, false)).map(({ plan }) => plan);
  const agreed = elsewhere
    ? agreeOnAll(plans, elsewhere, dialectDoubtful(kind.evidence))
    : planned.map(({ plan, restored }) => {
        // The catalog had the status of a version.
        const hasStatus = (status: string): boolean =>
          restored.fields['entityStatus'] === status || kind.hasStatus(status);
        return blockUnknownStatus(plan, { ...kind, hasStatus }, session.rules);
      });
  const { keys, unordered } = reading.rules.arrays;
  const made = makePlan(
    session.catalogUrl,
    agreed,
    [...kind.diagnostics, ...planned.flatMap(({ plan, contract }) => leavesGit(plan, contract))],
    {
      ...(session.environment && { environment: session.environment.name }),
      arrays: { ...(keys && { keys }), ...(unordered && { unordered }) },
    },
  );
  return withDialect(
    enforceLimits(keepReason(made, reason), reading.rules, session.overrides),
    kind,
  );
}

type Back = {
  readonly contracts: readonly ReadContract[];
  readonly target: RollbackTarget;
  readonly session: Session;
  readonly reason: string | undefined;
};

/** A contract and the plan of its way back. */
type Returned = {
  readonly plan: Planned;
  readonly contract: ReadContract;
  readonly restored: Restored;
};

/** The ways back in one dialect. */
async function planIn(
  reading: DialectRules,
  { contracts, target, session, reason }: Back,
  isKnown: boolean,
): Promise<readonly Returned[]> {
  const limit = pLimit(session.concurrency);
  const found = await limit.map(contracts, async (named) => {
    const contract = { ...named, ...understand(named.live, reading) };
    const versions = await fetchVersions(contract, session);
    const restored = findFields(contract, versions, target);
    return { contract, restored, desired: desiredOf(contract, restored) };
  });
  const wanted = found.map(({ desired }) => desired);
  const people = createPeople();
  if (reading.dialect.resolvesReferences) {
    const { lookUp } = openDirectory(session.reader, wanted);
    people.learn(isKnown ? await lookUp() : () => unasked);
  }
  return found.map(({ contract, restored, desired: asked }) => {
    const { live, rules } = contract;
    const { desired, problems } = people.resolve(asked, live.document);
    const made = planContract(live, desired, rules);
    const allowed = reason === undefined ? made : allowWithReason(made, reason);
    const plan = withProblems(blockedBy(allowed, problems), restored.problems);
    return { plan: withoutPlaces(plan), contract, restored };
  });
}

/** Whether an error is one that a reason lifts: what protects contracts or names people stays. */
function isLiftable({ code, severity, impact }: Problem): boolean {
  return severity === 'error' && (code === 'transition-blocked' || impact === 'breaking');
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

/** Each rule that the reason has lifted, once; a reason that nothing needed is not kept. */
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

/** There is no file to correct, and a way back takes no steps between. */
function withWayOut(problem: Problem): Problem {
  if (problem.severity === 'error' && problem.code === 'unknown-reference')
    return { ...problem, hint: 'Return to another version, or bring the rest back in the file.' };
  if (!isLiftable(problem)) return problem;
  const hint =
    'If you mean it, roll back again with --reason "…": it is kept in the plan and its outcomes.';
  return { ...problem, hint };
}

/** A file that nobody has written: the contract's past asks for it. */
function desiredOf(
  { live, rules }: ReadContract,
  { fields, described }: Restored,
): DesiredContract {
  const source: SourcePosition = { file: described, line: 1, column: 1, format: 'version' };
  const managed = Object.entries(fields).map(
    ([field, value]) =>
      [field, value === null ? null : rules.conventions.asWritten(field, value)] as const,
  );
  return {
    identity: { id: live.id },
    managed: Object.fromEntries(managed),
    source,
    locate: () => source,
  };
}

type Planned = UpdatePlan | UnchangedPlan;

function withProblems(plan: Planned, problems: readonly Problem[]): Planned {
  return { ...plan, problems: [...plan.problems, ...problems] };
}

/** No line of a file asks for any of it. */
function withoutPlaces(plan: Planned): Planned {
  const problems = plan.problems
    .map(withWayOut)
    .map(({ source, ...problem }) =>
      source && source.format !== 'version' ? { ...problem, source } : problem,
    );
  if (plan.action === 'unchanged') return { ...plan, problems };
  const changes = plan.changes.map(({ source: _source, ...change }) => change);
  return { ...plan, problems, changes };
}

/** The next apply would undo it, unless the file is brought along. */
function leavesGit(plan: Planned, { live, desired, rules }: ReadContract): Diagnostic[] {
  if (plan.action !== 'update' || !desired) return [];
  const restored = { ...live, document: { ...live.document, ...plan.target } };
  const { managed } = desired.refine?.(restored) ?? desired;
  const differing = differingFields(restored, managed, rules);
  if (!Object.keys(plan.target).some((field) => differing.has(field))) return [];
  return [
    {
      code: 'git-differs',
      severity: 'information',
      message: `The file of ${contractLabel(live)} differs: applying it would undo this rollback.`,
      hint: `Then update the file: contract-sync pull ${desired.source.file}`,
      source: desired.source,
    },
  ];
}
