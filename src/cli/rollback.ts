import { resolve } from 'node:path';
import { summarizeOutcomes } from '../apply/outcome.ts';
import { readRunRecords, type RollbackTarget } from '../commands/restore.ts';
import { planRollback } from '../commands/rollback.ts';
import { type ApprovedRun, readSavedPlan, requireApproval } from '../commands/saved.ts';
import { pathsFromRoot } from '../config/file.ts';
import { isReason, reasonHint } from '../config/rules.ts';
import { ConfigError, toDiagnostics } from '../core/diagnostic.ts';
import { compareCodeUnits, defined } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { type AskedRollback, plannedChanges } from '../plan/plan.ts';
import { renderOutcomesJson, renderPlanJson } from '../report/json.ts';
import { approveWhole, type Decision } from '../review/compare.ts';
import type { Session } from '../session.ts';
import { confirmPlan, refuseShown, sendApproved, withoutSome } from './apply.ts';
import { momentFlag, nameContracts, ofRead, readNamed } from './history.ts';
import type { Flags, RunCommand } from './flags.ts';
import { openOutput, showOutcomes, showPlan } from './show.ts';
import { decideBySaved, planFile } from './plan.ts';
import { prepareSession } from './session.ts';
import { exitCode, type ExitCode, reportDiagnostics, type Terminal } from './terminal.ts';

export const runRollback: RunCommand = async (terminal, flags, contracts) => {
  let report: ReturnType<typeof openOutput>;
  try {
    report = openOutput('--report', flags.report, terminal);
    return await rollBack(terminal, contracts, flags, report);
  } catch (error) {
    const outcomes = summarizeOutcomes({}, [], toDiagnostics(error));
    report?.(renderOutcomesJson(outcomes, flags));
    if (flags.format === 'json') terminal.write(renderOutcomesJson(outcomes, flags), 'json');
    reportDiagnostics(outcomes.diagnostics, terminal);
    return exitCode.failed;
  }
};

async function rollBack(
  terminal: Terminal,
  given: readonly string[],
  flags: Flags,
  report: ReturnType<typeof openOutput>,
): Promise<ExitCode> {
  const { plan: file } = flags;
  const saved =
    file === undefined ? undefined : await readSavedPlan(planFile(file, terminal), 'rollback');
  const asked = saved?.rollback ?? askedBy(given, flags, terminal);
  refuseTargets(asked);
  if (saved) refuseBeside(given, flags);
  const out = openOutput('--out', flags.out, terminal);
  const { names, paths } = nameContracts(asked.contracts, terminal);
  const { settings, open } = prepareSession(paths, flags, terminal, ofRead);
  refuseEmptyReason(flags);
  if (saved) requireApproval(saved, settings, file);
  const target = readTarget(asked, terminal, settings);
  const session = await open();
  const wanted = names.length === 0 && target.kind === 'run' ? [...target.records.keys()] : names;
  const { pairs } = await readNamed(wanted, session, terminal);
  const ids = pairs.map(({ live }) => live.id).toSorted(compareCodeUnits);
  const plan = {
    ...(await planRollback(pairs, target, session, flags.reason)),
    rollback: { ...asked, contracts: ids },
  };
  out?.(renderPlanJson(plan, flags));
  const decision = saved
    ? await decideBySaved(plan, saved, session, { flags, terminal })
    : approveWhole(plan);
  if (!saved) showPlan(plan, flags, terminal);
  const sent = await sendReviewed(decision, session, flags, terminal);
  await showOutcomes(sent, flags, terminal);
  report?.(renderOutcomesJson(sent.outcomes, flags));
  return sent.code;
}

function askedBy(
  contracts: readonly string[],
  { to, before, run }: Flags,
  { folder, root }: Terminal,
): AskedRollback {
  const [file] = run === undefined ? [] : pathsFromRoot([run], folder, root);
  const moment = before && new Date(momentFlag('--before', before)).toISOString();
  return { ...defined({ to, before: moment, run: file }), contracts };
}

function refuseBeside(given: readonly string[], { to, before, run }: Flags): void {
  if (given.length === 0 && [to, before, run].every((target) => target === undefined)) return;
  const hint = 'Name no contracts, --to, --before or --run beside it.';
  throw new ConfigError('invalid-command-line', '--plan says which contracts return to what.', {
    hint,
  });
}

function refuseEmptyReason({ reason }: Flags): void {
  if (reason === undefined || isReason(reason)) return;
  throw new ConfigError('reason-needed', `The reason ${quote(reason)} says nothing.`, {
    hint: reasonHint,
  });
}

async function sendReviewed(
  decision: Decision,
  session: Session,
  flags: Flags,
  terminal: Terminal,
) {
  const { fresh: plan, approved, refused } = decision;
  const isKept = flags.out !== undefined && !flags.yes && terminal.ask === undefined;
  if (plan.errored) return refuseShown(plan);
  if (isKept || (plannedChanges(plan).length === 0 && refused.length === 0))
    return withoutSome({ plan, outcomes: summarizeOutcomes({}, []), code: exitCode.done }, plan);
  await confirmPlan(approved, session, flags, terminal);
  return sendApproved(decision, session, terminal, { quiet: flags.quiet });
}

function refuseTargets({ to, before, run, contracts }: AskedRollback): void {
  const targets = [to, before, run].filter((target) => target !== undefined);
  if (targets.length === 0)
    throw new ConfigError('invalid-command-line', 'Pass --to, --before or --run.', {
      hint: 'Name a version, a time, or the file with the outcomes of a run.',
    });
  if (targets.length > 1)
    throw new ConfigError('invalid-command-line', '--to, --before and --run exclude each other.', {
      hint: 'Give one of them.',
    });
  if (contracts.length === 0 && run === undefined)
    throw new ConfigError('invalid-command-line', 'Name the contracts that are to be rolled back.');
  if (to !== undefined && !/^\d+(?:\.\d+)?$/u.test(to))
    throw new ConfigError('invalid-command-line', `--to takes a version, not ${quote(to)}.`, {
      hint: 'A version looks like 1.2.',
    });
}

function readTarget(
  { to, before, run }: AskedRollback,
  { root }: Terminal,
  settings: ApprovedRun,
): RollbackTarget {
  if (to !== undefined) return { kind: 'version', version: to };
  if (before !== undefined)
    return { kind: 'time', time: momentFlag('--before', before), text: before };
  const name = run ?? '';
  return { kind: 'run', records: readRunRecords(resolve(root, name), name, settings) };
}
