import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { planNow, reviewPlan, type ReviewedPlan } from '../commands/plan.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { redactTexts } from '../core/redact.ts';
import { erroredPlan } from '../plan/make.ts';
import type { Plan } from '../plan/plan.ts';
import { renderPlanHtml } from '../report/html/plan.ts';
import { renderPlanJson } from '../report/json.ts';
import { renderPlanMarkdown } from '../report/markdown/plan.ts';
import type { Session } from '../session.ts';
import { startProgress } from './progress.ts';
import { readReviewed, type ReviewFlags } from './reviewed.ts';
import { type SessionFlags, startSession } from './session.ts';
import { type PrintFlags, showPlan, showReview } from './show.ts';
import { exitCode, type ExitCode, reporter, type Terminal } from './terminal.ts';

export type PlanFlags = SessionFlags &
  PrintFlags &
  ReviewFlags & { readonly out?: string; readonly detailedExitcode: boolean };

/** `contract-sync plan`: shows what apply would do. */
export async function runPlan(
  terminal: Terminal,
  paths: readonly string[],
  flags: PlanFlags,
): Promise<ExitCode> {
  const { plan: made, review } = await attempt(terminal, paths, flags);
  const plan = flags.out === undefined ? made : writePlan(flags.out, made, flags, terminal);
  printPlan(plan, flags, terminal);
  if (review) showReview(review, flags, terminal);
  if (plan.errored) return exitCode.failed;
  return flags.detailedExitcode && plan.summary.update > 0 ? exitCode.changes : exitCode.done;
}

/** A failure becomes a plan that carries its errors, so that the output has one form. */
async function attempt(
  terminal: Terminal,
  paths: readonly string[],
  flags: PlanFlags,
): Promise<ReviewedPlan> {
  let catalogUrl = flags.catalogUrl ?? '';
  try {
    const session = startSession(paths, flags, terminal);
    catalogUrl = session.catalogUrl;
    const reviewed = readReviewed(flags, terminal);
    return await reviewPlan(await readPlan(session, flags, terminal), reviewed, session);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return { plan: erroredPlan(catalogUrl, toDiagnostics(error)) };
  }
}

/** Makes the plan, and says on the way how far the reading has come, or that it was broken off. */
export async function readPlan(
  session: Session,
  { quiet }: Pick<PrintFlags, 'quiet'>,
  terminal: Terminal,
): Promise<Plan> {
  const release = terminal.endWith(() => reporter(terminal)('Interrupted: no plan was made.'));
  const progress = quiet ? undefined : startProgress('Reading the catalog', terminal);
  try {
    return await planNow({ ...session, ...(progress && { onPage: progress.advance }) });
  } finally {
    progress?.end();
    release();
  }
}

function printPlan(plan: Plan, flags: PrintFlags, terminal: Terminal): void {
  // Escaped, a secret would no longer look like itself.
  const shown = redactTexts(plan, terminal.redactor);
  switch (flags.format) {
    case 'json':
      return terminal.write(renderPlanJson(plan, flags));
    case 'markdown':
      return terminal.write(renderPlanMarkdown(shown, { budget: Infinity }));
    case 'html':
      return terminal.write(renderPlanHtml(shown, { all: flags.all }));
    case 'text':
      return showPlan(plan, flags, terminal);
  }
}

/** The plan as it is shown: a file that cannot be written is an error of it, in every format. */
function writePlan(
  name: string,
  plan: Plan,
  flags: PrintFlags,
  { folder, redactor }: Terminal,
): Plan {
  const file = resolve(folder, name);
  const json = redactor.redact(renderPlanJson(plan, flags));
  try {
    writeFileSync(file, json);
    return plan;
  } catch {
    return { ...plan, errored: true, diagnostics: [...plan.diagnostics, unwritable(file)] };
  }
}

function unwritable(file: string): Diagnostic {
  return {
    code: 'unwritable-file',
    severity: 'error',
    message: `The plan cannot be written to ${file}.`,
    hint: 'Name a file in a folder that exists and may be written to with --out.',
  };
}
