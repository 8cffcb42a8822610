/** A plan that returns contracts to what they were. It is one as any other, and so is its apply. */

import pLimit from 'p-limit';
import { openDirectory } from '../catalog/directory.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import { differingFields } from '../contract/restate-fields.ts';
import type { Diagnostic, Problem, SourcePosition } from '../core/diagnostic.ts';
import { planContract } from '../plan/contract-plan.ts';
import { agreeOnAll, blockUnknownStatus, dialectDoubtful, unasked } from '../plan/doubt.ts';
import { allowTransition } from '../plan/lifecycle.ts';
import { enforceLimits } from '../plan/limits.ts';
import { makePlan } from '../plan/make.ts';
import {
  contractProblems,
  type Override,
  type Plan,
  type UnchangedPlan,
  type UpdatePlan,
} from '../plan/plan.ts';
import { blockedBy, createPeople } from '../plan/references.ts';
import type { Session } from '../session.ts';
import type { ReadContract } from '../sync/understand.ts';
import { type DialectRules, dialectRules, understand, withDialect } from '../sync/understand.ts';
import type { NamedContracts } from './find-live.ts';
import { fetchVersions } from './history.ts';
import { findFields, type Restored, type RollbackTarget } from './restore.ts';

/** The plan that brings contracts back; what a rule forbids, and what others hold, it says. */
export async function planRollback(
  { contracts, kind }: NamedContracts,
  target: RollbackTarget,
  session: Session,
): Promise<Plan> {
  const [reading, other] = dialectRules(kind.possible, session);
  const lifted = session.overrides?.find((override) => 'rule' in override);
  const back = { contracts, target, session, lifted };
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
  const kept = keepReason(made, lifted);
  return withDialect(enforceLimits(kept, reading.rules, session.overrides), kind);
}

type Back = {
  readonly contracts: readonly ReadContract[];
  readonly target: RollbackTarget;
  readonly session: Session;
  readonly lifted: Override | undefined;
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
  { contracts, target, session, lifted }: Back,
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
    const allowed =
      lifted && made.action === 'blocked' ? allowTransition(made, lifted.reason) : made;
    const plan = withProblems(blockedBy(allowed, problems), restored.problems);
    return { plan: withoutPlaces(plan), contract, restored };
  });
}

/** A reason that nothing needed is not kept. */
function keepReason(plan: Plan, lifted: Override | undefined): Plan {
  const isLifted = plan.contracts
    .flatMap(contractProblems)
    .some(({ code, allowed }) => code === 'transition-blocked' && allowed);
  return lifted && isLifted ? { ...plan, overrides: [lifted] } : plan;
}

/** There is no file to correct, and a way back takes no steps between. */
function withWayOut(problem: Problem): Problem {
  switch (problem.severity === 'error' && problem.code) {
    case 'unknown-reference':
      return { ...problem, hint: 'Return to another version, or bring the rest back in the file.' };
    case 'transition-blocked':
      return {
        ...problem,
        hint: 'If you mean it, roll back again with --reason "…": it is kept in the plan and its outcomes.',
      };
    default:
      return problem;
  }
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
