/** The commands about contracts that are named: `history`, `downstream` and `rollback`. */

import { resolve } from 'node:path';
import { summarizeOutcomes } from '../apply/outcome.ts';
import { openLineage } from '../commands/downstream.ts';
import { fetchContractHistory } from '../commands/history.ts';
import { findNamedContracts } from '../commands/pairs.ts';
import { planRollback } from '../commands/rollback.ts';
import { byCatalogClock, readRun, type RollbackTarget } from '../commands/target.ts';
import { type AskedRollback, plannedChanges, type RunSubject } from '../plan/plan.ts';
import { readSavedPlan, requireApproval } from '../commands/review.ts';
import { pathsFromRoot } from '../config/file.ts';
import { isReason, reasonHint } from '../config/problems.ts';
import { misuse, wholeNumber } from '../config/settings.ts';
import { contractLabel } from '../contract/identity.ts';
import { ConfigError, type Diagnostic, SyncError, toDiagnostics } from '../core/diagnostic.ts';
import { compareCodeUnits, defined } from '../core/json.ts';
import { redactTexts } from '../core/redact.ts';
import { quote } from '../core/text.ts';
import { parseMoment } from '../core/time.ts';
import { lookAt } from '../files/find/walk.ts';
import { narrowHistory } from '../history/place.ts';
import { downstreamPage } from '../report/contract.ts';
import {
  historyReport,
  notCarried,
  renderHistoryFailure,
  renderHistoryJson,
} from '../report/history.ts';
import { formatDocument, renderFailure, renderOutcomesJson } from '../report/json.ts';
import { renderPlanJson } from '../report/plan.ts';
import { renderText } from '../report/text.ts';
import { approveWhole, type Decision } from '../review/compare.ts';
import type { Session } from '../session.ts';
import { confirmPlan, refuseShown, sendApproved, showOutcomes, withoutSome } from './apply.ts';
import type { Flags, RunCommand } from './flags.ts';
import { decideBySaved, openOutput, type Output, planFile, showPlan } from './plan.ts';
import { prepareSession, startSession } from './session.ts';
import {
  exitCode,
  type ExitCode,
  reportDiagnostics,
  showProgress,
  type Terminal,
  print,
} from './terminal.ts';

export const runHistory: RunCommand = async (terminal, flags, operands) => {
  try {
    const history = await readHistory(terminal, flags, operands);
    // Secrets are hidden first: escaped, one would no longer look like itself.
    const shown = redactTexts(history, terminal.redactor);
    const report = historyReport(shown, flags.full === true);
    await print(flags, terminal, {
      text: () => renderText(report, terminal.layouts.write),
      json: () => renderHistoryJson(history),
      page: () => report,
    });
    return exitCode.done;
  } catch (error) {
    return reportFailure(error, renderHistoryFailure, flags, terminal);
  }
};

function reportFailure(
  error: unknown,
  render: (problems: readonly Diagnostic[]) => string,
  flags: Flags,
  terminal: Terminal,
): ExitCode {
  const problems = toDiagnostics(error);
  reportDiagnostics(problems, terminal);
  if (flags.format === 'json') terminal.write(render(problems), 'json');
  return exitCode.failed;
}

async function readHistory(terminal: Terminal, flags: Flags, operands: readonly string[]) {
  const [name = '', place] = operands;
  const limit = wholeNumber('--limit', flags.limit, 1_000_000) ?? 20;
  const since = flags.since === undefined ? undefined : momentFlag('--since', flags.since);
  const { session, pairs } = await readNamed([name], flags, terminal);
  if (session.notices?.length) reportDiagnostics(session.notices, terminal);
  const [pair] = pairs;
  if (!pair) throw noContract(name);
  const history = await fetchContractHistory(pair, session);
  const shown = narrowHistory(history, { place, limit, since }, session.rules.arrays);
  if (shown) return shown;
  const message = `No version of ${history.contract} has a place ${quote(place ?? '')}.`;
  const usual = 'Write a place like schema.amount or sla.retention.';
  const hint = history.unrecorded.length > 0 ? notCarried(history.unrecorded) : usual;
  throw new SyncError('no-such-place', message, { hint });
}

