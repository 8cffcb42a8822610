import { type Outcomes, summarizeOutcomes } from '../apply/outcome.ts';
import { carryOut } from '../commands/apply.ts';
import { planNow } from '../commands/plan.ts';
import { validateFiles } from '../commands/validate.ts';
import { loadFile } from '../config/file.ts';
import { SyncError, toDiagnostics } from '../core/diagnostic.ts';
import { createRedactor } from '../core/redact.ts';
import { erroredPlan } from '../plan/seal.ts';
import { chooseApplyBase, choosePlanBase } from './base.ts';
import { checkBranch, checkEvent } from './event.ts';
import { readDefaultBranch } from './github.ts';
import { giveUp, report, writeOutcomes } from './page.ts';
import { planByPolicy } from './policy.ts';
import { readRecords } from './record/find.ts';
import { askMergedPulls, askOpenPull } from './reader-reviews.ts';
import { explainUnsent, findWayOut, withRefusals } from './refusal.ts';
import {
  failureOfError,
  failureToApply,
  failureToPlan,
  invalidContracts,
  isOfReview,
  type StepResult,
  withProblems,
} from './result.ts';
import { checkReview } from './review.ts';
import { judgeMerged, judgeOpenPull } from './team-reviews.ts';
import { openCatalog, openStep, requireCatalog, type Runner, type Step } from './step.ts';

/** READ FIRST. Inputs → a command → its result, in log, summary, comment and outputs. */
export async function runAction(runner: Runner): Promise<0 | 1> {
  // The runner masks line by line.
  const redactor = createRedactor((secret) => {
    for (const line of secret.split('\n')) if (line.trim() !== '') runner.mask(line);
  });
  try {
    runner.useProxy();
    const step = openStep(runner, redactor);
    const failure = await report(step, await attempt(step));
    return failure ? 1 : 0;
  } catch (error) {
    giveUp(error, runner, redactor);
    return 1;
  }
}

async function attempt(step: Step): Promise<StepResult> {
  try {
    return await perform(step);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { catalogUrl = '', environment } = step.inputs;
    const subject = { catalogUrl, ...(environment !== undefined && { environment }) };
    const plan = erroredPlan(subject, toDiagnostics(error));
    return { kind: 'plan', plan, failure: failureOfError(error) };
  }
}

async function perform(step: Step): Promise<StepResult> {
  const { inputs, run, root, checkout, hasCredential } = step;
  checkEvent(run, inputs, hasCredential);
  // Ends the run before anything is shown of what a pull request has no right to read.
  loadFile(inputs.config, root, checkout);
  switch (inputs.command) {
    case 'validate':
      return validateStep(step);
    case 'plan':
      // GitHub gives no secrets to pull requests of forks and of Dependabot.
      if (run.pullRequest?.untrusted === true && !hasCredential) return validateStep(step, offline);
      return planStep(step);
    case 'apply':
      return applyStep(step);
  }
}

const offline =
  'This pull request comes from a fork or from Dependabot, which get no secrets: the files were checked, but no plan was made. To get a plan, push the change to a branch of this repository.';

async function validateStep(step: Step, notice?: string): Promise<StepResult> {
  const { inputs, folder, root, paths, log } = step;
  if (notice !== undefined)
    log.annotate({ code: 'no-token', severity: 'information', message: notice });
  const validation = await validateFiles(
    { folder: root, givenIn: folder, paths },
    // A pull request must not choose which variables of a job its files reveal.
    { config: inputs.config, env: inputs.environment, environment: {} },
  );
  const failure = validation.errored ? invalidContracts : undefined;
  return { kind: 'validation', validation, notice, failure };
}

async function planStep(step: Step): Promise<StepResult> {
  requireCatalog(step);
  const { inputs } = step;
  const base = choosePlanBase(step);
  const { session, planned: found, policy } = await planByPolicy(step, base);
  const { plan: planned, isNews } = await askOpenPull(step, found);
  const unreviewed = await judgeOpenPull(step, planned, policy, session.rules);
  const ofPolicy = [policy.problem, ...policy.details];
  const fresh = withProblems(planned, [base.problem, ...ofPolicy, ...unreviewed]);
  // GitHub notifies of a comment once, but of a new one again.
  const handles = isNews || inputs.comment !== 'recreate' ? session.handles : undefined;
  const { problem, covered } = policy;
  const shared = { kind: 'plan', policy: problem, covered, handles } as const;
  if (inputs.expectHash === undefined)
    return { ...shared, plan: fresh, failure: failureToPlan(fresh, inputs.failOn) };
  const records = await readRecords(step);
  const approval = await checkReview(fresh, records, step, session);
  const checked = withRefusals(approval, records, step);
  // Unreviewed changes forbid the apply.
  const plan = { ...checked, errored: checked.errored || checked.diagnostics.some(isOfReview) };
  const { comparison } = approval;
  const wayOut = findWayOut(step, session.rules.drift, records, { plan, comparison });
  return { ...shared, plan, comparison, wayOut, failure: failureToPlan(plan, inputs.failOn) };
}

async function applyStep(step: Step): Promise<StepResult> {
  const { run, inputs, github, runner } = step;
  await checkBranch(run, inputs.applyBranches, async () => github && readDefaultBranch(github));
  requireCatalog(step);
  const records = await readRecords(step);
  const base = chooseApplyBase(step, records);
  const session = await openCatalog(step, base);
  const planned = await askMergedPulls(step, await planNow(session), records);
  const fresh = withProblems(planned, [base.problem]);
  const approval = await checkReview(fresh, records, step, session);
  const unreviewed = await judgeMerged(step, approval.approved, records, session.rules);
  const plan = withProblems(withRefusals(approval, records, step), unreviewed);
  const keep = (partial: Outcomes): void => void writeOutcomes(step, partial);
  const outcomes = plan.errored
    ? summarizeOutcomes({}, [])
    : explainUnsent(
        await carryOut(approval, session, { signal: runner.interruption(), keep }),
        approval,
        records,
      );
  const { comparison } = approval;
  const wayOut = findWayOut(step, session.rules.drift, records, { plan, comparison, outcomes });
  const failure = failureToApply(plan, outcomes);
  return { kind: 'apply', plan, comparison, wayOut, outcomes, records, failure };
}
