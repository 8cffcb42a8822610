import { allLanded, type Outcomes, summarizeOutcomes } from '../apply/outcome.ts';
import { carryOut } from '../commands/apply.ts';
import { planNow } from '../commands/plan.ts';
import { loadFile } from '../config/file.ts';
import { readSavedPlan, requireApproval } from '../commands/saved.ts';
import { validateFiles } from '../commands/validate.ts';
import { contractLabel } from '../contract/identity.ts';
import {
  type Diagnostic,
  hasErrors,
  RepositoryError,
  sortDiagnostics,
  SyncError,
  toDiagnostics,
} from '../core/diagnostic.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { count } from '../core/text.ts';
import { contractProblems, type Plan } from '../plan/plan.ts';
import { erroredPlan } from '../plan/seal.ts';
import { outcomesVerdict } from '../report/outcomes.ts';
import { joinTotals, total } from '../report/problems.ts';
import { chooseApplyBase, choosePlanBase } from './base.ts';
import { whyNotRecorded } from './comment.ts';
import { checkBranch, checkEvent, EventError } from './event.ts';
import { readDefaultBranch } from './github.ts';
import { hasCredential, type Inputs } from './inputs.ts';
import { choosePolicy, type Touched, touchedFiles } from './policy.ts';
import { readPending, readRecords } from './records.ts';
import { explainUnsent, findWayOut, withRefusals } from './refusals.ts';
import { report, setOutputs } from './report.ts';
import { lookBefore } from './report-comment.ts';
import {
  type Failure,
  failureOfIncomplete,
  failureOfPlan,
  type FailureReason,
  isOfReview,
  reasonOf,
  type StepResult,
} from './result.ts';
import { checkReview } from './review.ts';
import { createLog, type Runner } from './runner.ts';
import { openCatalog, openStep, requireCatalog, type Step } from './step.ts';
import { judgeMerged, judgeOpenPull } from './team-reviews.ts';

/** READ FIRST. Inputs → a command → its result, in log, summary, comment and outputs. */
export async function runAction(runner: Runner): Promise<0 | 1> {
  // The runner masks line by line.
  const redactor = createRedactor((secret) => {
    for (const line of secret.split('\n')) if (line.trim() !== '') runner.mask(line);
  });
  try {
    runner.useProxy();
    const step = openStep(runner, redactor);
    const before = lookBefore(step);
    before.catch(() => undefined);
    const listing = touchedFiles(step);
    const result = await attempt(step, listing);
    const failure = await report(step, result, await listing, before);
    return failure ? 1 : 0;
  } catch (error) {
    giveUp(error, runner, redactor);
    return 1;
  }
}

async function attempt(step: Step, touched: Touched): Promise<StepResult> {
  try {
    return await perform(step, touched);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { catalogUrl = '', environment } = step.inputs;
    const subject = { catalogUrl, ...(environment !== undefined && { environment }) };
    const failure = { reason: reasonOf(error), message: error.message, fault: faultOf(error) };
    return { kind: 'plan', plan: erroredPlan(subject, toDiagnostics(error)), failure };
  }
}

function faultOf(error: SyncError): Failure['fault'] {
  if (error instanceof EventError) return 'workflow';
  return error instanceof RepositoryError ? 'repository' : undefined;
}

async function perform(step: Step, touched: Touched): Promise<StepResult> {
  const { inputs, run, runner, root, checkout } = step;
  checkEvent(run, inputs, runner);
  // Ends the run before anything is shown of what a pull request has no right to read.
  loadFile(inputs.config, root, checkout);
  switch (inputs.command) {
    case 'validate':
      return validateStep(step);
    case 'plan': {
      // GitHub gives no secrets to pull requests of forks and of Dependabot.
      const isOffline = run.pullRequest?.untrusted === true && !hasCredential(inputs, runner);
      return isOffline ? validateStep(step, offline) : planStep(step, touched);
    }
    case 'apply':
      return applyStep(step);
  }
}

const offline =
  'This pull request comes from a fork or from Dependabot, which get no secrets: the files were checked, but no plan was made. To get a plan, push the change to a branch of this repository.';

