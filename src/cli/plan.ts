import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, SyncError, toDiagnostics } from '../errors.ts';
import { erroredPlan } from '../plan/make.ts';
import type { Plan } from '../plan/plan.ts';
import { renderPlanMarkdown } from '../render/markdown/plan.ts';
import { renderPlanJson } from '../render/plan-json.ts';
import { renderPlanText } from '../render/plan-text.ts';
import { sync } from '../sync.ts';
import { startSession, type SessionFlags } from './session.ts';
import { exitCodeOfPlan, type ExitCode } from './exit.ts';
import type { Terminal } from './terminal.ts';

export type PlanFlags = SessionFlags &
  PrintFlags & {
    readonly out?: string;
    readonly detailedExitcode: boolean;
  };

/** How much of a plan is printed, and in which form. */
export type PrintFlags = {
  readonly format: 'text' | 'json' | 'markdown';
  readonly all: boolean;
  readonly quiet: boolean;
};

/** `contract-sync plan`: shows what apply would do. */
export async function plan(
  paths: readonly string[],
  flags: PlanFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const made = await makePlan(paths, flags, terminal);
  if (flags.out !== undefined) writePlan(flags.out, made, terminal);
  printPlan(made, flags, terminal);
  return exitCodeOfPlan(made, flags.detailedExitcode);
}

/** A failure becomes a plan that carries its errors, so that the output has one form. */
async function makePlan(
  paths: readonly string[],
  flags: SessionFlags,
  terminal: Terminal,
): Promise<Plan> {
  let catalogUrl = flags.catalogUrl ?? '';
  try {
    const session = startSession(paths, flags, terminal);
    catalogUrl = session.catalogUrl;
    return await sync(session);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return erroredPlan(catalogUrl, toDiagnostics(error));
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

/** The plan as text: the result in that format, a report beside any other and where it is no plan. */
export function showPlan(made: Plan, flags: PrintFlags, terminal: Terminal): void {
  const channel = flags.format !== 'text' || made.planHash === undefined ? 'report' : 'write';
  const palette = terminal.palettes[channel];
  terminal[channel](renderPlanText(made, { palette, detail: detailOf(flags) }));
}

function detailOf({ all, quiet }: PrintFlags): 'all' | 'changes' | 'totals' {
  if (quiet) return 'totals';
  return all ? 'all' : 'changes';
}

function writePlan(name: string, made: Plan, { folder, redactor }: Terminal): void {
  const file = resolve(folder, name);
  try {
    writeFileSync(file, redactor.redact(renderPlanJson(made, { all: false })));
  } catch (error) {
    throw new ConfigError('unwritable-file', `The plan cannot be written to ${file}.`, {
      hint: 'Name a file in a folder that exists and may be written to with --out.',
      cause: error,
    });
  }
}
