import { apply as applyPlan } from '../apply/apply.ts';
import { nothingApplied } from '../apply/outcome.ts';
import { wholeNumber } from '../config/config.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { contractProblems, type Plan } from '../plan/plan.ts';
import { review, withReview } from '../review/review.ts';
import type { Session } from '../session.ts';
import { confirm } from './confirm.ts';
import { exitCode, type ExitCode, exitCodeOfOutcomes } from './exit.ts';
import { refuseSelection } from './policy-flags.ts';
import { readPlan } from './read-plan.ts';
import { readPlanFile, readReviewed, type ReviewFlags, showReview } from './reviewed.ts';
import { reporter, type SessionFlags, startSession } from './session.ts';
import { type PrintFlags, type Result, showOutcomes, showPlan, writeReport } from './show.ts';
import type { Terminal } from './terminal.ts';

export type ApplyFlags = SessionFlags &
  PrintFlags &
  ReviewFlags & {
    readonly yes: boolean;
    /** A file that `plan --out` wrote: it is applied instead of a new plan. */
    readonly plan?: string;
    readonly maxFailures?: string;
    readonly report?: string;
  };

/** `contract-sync apply`: shows the plan, asks, and sends it. */
export async function apply(
  paths: readonly string[],
  flags: ApplyFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const result = await attempt(paths, { flags, terminal });
  showOutcomes(result, flags, terminal);
  // What stands on the terminal stays there, even where the report cannot be written.
  if (flags.report !== undefined) writeReport(flags.report, result.outcomes, flags, terminal);
  return result.code;
}

type Run = { readonly flags: ApplyFlags; readonly terminal: Terminal };
type Attempt = Result & { readonly code: ExitCode };

async function attempt(paths: readonly string[], run: Run): Promise<Attempt> {
  try {
    if (run.flags.plan !== undefined) refuseSelection(paths, run.flags);
    const maxFailures = wholeNumber('--max-failures', run.flags.maxFailures, mostFailures);
    const session = startSession(paths, run.flags, run.terminal);
    const plan = await reviewedPlan(session, run);
    return plan.errored
      ? refusal(reasons(plan, run.flags))
      : await carryOut(plan, session, { ...run, maxFailures });
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return refusal(toDiagnostics(error));
  }
}

function refusal(diagnostics: readonly Diagnostic[]): Attempt {
  return { outcomes: nothingApplied(diagnostics), code: exitCode.failed };
}

/** The plan, shown, with the verdict of its review. */
async function reviewedPlan(session: Session, { flags, terminal }: Run): Promise<Plan> {
  const reviewed = readReviewed(flags, terminal);
  const plan =
    flags.plan === undefined
      ? await readPlan(session, flags, terminal)
      : openSaved(session, flags.plan, terminal);
  if (!reviewed) {
    showPlan(plan, flags, terminal);
    return plan;
  }
  // A saved plan is what it is, whatever the files say now.
  const result = await review(plan, reviewed, flags.plan === undefined ? session : undefined);
  const judged = withReview(plan, result);
  showPlan(judged, flags, terminal);
  showReview(result, flags, terminal);
  return judged;
}

/** A saved plan names its catalog itself. */
function openSaved({ catalogUrl }: Session, file: string, terminal: Terminal): Plan {
  const plan = readPlanFile(file, terminal);
  if (plan.catalogUrl === catalogUrl) return plan;
  throw new SyncError(
    'other-catalog',
    `The plan in ${file} was made for ${plan.catalogUrl}, not for ${catalogUrl}.`,
    { hint: 'Give the catalog that it was made for, or plan again.' },
  );
}

type Sending = Run & { readonly maxFailures: number | undefined };

async function carryOut(
  plan: Plan,
  session: Session,
  { flags, terminal, maxFailures }: Sending,
): Promise<Attempt> {
  if (plan.summary.update > 0 && !flags.yes) await confirm(plan, terminal);
  const signal = terminal.interruption();
  signal.addEventListener('abort', () => reporter(terminal)(interruptionNote));
  const outcomes = await applyPlan({
    ...session,
    plan,
    writer: session.openWriter(),
    signal,
    ...(maxFailures !== undefined && { maxFailures }),
  });
  return { plan, outcomes, code: exitCodeOfOutcomes(outcomes, signal) };
}

const mostFailures = 1_000_000;

const interruptionNote =
  'Interrupted: no further change is sent, and those under way are let end. Once more ends at once.';

/** The plan has just been shown with its errors; JSON, which is printed alone, carries them all. */
function reasons(plan: Plan, { format }: ApplyFlags): Diagnostic[] {
  const verdict: Diagnostic = {
    code: 'plan-errored',
    severity: 'error',
    message: 'The plan has errors, so nothing was applied.',
  };
  if (format !== 'json') return [verdict];
  const errors = plan.contracts
    .flatMap(contractProblems)
    .filter(({ severity }) => severity === 'error')
    .map(({ impact: _impact, ...problem }): Diagnostic => problem);
  return [...plan.diagnostics, ...errors, verdict];
}