async function validateStep(
  { inputs, folder, root, paths, log }: Step,
  notice?: string,
): Promise<StepResult> {
  if (notice !== undefined)
    log.annotate({ code: 'no-token', severity: 'information', message: notice });
  const validation = await validateFiles(
    { folder: root, givenIn: folder, paths },
    // A pull request must not choose which variables of a job its files reveal.
    { config: inputs.config, env: inputs.environment, environment: {} },
  );
  const failure: Failure | undefined = validation.errored
    ? { reason: 'invalid-contracts', message: 'The contract files have errors.' }
    : undefined;
  return { kind: 'validation', validation, notice, failure };
}

async function planStep(step: Step, touched: Touched): Promise<StepResult> {
  requireCatalog(step);
  const base = choosePlanBase(step);
  const policy = await choosePolicy(step, base, touched);
  let waiting: ReturnType<typeof readPending> | undefined;
  // Read once, also where a plan is made again by another policy.
  const pending = { ...base, readPending: async () => (waiting ??= readPending(step)) };
  const session = await openCatalog(step, { ...pending, rules: policy.rules });
  const isChecked = step.inputs.expectHash !== undefined;
  const reading = isChecked ? readRecords(step) : undefined;
  // Handled at the `await` below; the plan may fail first, for another reason.
  reading?.catch(() => undefined);
  const { problem, other } = policy;
  const planned = await planNow(session);
  let policyProblem = problem;
  if (problem && other) {
    const byOther = await openCatalog(step, { ...pending, ...other, earlier: session });
    policyProblem = other.compare(problem, planned, await planNow(byOther));
  }
  const unreviewed = await judgeOpenPull(step, planned, policy, session.rules);
  const isRecorded = step.run.pullRequest !== undefined && step.inputs.comment !== 'off';
  const tooLarge = isRecorded ? whyNotRecorded(planned) : undefined;
  const fresh = withProblems(planned, [base.problem, policyProblem, tooLarge, ...unreviewed]);
  const records = await reading;
  const { handles } = session;
  const shared = { kind: 'plan', policy: policyProblem, handles } as const;
  if (!records) return { ...shared, plan: fresh, failure: failureOf(fresh, step.inputs) };
  const approval = await checkReview(fresh, records, { step, session });
  const { plan: checked, comparison } = withRefusals(approval, records, step);
  // Unreviewed changes forbid the apply.
  const plan = { ...checked, errored: checked.errored || checked.diagnostics.some(isOfReview) };
  // A plan with other inputs was reviewed, which is no review of this one.
  const wayOut = records.own?.other
    ? undefined
    : findWayOut(step, session.rules.drift, { plan, comparison });
  return { ...shared, plan, comparison, wayOut, failure: failureOf(plan, step.inputs) };
}

function withProblems(plan: Plan, problems: readonly (Diagnostic | undefined)[]): Plan {
  const known = problems.filter((problem) => problem !== undefined);
  const diagnostics = sortDiagnostics([...plan.diagnostics, ...known]);
  return { ...plan, diagnostics, errored: plan.errored || hasErrors(known) };
}

function failureOf(plan: Plan, { failOn }: Inputs): Failure | undefined {
  if (plan.errored) return failureOfPlan(plan);
  const incomplete = failureOfIncomplete(plan);
  if (incomplete) return incomplete;
  const { create = 0, update, drift, unknown = 0 } = plan.summary;
  const words = [
    ...total(create, `${create} to create`),
    ...total(update, `${update} to update`),
    ...total(drift, `${drift} edited in the catalog`),
    ...total(unknown, `${unknown} edited or not applied yet`),
  ];
  if (failOn === 'changes' && words.length > 0) {
    const message = `The catalog differs from the files: ${joinTotals(words)}.`;
    return { reason: 'changes', message };
  }
  const problems = [...plan.diagnostics, ...plan.contracts.flatMap(contractProblems)];
  if (failOn === 'warnings' && problems.some(({ severity }) => severity !== 'information'))
    return { reason: 'warnings', message: 'The plan has warnings, and `fail-on` is warnings.' };
  return undefined;
}

