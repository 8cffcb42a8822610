import { resolve } from 'node:path';
import { findNamedContracts } from '../commands/pairs.ts';
import { fetchContractHistory } from '../commands/history.ts';
import { wholeNumber } from '../config/settings.ts';
import { pathsFromRoot } from '../config/file.ts';
import { ConfigError, SyncError, toDiagnostics } from '../core/diagnostic.ts';
import { redactTexts } from '../core/redact.ts';
import { quote } from '../core/text.ts';
import { formatUtc, parseMoment } from '../core/time.ts';
import { lookAt } from '../files/find/walk.ts';
import { type ShownHistory, narrowHistory } from '../history/place.ts';
import {
  historyReport,
  notCarried,
  renderHistoryFailure,
  renderHistoryJson,
} from '../report/history.ts';
import { renderText } from '../report/text.ts';
import type { Session } from '../session.ts';
import type { Flags, RunCommand } from './flags.ts';
import { exitCode, reportDiagnostics, showProgress, type Terminal } from './terminal.ts';
import { startSession } from './session.ts';
import { print } from './show.ts';

export const runHistory: RunCommand = async (terminal, flags, operands) => {
  try {
    const history = await readHistory(terminal, flags, operands);
    // Secrets are hidden first: escaped, one would no longer look like itself.
    const shown = redactTexts(history, terminal.redactor);
    // `formatUtc` prints UTC, so the time is shifted by the local zone.
    const format = (time: number): string =>
      formatUtc(flags.utc ? time : time - new Date(time).getTimezoneOffset() * 60_000);
    const report = historyReport(shown, { now: Date.now(), format, full: flags.full === true });
    await print(flags, terminal, {
      text: () => renderText(report, terminal.layouts.write),
      json: () => renderHistoryJson(history),
      page: () => report,
    });
    return exitCode.done;
  } catch (error) {
    const problems = toDiagnostics(error);
    reportDiagnostics(problems, terminal);
    if (flags.format === 'json') terminal.write(renderHistoryFailure(problems), 'json');
    return exitCode.failed;
  }
};

async function readHistory(
  terminal: Terminal,
  flags: Flags,
  [name = '', place]: readonly string[],
): Promise<ShownHistory> {
  const query = {
    place,
    limit: wholeNumber('--limit', flags.limit, 1_000_000) ?? 20,
    since: flags.since === undefined ? undefined : momentFlag('--since', flags.since),
  };
  const { names, paths } = nameContracts([name], terminal);
  const session = await startSession(paths, flags, terminal, ofRead);
  const { pairs } = await readNamed(names, session, terminal);
  if (session.notices?.length) reportDiagnostics(session.notices, terminal);
  const [history] = await Promise.all(pairs.map((pair) => fetchContractHistory(pair, session)));
  if (!history)
    throw new SyncError('no-such-contract', `The catalog has no contract ${quote(name)}.`);
  const shown = narrowHistory(history, query, session.rules.arrays);
  if (shown) return shown;
  const message = `No version of ${history.contract} has a place ${quote(place ?? '')}.`;
  const { unrecorded } = history;
  const usual = 'Write a place like schema.amount or sla.retention.';
  const hint = unrecorded.length > 0 ? notCarried(unrecorded) : usual;
  throw new SyncError('no-such-place', message, { hint });
}

export function momentFlag(flag: string, text: string): number {
  const now = Date.now();
  const moment = parseMoment(text, now);
  if (moment === undefined)
    throw new ConfigError('invalid-command-line', `${flag} takes a time, not ${quote(text)}.`, {
      hint: "Write it as 2026-11-19, 2026-11-19T08:30 (this machine's time), 2026-11-19T08:30Z, or 3d for three days ago.",
    });
  if (moment > now)
    throw new ConfigError(
      'invalid-command-line',
      `${flag} takes a past time; ${quote(text)} is to come.`,
      {
        hint: "A time without a zone is this machine's. Write Z behind a time in UTC.",
      },
    );
  return moment;
}

export function nameContracts(given: readonly string[], { folder, root }: Terminal) {
  const isFile = (name: string): boolean => lookAt(resolve(folder, name)) === 'file';
  const names = given.map((name) => {
    const [path = name] = pathsFromRoot([name], folder, root);
    return isFile(name) ? path.replace(/^\.\//u, '') : name;
  });
  return { names, paths: given.every(isFile) ? names : [] };
}

export const ofRead = { interrupted: 'Interrupted.', ignoresFiles: true };

export async function readNamed(names: readonly string[], session: Session, terminal: Terminal) {
  return showProgress(ofRead, terminal, (onPage) =>
    findNamedContracts(names, { ...session, onPage }),
  );
}
