import { resolve } from 'node:path';
import { nothingApplied } from '../apply/outcome.ts';
import { readRunRecords } from '../commands/run-records.ts';
import type { RollbackTarget } from '../commands/restore.ts';
import { planRollback } from '../commands/rollback.ts';
import { isReason, reasonHint } from '../config/rules.ts';
import { ConfigError, SyncError, toDiagnostics } from '../core/errors.ts';
import { quote } from '../core/text.ts';
import { changeCount, type Plan } from '../plan/plan.ts';
import { renderOutcomesJson, renderPlanJson } from '../report/json.ts';
import { approveWhole } from '../review/decide.ts';
import type { Session } from '../session.ts';
import { confirmPlan, refuseShown, sendApproved, withoutSome } from './apply.ts';
import { momentFlag, nameContracts, readNamed } from './history.ts';
import { openOutput } from './output-file.ts';
import { type SessionFlags, startSession } from './session.ts';
import { type PrintFlags, showOutcomes, showPlan } from './show.ts';
import { exitCode, type ExitCode, reportDiagnostics, type Terminal } from './terminal.ts';

type RollbackFlags = SessionFlags &
  PrintFlags & {
    readonly to?: string;
    readonly before?: string;
    readonly run?: string;
    readonly whole: boolean;
    readonly yes: boolean;
    readonly out?: string;
    readonly report?: string;
  };

/** `contract-sync rollback`: a plan that returns contracts to what they were, and its apply. */
export async function runRollback(
  terminal: Terminal,
  contracts: readonly string[],
  flags: RollbackFlags,
): Promise<ExitCode> {
  try {
    return await rollBack(terminal, contracts, flags);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const outcomes = nothingApplied(toDiagnostics(error));
    if (flags.format === 'json') terminal.write(renderOutcomesJson(outcomes, flags), 'json');
    reportDiagnostics(outcomes.diagnostics, terminal);
    return exitCode.failed;
  }
}

async function rollBack(
  terminal: Terminal,
  given: readonly string[],
  flags: RollbackFlags,
): Promise<ExitCode> {
  refuseTargets(given, flags);
  const report = openFile('--report', flags.report, terminal);
  const out = openFile('--out', flags.out, terminal);
  const { names, paths } = nameContracts(given, terminal);
  const session = withReason(startSession(paths, flags, terminal), flags);
  const target = readTarget(flags, terminal, session);
  const wanted = given.length === 0 && target.kind === 'run' ? [...target.records.keys()] : names;
  const plan = await planRollback(await readNamed(wanted, session, terminal), target, session);
  out?.write(renderPlanJson(plan, flags));
  showPlan(plan, flags, terminal);
  const sent = await sendPlan(plan, session, { flags, terminal });
  await showOutcomes(sent, flags, terminal);
  report?.write(renderOutcomesJson(sent.outcomes, flags));
  return sent.code;
}

/** What the tool did, it can undo: a reason lifts what the lifecycle says against the way back. */
function withReason(session: Session, { reason }: RollbackFlags): Session {
  if (reason === undefined) return session;
  if (!isReason(reason))
    throw new ConfigError('reason-needed', `The reason ${quote(reason)} says nothing.`, {
      hint: reasonHint,
    });
  const lifted = { rule: 'transition-blocked', reason } as const;
  return { ...session, overrides: [...(session.overrides ?? []), lifted] };
}

function openFile(flag: string, name: string | undefined, terminal: Terminal) {
  if (name === undefined) return undefined;
  const document = flag === '--out' ? 'The plan' : 'The report';
  return openOutput({ flag, name: resolve(terminal.folder, name), document }, terminal);
}

type Sending = { readonly flags: RollbackFlags; readonly terminal: Terminal };

/** A plan that is kept can be sent later, by somebody who can be asked. */
async function sendPlan(plan: Plan, session: Session, { flags, terminal }: Sending) {
  const isKept = flags.out !== undefined && !flags.yes && terminal.ask === undefined;
  if (plan.errored) return refuseShown(plan);
  if (changeCount(plan) === 0 || isKept)
    return withoutSome({ plan, outcomes: nothingApplied([]), code: exitCode.done }, plan);
  await confirmPlan(plan, session, flags, terminal);
  const sent = await sendApproved(approveWhole(plan), session, {
    terminal,
    maxFailures: undefined,
    quiet: flags.quiet,
  });
  return withoutSome(sent, plan);
}

/** One of the three, and contracts unless a run names its own. */
function refuseTargets(given: readonly string[], { to, before, run, whole }: RollbackFlags): void {
  const targets = [to, before, run].filter((target) => target !== undefined);
  if (targets.length === 0)
    throw new ConfigError('invalid-flag', 'A rollback needs one of --to, --before and --run.', {
      hint: 'Name a version, a time, or the file with the outcomes of a run.',
    });
  if (targets.length > 1)
    throw new ConfigError('invalid-flag', '--to, --before and --run exclude each other.', {
      hint: 'Give one of them.',
    });
  if (given.length === 0 && run === undefined)
    throw new ConfigError('invalid-flag', 'Name the contracts that are to be rolled back.');
  if (run !== undefined && whole)
    throw new ConfigError('invalid-flag', '--whole is not for --run, which undoes what a run did.');
  if (to !== undefined && !/^\d+(?:\.\d+)?$/u.test(to))
    throw new ConfigError('invalid-flag', `--to takes a version, not ${quote(to)}.`, {
      hint: 'A version looks like 1.2.',
    });
}

function readTarget(
  { to, before, run, whole }: RollbackFlags,
  { folder }: Terminal,
  session: Session,
): RollbackTarget {
  if (to !== undefined) return { kind: 'version', version: to, whole };
  if (before !== undefined)
    return { kind: 'time', time: momentFlag('--before', before), text: before, whole };
  const name = run ?? '';
  return { kind: 'run', records: readRunRecords(resolve(folder, name), name, session) };
}
