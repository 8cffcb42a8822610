import {
  allLanded,
  hasLanded,
  type Outcome,
  outcomeOf,
  type Outcomes,
  summarizeOutcomes,
} from '../apply/outcome.ts';
import { carryOut, changeNotFound, withoutHeld } from '../commands/apply.ts';
import { type Reviewed, reviewPlan } from '../commands/review.ts';
import { wholeNumber } from '../config/settings.ts';
import {
  ConfigError,
  type Diagnostic,
  hasErrors,
  plainDiagnostic,
  SyncError,
  toDiagnostics,
} from '../core/diagnostic.ts';
import { contractLabel } from '../contract/identity.ts';
import { redactTexts } from '../core/redact.ts';
import { count, sanitizeLine } from '../core/text.ts';
import {
  plannedChanges,
  contractProblems,
  creations,
  type Plan,
  type PlanSubject,
  type UpdatePlan,
  updates,
} from '../plan/plan.ts';
import { signOf } from '../report/blocks.ts';
import { outcomeCases, renderOutcomesJson } from '../report/json.ts';
import { outcomeLines, outcomesPage, renderOutcomesText } from '../report/outcomes.ts';
import { approveWhole, type Comparison, type Decision } from '../review/compare.ts';
import { type Session, subjectOf } from '../session.ts';
import type { Flags } from './flags.ts';
import {
  decideBySaved,
  ofPlan,
  openOutput,
  type Output,
  readPlan,
  readReviewed,
  showComparison,
  showPlan,
} from './plan.ts';
import { prepareSession } from './session.ts';
import {
  exitCode,
  type ExitCode,
  type Pacing,
  print,
  reportDiagnostics,
  reporter,
  type Screen,
  startProgress,
  type Terminal,
} from './terminal.ts';

export async function runApply(terminal: Terminal, flags: Flags, paths: readonly string[]) {
  let report: Output | undefined;
  let result: Applied;
  let subject: PlanSubject | undefined;
  let isPlanned = false;
  try {
    report = openOutput('--report', flags.report, terminal);
    const maxFailures = wholeNumber('--max-failures', flags.maxFailures, 1_000_000);
    const { settings, open } = prepareSession(paths, flags, terminal, ofPlan);
    subject = subjectOf(settings);
    const reviewed = await readReviewed(flags, settings, terminal);
    const session = await open(reviewed?.plan);
    const { comparison, ...decision } = await showReviewed(session, reviewed, flags, terminal);
    isPlanned = true;
    if (decision.fresh.errored) result = refuseShown(decision.fresh, comparison);
    else {
      await confirmPlan(decision.approved, session, flags, terminal);
      result = await sendApproved(decision, session, terminal, { ...flags, maxFailures, report });
    }
  } catch (error) {
    const outcomes = summarizeOutcomes(subject ?? {}, [], toDiagnostics(error));
    result = { outcomes, code: exitCode.failed };
  }
  await showOutcomes(result, flags, terminal);
  if (subject && !isPlanned) reporter(terminal)(`Nothing was applied to ${subject.catalogUrl}.`);
  // The outcomes are shown first: writing the report may fail.
  report?.(renderOutcomesJson(result.outcomes));
  return result.code;
}

type Applied = {
  readonly plan?: Plan;
  readonly outcomes: Outcomes;
  readonly verdict?: readonly Diagnostic[];
  readonly code: ExitCode;
};

export async function showOutcomes(
  { outcomes: original, plan, verdict }: Applied,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const { redactor } = terminal;
  // Secrets are hidden first: escaped, one would no longer look like itself.
  const outcomes = redactTexts(original, redactor);
  const problems = verdict ?? outcomes.diagnostics;
  if (flags.format !== 'json' && problems.length > 0) reportDiagnostics(problems, terminal);
  if (flags.format === 'text' && outcomes.outcomes.length === 0) return;
  const options = terminal.layouts.write;
  await print(flags, terminal, {
    text: () => `\n${renderOutcomesText(outcomes, options)}`,
    json: () => renderOutcomesJson(outcomes),
    cases: () => outcomeCases(outcomes),
    ...(plan && { page: (view) => outcomesPage(redactTexts(plan, redactor), outcomes, view) }),
  });
}

async function showReviewed(
  session: Session,
  reviewed: Reviewed | undefined,
  flags: Flags,
  terminal: Terminal,
): Promise<Decision & { readonly comparison?: Comparison | undefined }> {
  const found = await readPlan(session, flags, terminal);
  if (reviewed?.plan && flags.expectHash === undefined)
    return decideBySaved(found, reviewed.plan, session, { flags, terminal });
  const { plan, review } = await reviewPlan(found, reviewed, session);
  showPlan(plan, flags, terminal);
  if (review?.comparison) showComparison(review.comparison, flags, terminal);
  return { ...approveWhole(plan), comparison: review?.comparison };
}

/**
 * A protected environment is typed whatever the flags say, since flags come out of the shell's
 * history. Without a terminal, `--yes` decides.
 */
export async function confirmPlan(
  plan: Plan,
  { environment, unchosen }: Session,
  { yes }: Flags,
  { ask }: Terminal,
): Promise<void> {
  const approved = withoutHeld(plan);
  if (plannedChanges(approved).length === 0) return;
  if (unchosen) throw unchosen;
  if (environment?.isProtected && ask) return askFor(environment.name, approved, ask);
  if (yes) return;
  if (ask) return askFor('yes', approved, ask);
  const message = "Can't ask for confirmation here: nothing was applied.";
  const hint = 'Review the plan, then run the command again with --yes.';
  throw new ConfigError('confirmation-needed', message, { hint });
}

