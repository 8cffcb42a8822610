import { resolve } from 'node:path';
import { planNow, reviewPlan, type ReviewedPlan } from '../commands/plan.ts';
import { nameFrom } from '../config/root.ts';
import { type Diagnostic, renamePlace } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { redactTexts } from '../core/redact.ts';
import { count } from '../core/text.ts';
import { findRepository } from '../files/find/repository.ts';
import { erroredPlan } from '../plan/make.ts';
import { changeCount, isIncomplete, type Plan, type PlanSubject } from '../plan/plan.ts';
import { renderAnnotations } from '../report/github.ts';
import { renderPlanJson, renderSarif } from '../report/json.ts';
import { describePlan } from '../report/model/plan.ts';
import type { Session } from '../session.ts';
import { subjectOf } from '../sync.ts';
import { version } from '../version.ts';
import { openOutput, type OutputFile } from './output-file.ts';
import { startProgress } from './progress.ts';
import { readReviewed, type ReviewFlags } from './reviewed.ts';
import { type SessionFlags, startSession } from './session.ts';
import { type PrintFlags, showComparison, showPlan } from './show.ts';
import { exitCode, type ExitCode, reporter, type Terminal } from './terminal.ts';

export type PlanFlags = SessionFlags &
  Omit<PrintFlags, 'format'> &
  Pick<ReviewFlags, 'expectHash'> & {
    readonly format: PrintFlags['format'] | 'github' | 'sarif';
    readonly out?: string;
    readonly detailedExitcode: boolean;
  };

/** `contract-sync plan`: shows what apply would do. */
export async function runPlan(
  terminal: Terminal,
  paths: readonly string[],
  flags: PlanFlags,
): Promise<ExitCode> {
  const { plan: made, review, output } = await attempt(terminal, paths, flags);
  const plan = output ? writePlan(output, made, flags) : made;
  await printPlan(plan, { ...flags, next: nextCommand(paths, flags) }, terminal);
  if (review?.comparison) showComparison(review.comparison, flags, terminal);
  if (plan.errored || isIncomplete(plan)) return exitCode.failed;
  return flags.detailedExitcode && changeCount(plan) > 0 ? exitCode.changes : exitCode.done;
}

/** With the file that the plan goes to as well. */
type Attempt = ReviewedPlan & { readonly output: OutputFile | undefined };

/** A failure becomes a plan that carries its errors, so that the output has one form. */
async function attempt(
  terminal: Terminal,
  paths: readonly string[],
  flags: PlanFlags,
): Promise<Attempt> {
  let subject: PlanSubject = { catalogUrl: flags.catalogUrl ?? '' };
  let output: OutputFile | undefined;
  try {
    output = openPlanFile(flags, terminal);
    const session = startSession(paths, flags, terminal, { hasDefaultBase: true });
    subject = subjectOf(session);
    const reviewed = await readReviewed(flags, session, terminal);
    const plan = await readPlan(session, flags, terminal);
    return { ...(await reviewPlan(plan, reviewed, session)), output };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return { plan: erroredPlan(subject, toDiagnostics(error)), output };
  }
}

/** Makes the plan, and says on the way how far the reading has come, or that it was broken off. */
export async function readPlan(
  session: Session,
  { quiet }: Pick<PrintFlags, 'quiet'>,
  terminal: Terminal,
): Promise<Plan> {
  const release = terminal.endWith(() => reporter(terminal)('Interrupted: no plan was made.'));
  const progress = quiet ? undefined : startReading(terminal, session);
  try {
    return await planNow({ ...session, ...progress?.told });
  } finally {
    progress?.end();
    release();
  }
}

/** The progress of a list, and then of another, if contracts are missing in the first. */
function startReading(terminal: Terminal, { resumesAt }: Session) {
  const pacing = { resumesAt };
  let progress = startProgress('Reading the catalog', terminal, pacing);
  const told: Pick<Session, 'onPage' | 'onLookAgain'> = {
    onPage: (read, total) => progress.advance(read, total),
    onLookAgain: (missing) => {
      progress.end();
      const contracts = count(missing, 'missing contract', 'missing contracts');
      progress = startProgress(`Looking again for ${contracts}`, terminal, pacing);
    },
  };
  return { told, end: () => progress.end() };
}

/** Flags that say how a plan is shown, and not what is in it. */
const flagsOfForm: ReadonlySet<string> = new Set([
  'format',
  'all',
  'quiet',
  'verbose',
  'color',
  'detailedExitcode',
]);

/** An apply without the arguments of its plan may do more than the plan says, or find less of it. */
function nextCommand(paths: readonly string[], { out, ...flags }: PlanFlags): string {
  const command = out === undefined ? 'contract-sync apply' : `contract-sync apply --plan ${out}`;
  const given = Object.entries(flags).some(
    ([name, value]) => !flagsOfForm.has(name) && value !== undefined && value !== false,
  );
  return paths.length > 0 || given ? `${command} with the same arguments` : command;
}

async function printPlan(
  plan: Plan,
  flags: PlanFlags & { readonly next: string },
  terminal: Terminal,
): Promise<void> {
  // Escaped, a secret would no longer look like itself.
  const shown = () => redactTexts(plan, terminal.redactor);
  switch (flags.format) {
    case 'json':
      return terminal.write(renderPlanJson(plan, flags), 'json');
    case 'markdown': {
      const { renderPlanMarkdown } = await import('../report/markdown/plan.ts');
      return terminal.write(renderPlanMarkdown(shown(), { budget: Infinity }));
    }
    case 'html': {
      const { renderPlanHtml } = await import('../report/html/plan.ts');
      return terminal.write(renderPlanHtml(shown(), { all: flags.all }));
    }
    case 'github':
      return terminal.write(renderAnnotations(problemsIn(shown(), terminal)), 'commands');
    case 'sarif':
      return terminal.write(renderSarif(problemsIn(shown(), terminal), version), 'json');
    case 'text':
      return showPlan(plan, flags, terminal);
  }
}

/** What blocks and what warns; services that show a file have the whole repository. */
function problemsIn(plan: Plan, { folder, root }: Terminal): Diagnostic[] {
  const nameOf = nameFrom(findRepository(root) ?? folder, root);
  return describePlan(plan).problems.map(({ contract, ...problem }) =>
    problem.source || contract === undefined
      ? renamePlace(problem, nameOf)
      : { ...problem, message: `${contract}: ${problem.message}` },
  );
}

function openPlanFile({ out }: PlanFlags, terminal: Terminal): OutputFile | undefined {
  if (out === undefined) return undefined;
  const name = resolve(terminal.folder, out);
  return openOutput({ flag: '--out', name, document: 'The plan' }, terminal);
}

/** The plan as it is shown: a file that can no longer be written is an error of it, in every format. */
function writePlan(output: OutputFile, plan: Plan, flags: Pick<PrintFlags, 'all'>): Plan {
  try {
    output.write(renderPlanJson(plan, flags));
    return plan;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const diagnostics = [...plan.diagnostics, ...toDiagnostics(error)];
    return { ...plan, errored: true, diagnostics };
  }
}
