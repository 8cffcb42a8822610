import { apply as applyPlan } from '../apply/apply.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { ConfigError, SyncError, toDiagnostics } from '../errors.ts';
import { nothingApplied, type Outcomes } from '../plan/outcome.ts';
import type { Plan } from '../plan/plan.ts';
import { count } from '../render/count.ts';
import { renderOutcomesJson } from '../render/outcomes-json.ts';
import { renderOutcomesText } from '../render/outcomes-text.ts';
import type { Session } from '../session.ts';
import { sync } from '../sync.ts';
import { exitCode, exitCodeOfOutcomes, type ExitCode } from './exit.ts';
import { showPlan, type PrintFlags } from './plan.ts';
import { startSession, type SessionFlags } from './session.ts';
import { reportDiagnostics, type Terminal } from './terminal.ts';

export type ApplyFlags = SessionFlags &
  PrintFlags & {
    readonly yes: boolean;
  };

/** `contract-sync apply`: shows the plan, asks, and sends it. */
export async function apply(
  paths: readonly string[],
  flags: ApplyFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const session = startSession(paths, flags, terminal);
    const plan = await sync(session);
    showPlan(plan, flags, terminal);
    return await carryOut(plan, session, { flags, terminal });
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return refuse(toDiagnostics(error), flags, terminal);
  }
}

type Run = { readonly flags: ApplyFlags; readonly terminal: Terminal };

async function carryOut(plan: Plan, session: Session, run: Run): Promise<ExitCode> {
  const { flags, terminal } = run;
  if (plan.errored) return refuse(reasons(plan, flags), flags, terminal);
  if (plan.summary.update > 0 && !flags.yes) await confirm(plan, terminal);
  const signal = terminal.interruption();
  const outcomes = await applyPlan({
    plan,
    reader: session.reader,
    writer: session.openWriter(),
    rules: session.rules,
    concurrency: session.concurrency,
    signal,
  });
  showOutcomes(outcomes, flags, terminal);
  return exitCodeOfOutcomes(outcomes, signal);
}

/** In text the plan has just been shown with its errors; JSON carries them all. */
function reasons(plan: Plan, { format }: ApplyFlags): Diagnostic[] {
  const verdict: Diagnostic = {
    code: 'plan-errored',
    severity: 'error',
    message: 'The plan has errors, so nothing was applied.',
  };
  if (format === 'text') return [verdict];
  const blocked = plan.contracts.flatMap((contract) =>
    contract.action === 'blocked' ? contract.problems : [],
  );
  return [...plan.diagnostics, ...blocked, verdict];
}

/** Anything but a plain yes is a no. */
async function confirm(plan: Plan, { ask }: Terminal): Promise<void> {
  if (!ask) {
    throw new ConfigError(
      'confirmation-needed',
      'Nobody can be asked here, so nothing was applied.',
      {
        hint: 'Review the plan, then run apply again with --yes.',
      },
    );
  }
  const changes = count(plan.summary.update, 'contract', 'contracts');
  const answer = await ask(
    `\nUpdate ${changes} in ${plan.catalogUrl}? Only "yes" applies the plan: `,
  );
  if (answer.trim() !== 'yes') {
    throw new SyncError('not-confirmed', 'The plan was not confirmed, so nothing was applied.');
  }
}

function showOutcomes(
  outcomes: Outcomes,
  { format, verbose }: ApplyFlags,
  terminal: Terminal,
): void {
  if (format === 'json') return terminal.write(renderOutcomesJson(outcomes, { verbose }));
  if (outcomes.outcomes.length === 0) return;
  terminal.write(
    `\n${renderOutcomesText(outcomes, { palette: terminal.palettes.write, verbose })}`,
  );
}

function refuse(
  diagnostics: readonly Diagnostic[],
  { format, verbose }: ApplyFlags,
  terminal: Terminal,
): ExitCode {
  if (format === 'json') {
    terminal.write(renderOutcomesJson(nothingApplied(diagnostics), { verbose }));
  } else reportDiagnostics(diagnostics, terminal);
  return exitCode.failed;
}