function noContract(name: string): SyncError {
  return new SyncError('no-such-contract', `The catalog has no contract ${quote(name)}.`);
}

export const runDownstream: RunCommand = async (terminal, flags, [name = '']) => {
  try {
    const { session, pairs, listed } = await readNamed([name], flags, terminal);
    const [pair] = pairs;
    if (!pair) throw noContract(name);
    const { live, desired } = pair;
    const downstream = await openLineage({ pairs: listed, listsAll: true }, session)({ live });
    const file = desired?.source.file;
    const view = { contract: contractLabel(live), id: live.id, file, downstream };
    // Secrets are hidden first: escaped, one would no longer look like itself.
    const report = downstreamPage(redactTexts(view, terminal.redactor));
    await print(flags, terminal, {
      text: () => renderText(report, terminal.layouts.write),
      json: () => formatDocument({ formatVersion: '1.0', ...view, diagnostics: [] }),
      page: () => report,
    });
    return exitCode.done;
  } catch (error) {
    return reportFailure(error, renderFailure, flags, terminal);
  }
};

export const runRollback: RunCommand = async (terminal, flags, contracts) => {
  let report: Output | undefined;
  try {
    report = openOutput('--report', flags.report, terminal);
    return await rollBack(terminal, contracts, flags, report);
  } catch (error) {
    report?.(renderUnsent(toDiagnostics(error)));
    return reportFailure(error, renderUnsent, flags, terminal);
  }
};

function renderUnsent(problems: readonly Diagnostic[]): string {
  return renderOutcomesJson(summarizeOutcomes({}, [], problems));
}