async function askFor(word: string, approved: Plan, ask: NonNullable<Terminal['ask']>) {
  const { catalogUrl, environment } = approved;
  const where =
    environment === undefined ? catalogUrl : `${catalogUrl}, environment ${environment}`;
  const how =
    word === 'yes' ? 'Only "yes" applies the plan' : 'Type the name of the environment to apply';
  const work = Object.entries({ create: creations(approved), update: updates(approved) })
    .filter(([, { length }]) => length > 0)
    .map(([verb, { length }]) => `${verb} ${count(length, 'contract', 'contracts')}`);
  const sentence = work.join(' and ').replace(/^./u, (letter) => letter.toUpperCase());
  const question = `\n${sentence} in ${where}? ${how}: `;
  const answer = await ask(question, 'Interrupted: nothing was applied.');
  if (answer.trim() === word) return;
  throw new SyncError('not-confirmed', 'Not confirmed: nothing was applied.');
}

type SendOptions = {
  readonly maxFailures?: number | undefined;
  readonly quiet: boolean;
  readonly report: Output | undefined;
};

export async function sendApproved(
  decision: Decision,
  session: Session,
  terminal: Terminal,
  { maxFailures, quiet, report }: SendOptions,
): Promise<Applied> {
  const signal = terminal.interruption();
  const words =
    'Interrupted: no further change is sent; those in flight finish, and reading what has landed takes at most 5 s. Press Ctrl-C again to stop at once.';
  signal.addEventListener('abort', () => reporter(terminal)(words));
  const pacing = { resumesAt: session.resumesAt };
  const following = quiet
    ? undefined
    : followApply(withoutHeld(decision.approved), terminal, pacing);
  signal.addEventListener('abort', () => following?.interrupt());
  try {
    const keep = report && ((partial: Outcomes) => report(renderOutcomesJson(partial), 'partial'));
    const options = { signal, maxFailures, keep, ...following?.handlers };
    const outcomes = await carryOut(decision, session, options);
    const stopped = signal.reason === 'SIGTERM' ? exitCode.terminated : exitCode.interrupted;
    const ended = allLanded(outcomes) ? exitCode.done : exitCode.failed;
    const code = signal.aborted ? stopped : ended;
    return withoutSome({ plan: decision.fresh, outcomes, code }, decision.fresh);
  } finally {
    following?.end();
  }
}

const errored: Diagnostic = {
  code: 'plan-errored',
  severity: 'error',
  message: 'The plan has errors: nothing was applied.',
};

const incomplete: Diagnostic = {
  code: 'plan-incomplete',
  severity: 'error',
  message: 'Contracts with errors were left out.',
};

export function refuseShown(plan: Plan, comparison?: Comparison): Applied {
  const gone = (comparison?.contracts ?? []).filter(({ kind }) => kind === 'gone');
  const lost = gone.map((contract) => outcomeOf(contract, 'not-found', changeNotFound));
  const outcomes = summarizeOutcomes({}, lost, [...errorsOf(plan), errored]);
  return { outcomes, code: exitCode.failed, verdict: [errored] };
}

export function withoutSome(sent: Applied, plan: Plan): Applied {
  if (!plan.contracts.some((contract) => hasErrors(contractProblems(contract)))) return sent;
  const { outcomes, code, ...rest } = sent;
  const { diagnostics } = outcomes;
  return {
    ...rest,
    outcomes: { ...outcomes, diagnostics: [...diagnostics, ...errorsOf(plan), incomplete] },
    verdict: [...diagnostics, incomplete],
    code: code === exitCode.done ? exitCode.failed : code,
  };
}

function errorsOf(plan: Plan): Diagnostic[] {
  const errors = plan.contracts
    .flatMap(contractProblems)
    .filter(({ severity }) => severity === 'error')
    .map(plainDiagnostic);
  return [...plan.diagnostics, ...errors];
}

// A catalog's yes doesn't prove that a change is stored: a last read does.
export function followApply(plan: Plan, terminal: Screen, pacing: Partial<Pacing> = {}) {
  const total = plannedChanges(plan).length;
  let isInterrupted = false;
  const { palette } = terminal.layouts.report;
  const done = new Set<string>();
  let progress = startProgress('Applying', terminal, pacing);
  const goOn = (activity: string): void => {
    progress.end();
    progress = startProgress(activity, terminal, pacing);
  };
  const finish = (label: string, lines: readonly string[]): void => {
    const isNew = !done.has(label);
    done.add(label);
    // After an interruption, how many will be sent isn't known.
    if (isNew) progress.advance(done.size, isInterrupted ? undefined : total);
    progress.note(lines);
    if (isNew && !isInterrupted && done.size === total) goOn('Checking what the catalog stores');
  };
  const handlers = {
    onAnswer: (change: UpdatePlan) => {
      const label = contractLabel(change);
      const name = palette.strong(sanitizeLine(label));
      finish(label, [`${signOf('good', palette)} ${name}  accepted`]);
    },
    onOutcome: (outcome: Outcome) => {
      const label = contractLabel(outcome);
      if (outcome.result === 'skipped') return;
      const isGood = hasLanded(outcome);
      const isShown = isGood && outcome.note === undefined && done.has(label);
      finish(label, isShown ? [] : outcomeLines(outcome, terminal.layouts.report));
    },
  };
  const interrupt = (): void => {
    isInterrupted = true;
    goOn('Ending what is under way');
  };
  return { handlers, interrupt, end: () => progress.end() };
}
