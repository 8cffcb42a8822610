import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { erroredPlan } from '../plan/make.ts';
import type { Plan } from '../plan/plan.ts';
import { renderPlanMarkdown } from '../report/markdown/plan.ts';
import { renderPlanJson } from '../report/json.ts';
import { review, withReview, type Review } from '../review/review.ts';
import { readPlan } from './read-plan.ts';
import { startSession, type SessionFlags } from './session.ts';
import { exitCodeOfPlan, type ExitCode } from './exit.ts';
import { showPlan, type PrintFlags } from './show.ts';
import { readReviewed, showReview, type ReviewFlags } from './reviewed.ts';
import type { Terminal } from './terminal.ts';

export type PlanFlags = SessionFlags &
  PrintFlags &
  ReviewFlags & {
    readonly out?: string;
    readonly detailedExitcode: boolean;
  };

/** `contract-sync plan`: shows what apply would do. */
export async function plan(
  paths: readonly string[],
  flags: PlanFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { made, reviewed } = await makePlan(paths, flags, terminal);
  const told = flags.out === undefined ? made : writePlan(flags.out, made, flags, terminal);
  printPlan(told, flags, terminal);
  if (reviewed) showReview(reviewed, flags, terminal);
  return exitCodeOfPlan(told, flags.detailedExitcode);
}

type Made = { readonly made: Plan; readonly reviewed?: Review };

/** A failure becomes a plan that carries its errors, so that the output has one form. */
async function makePlan(
  paths: readonly string[],
  flags: PlanFlags,
  terminal: Terminal,
): Promise<Made> {
  let catalogUrl = flags.catalogUrl ?? '';
  try {
    const session = startSession(paths, flags, terminal);
    catalogUrl = session.catalogUrl;
    const expected = readReviewed(flags, terminal);
    const made = await readPlan(session, flags, terminal);
    if (!expected) return { made };
    const reviewed = await review(made, expected, session);
    return { made: withReview(made, reviewed), reviewed };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return { made: erroredPlan(catalogUrl, toDiagnostics(error)) };
  }
}

function printPlan(made: Plan, flags: PrintFlags, terminal: Terminal): void {
  switch (flags.format) {
    case 'json':
      return terminal.write(renderPlanJson(made, flags));
    case 'markdown':
      return terminal.write(renderPlanMarkdown(made, { budget: Infinity }));
    case 'text':
      return showPlan(made, flags, terminal);
  }
}

/** The plan as it is told: a file that cannot be written is an error of it, in every format. */
function writePlan(
  name: string,
  made: Plan,
  flags: PrintFlags,
  { folder, redactor }: Terminal,
): Plan {
  const file = resolve(folder, name);
  const json = redactor.redact(renderPlanJson(made, flags));
  try {
    writeFileSync(file, json);
    return made;
  } catch {
    return { ...made, errored: true, diagnostics: [...made.diagnostics, unwritable(file)] };
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
