import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, SyncError, toDiagnostics } from '../errors.ts';
import { erroredPlan } from '../plan/make.ts';
import type { Plan } from '../plan/plan.ts';
import { renderPlanJson } from '../render/plan-json.ts';
import { renderPlanText } from '../render/plan-text.ts';
import { sync } from '../sync.ts';
import { openSession, type SessionFlags } from './session.ts';
import { exitCodeOfPlan, type ExitCode } from './exit.ts';
import type { Terminal } from './terminal.ts';

export type PlanFlags = SessionFlags & {
  readonly format: 'text' | 'json';
  readonly all: boolean;
  readonly out?: string;
  readonly detailedExitcode: boolean;
};

/** `contract-sync plan`: shows what apply would do. */
export async function plan(
  paths: readonly string[],
  flags: PlanFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const made = await makePlan(paths, flags, terminal);
  if (flags.out !== undefined) writePlan(resolve(terminal.folder, flags.out), made);
  printPlan(made, flags, terminal);
  return exitCodeOfPlan(made, flags.detailedExitcode);
}

/** A failure becomes a plan that carries its errors, so that the output has one form. */
export async function makePlan(
  paths: readonly string[],
  flags: SessionFlags,
  terminal: Terminal,
): Promise<Plan> {
  let catalogUrl = flags.catalogUrl ?? '';
  try {
    const session = openSession(paths, flags, terminal);
    catalogUrl = session.catalogUrl;
    return await sync(session);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return erroredPlan(catalogUrl, toDiagnostics(error));
  }
}

/** What is no plan is no result: in text it goes where errors go. */
function printPlan(
  made: Plan,
  { format, all }: Pick<PlanFlags, 'format' | 'all'>,
  terminal: Terminal,
): void {
  if (format === 'json') return terminal.write(renderPlanJson(made, { all }));
  const { write, report } = terminal.palettes;
  if (made.planHash === undefined) {
    return terminal.report(renderPlanText(made, { palette: report, all }));
  }
  terminal.write(renderPlanText(made, { palette: write, all }));
}

function writePlan(file: string, made: Plan): void {
  try {
    writeFileSync(file, renderPlanJson(made, { all: false }));
  } catch (error) {
    throw new ConfigError('unwritable-file', `The plan cannot be written to ${file}.`, {
      hint: 'Name a file in a folder that exists and may be written to with --out.',
      cause: error,
    });
  }
}