async function rollBack(
  terminal: Terminal,
  given: readonly string[],
  flags: Flags,
  report: Output | undefined,
): Promise<ExitCode> {
  const { plan: file } = flags;
  const saved =
    file === undefined ? undefined : await readSavedPlan(planFile(file, terminal), 'rollback');
  const asked = saved?.rollback ?? askedBy(given, flags, terminal);
  const isChosen = flags.team !== undefined || flags.only !== undefined;
  refuseTargets(asked, isChosen);
  if (saved) refuseBeside(given, flags);
  const out = openOutput('--out', flags.out, terminal);
  const { names, paths } = nameContracts(asked.contracts, terminal);
  const { settings, open } = prepareSession(paths, flags, terminal, ofRead);
  refuseEmptyReason(flags);
  if (saved) requireApproval(saved, settings, file);
  const read = readTarget(asked, terminal, settings, given.length === 0);
  const session = await open();
  const span = saved ? undefined : flags.before;
  const { target, notices } = await byCatalogClock(read, span, session);
  const others = target.kind === 'run' ? [...target.records.keys()] : ('chosen' as const);
  const wanted = names.length === 0 ? others : names;
  const { pairs, listed } = await findNamed(wanted, session, terminal);
  const ids = pairs.map(({ live }) => live.id).toSorted(compareCodeUnits);
  const noticing = { ...session, notices: [...(session.notices ?? []), ...notices] };
  const made = await planRollback(pairs, listed, target, noticing, flags.reason);
  const time = target.kind === 'time' && { before: target.text };
  const plan = { ...made, rollback: { ...asked, ...time, contracts: ids } };
  out?.(renderPlanJson(plan, flags));
  if (!saved) showPlan(plan, flags, terminal);
  const decision = saved
    ? await decideBySaved(plan, saved, session, { flags, terminal })
    : approveWhole(plan);
  const sent = await sendReviewed(decision, session, flags, terminal, report);
  await showOutcomes(sent, flags, terminal);
  report?.(renderOutcomesJson(sent.outcomes));
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

function refuseTargets({ to, before, run, contracts }: AskedRollback, isChosen: boolean): void {
  const targets = [to, before, run].filter((target) => target !== undefined);
  if (targets.length === 0) {
    const hint = 'Name a version, a time, or the file with the outcomes of a run.';
    throw misuse('Pass --to, --before or --run.', hint);
  }
  if (targets.length > 1)
    throw misuse('--to, --before and --run exclude each other.', 'Give one of them.');
  if (contracts.length === 0 && (to !== undefined || (run === undefined && !isChosen)))
    throw misuse(
      'Name the contracts to roll back.',
      'With --before, --only or --team choose them too.',
    );
  if (to !== undefined && !/^\d+(?:\.\d+)?$/u.test(to))
    throw misuse(`--to takes a version, not ${quote(to)}.`, 'A version looks like 1.2.');
}

function refuseBeside(given: readonly string[], flags: Flags): void {
  const { to, before, run, only, exclude, team } = flags;
  const asked = [to, before, run, only, exclude, team].filter((each) => each !== undefined);
  if (given.length + asked.length === 0) return;
  const hint = 'Name no contracts, --to, --before, --run, --only, --exclude or --team beside it.';
  throw misuse('--plan says which contracts return to what.', hint);
}

function refuseEmptyReason({ reason }: Flags): void {
  if (reason === undefined || isReason(reason)) return;
  const message = `The reason ${quote(reason)} says nothing.`;
  throw new ConfigError('reason-needed', message, { hint: reasonHint });
}

function readTarget(
  { to, before, run = '' }: AskedRollback,
  { root }: Terminal,
  settings: RunSubject,
  skipsNewer: boolean,
): RollbackTarget {
  if (to !== undefined) return { kind: 'version', version: to };
  if (before !== undefined)
    return { kind: 'time', time: momentFlag('--before', before), text: before, skipsNewer };
  return readRun(resolve(root, run), run, settings);
}

async function sendReviewed(
  decision: Decision,
  session: Session,
  flags: Flags,
  terminal: Terminal,
  report: Output | undefined,
) {
  const { fresh: plan, approved, refused } = decision;
  const isKept = flags.out !== undefined && !flags.yes && terminal.ask === undefined;
  if (plan.errored) return refuseShown(plan);
  if (isKept || (plannedChanges(plan).length === 0 && refused.length === 0))
    return withoutSome({ plan, outcomes: summarizeOutcomes(plan, []), code: exitCode.done }, plan);
  await confirmPlan(approved, session, flags, terminal);
  return sendApproved(decision, session, terminal, { quiet: flags.quiet, report });
}

function momentFlag(flag: string, text: string): number {
  const now = Date.now();
  const moment = parseMoment(text, now);
  if (moment === undefined) {
    const hint =
      "Write it as 2026-11-19, 2026-11-19T08:30 (this machine's time), 2026-11-19T08:30Z, or 30m for half an hour ago.";
    throw misuse(`${flag} takes a time, not ${quote(text)}.`, hint);
  }
  if (moment > now) {
    const hint = "A time without a zone is this machine's. Write Z behind a time in UTC.";
    throw misuse(`${flag} takes a past time; ${quote(text)} lies in the future.`, hint);
  }
  return moment;
}

const ofRead = { interrupted: 'Interrupted.', ignoresFiles: true };

async function readNamed(given: readonly string[], flags: Flags, terminal: Terminal) {
  const { names, paths } = nameContracts(given, terminal);
  const session = await startSession(paths, flags, terminal, ofRead);
  return { session, ...(await findNamed(names, session, terminal)) };
}

function nameContracts(given: readonly string[], { folder, root }: Terminal) {
  const isFile = (name: string): boolean => lookAt(resolve(folder, name)) === 'file';
  const names = given.map((name) => {
    const [path = name] = pathsFromRoot([name], folder, root);
    return isFile(name) ? path.replace(/^\.\//u, '') : name;
  });
  return { names, paths: given.every(isFile) ? names : [] };
}

async function findNamed(
  names: readonly string[] | 'chosen',
  session: Session,
  terminal: Terminal,
) {
  return showProgress(ofRead, terminal, (onPage) =>
    findNamedContracts(names, { ...session, onPage }),
  );
}