async function applyStep(step: Step): Promise<StepResult> {
  const { run, inputs, github } = step;
  await checkBranch(run, inputs, async () => github && readDefaultBranch(github));
  requireCatalog(step);
  const { planFile: name } = inputs;
  const hint = 'Set the input `plan-file` to the plan of an earlier step.';
  const file = { folder: step.folder, hint };
  const saved = name === undefined ? undefined : await readSavedPlan({ name, ...file }, 'apply');
  const records = await readRecords(step);
  const base = chooseApplyBase(step, records);
  const session = await openCatalog(step, base);
  if (saved) requireApproval(saved, session, name);
  const fresh = withProblems(await planNow(session), [base.problem]);
  const approval = await checkReview(fresh, records, { step, session, saved });
  const { plan: judged, comparison } = withRefusals(approval, records, step);
  const unreviewed = await judgeMerged(step, approval.approved, records, session.rules);
  const plan = withProblems(judged, unreviewed);
  const outcomes = plan.errored
    ? summarizeOutcomes({}, [])
    : explainUnsent(
        await carryOut(approval, session, { signal: step.runner.interruption() }),
        approval,
      );
  const failure = failureToApply(plan, outcomes);
  const wayOut = records.own?.other
    ? undefined
    : findWayOut(step, session.rules.drift, { plan, comparison }, outcomes);
  return { kind: 'apply', plan, comparison, wayOut, outcomes, records, failure };
}

function failureToApply(plan: Plan, outcomes: Outcomes): Failure | undefined {
  const problems = [...plan.diagnostics, ...plan.contracts.flatMap(contractProblems)];
  const { hint } =
    problems.find((each) => each.severity === 'error' && each.hint !== undefined) ?? {};
  if (plan.errored) return { ...failureOfPlan(plan), hint };
  const unreviewed = plan.diagnostics.find(isOfReview);
  if (allLanded(outcomes)) {
    if (unreviewed) return { reason: 'plan-changed', message: unreviewed.message };
    const incomplete = failureOfIncomplete(plan);
    return incomplete && { ...incomplete, hint };
  }
  const { summary } = outcomes;
  const refused = summary['not-reviewed'] + summary['not-found'];
  const landed = summary.applied + summary.unchanged + summary.left;
  const isLanded = landed + summary.overlapped === outcomes.outcomes.length;
  const what = isLanded ? 'An edit may be lost' : 'Not every change landed';
  const all = count(outcomes.outcomes.length - summary.left, 'change', 'changes');
  const failed = outcomes.outcomes.find(({ result }) => result === 'failed');
  const message = failed
    ? `${summary.failed} of ${all} failed: ${contractLabel(failed)}: ${failed.error?.message}`
    : `${what}: ${outcomesVerdict(outcomes)}.`;
  const isRefused = refused > 0 && refused + landed === outcomes.outcomes.length;
  if (isRefused) return { reason: 'plan-changed', message };
  return { reason: 'apply-failed', message, hint: nextStep(outcomes) };
}

function nextStep({ summary, outcomes }: Outcomes): string | undefined {
  const again = 'run the job again: it sends what has not landed.';
  if (summary.failed > 0) return `Fix what it says, then ${again}`;
  const isOpen = summary.stale + summary.unverified + summary.skipped > 0;
  return isOpen
    ? `Look at the contract, then ${again}`
    : outcomes.flatMap(({ error }) => error?.hint ?? [])[0];
}

// For bad inputs and bugs, where there is no step to report them.
function giveUp(error: unknown, runner: Runner, redactor: Redactor): void {
  const reason: FailureReason = error instanceof SyncError ? 'configuration' : 'internal';
  // Node would print the stack unescaped, with workflow commands and secrets.
  const log = createLog(runner, redactor);
  if (reason === 'internal' && error instanceof Error) log.text(error.stack ?? '');
  const message = error instanceof Error ? error.message : String(error);
  const bug: Diagnostic = { code: 'internal-error', severity: 'error', message };
  const problems = error instanceof SyncError ? toDiagnostics(error) : [bug];
  for (const problem of problems) log.annotate(problem);
  setOutputs({ 'failure-reason': reason }, runner);
}
