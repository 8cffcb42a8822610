import {
  fetchCredits,
  preparePull,
  type Pull,
  withoutUncommitted,
  writePull,
} from '../commands/pull.ts';
import type { ImportFormat } from '../commands/import.ts';
import { withoutSecretTexts } from '../commands/secret-text.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { renderCredit } from '../report/markdown/credit.ts';
import { pullTotals, renderFileChange } from '../report/text/pull.ts';
import type { Session } from '../session.ts';
import { runImport } from './import.ts';
import { startProgress } from './progress.ts';
import { type SessionFlags, startSession } from './session.ts';
import { exitCode, type ExitCode, reportDiagnostics, reporter, type Terminal } from './terminal.ts';

export type PullFlags = Omit<SessionFlags, 'drift'> & {
  readonly drift: boolean;
  readonly check: boolean;
  readonly force: boolean;
  readonly credit: boolean;
  readonly at?: string;
  readonly new: boolean;
  readonly into?: string;
  readonly format: ImportFormat;
};

/** `contract-sync pull`: the files become what the catalog holds. */
export async function runPull(
  terminal: Terminal,
  paths: readonly string[],
  flags: PullFlags,
): Promise<ExitCode> {
  if (flags.new) return pullNew(terminal, paths, flags);
  refuseVersion(flags);
  refuseBase(flags);
  const { drift: _, ...sessionFlags } = flags;
  const session = startSession(paths, sessionFlags, terminal);
  const read = await readPull(session, flags, terminal);
  const prepared = withoutSecretTexts(read, ({ after }) => after, terminal.redactor);
  const pull = flags.check || flags.force ? prepared : withoutUncommitted(prepared, session);
  showFiles(pull, flags, terminal);
  const credits = flags.credit ? await fetchCredits(pull, session) : [];
  const done = flags.check ? pull : writePull(pull, session);
  const written = new Set(done.files.map(({ file }) => file));
  const credited = credits.filter(({ file }) => written.has(file));
  if (credited.length > 0) terminal.write(renderCredit(credited, session.users));
  return conclude(done, flags, terminal);
}

/** The last lines, and what the command exits with. */
function conclude(pull: Pull, flags: PullFlags, terminal: Terminal): ExitCode {
  const { files, problems } = pull;
  if (files.length > 0 || !hasErrors(problems)) {
    terminal[channelOf(flags)](`${totals(pull, flags)}\n`);
  }
  if (problems.length > 0) reportDiagnostics(problems, terminal);
  if (hasErrors(problems)) return exitCode.failed;
  return flags.check && files.length > 0 ? exitCode.changes : exitCode.done;
}

/** Files that are not read would be written once more, so all of them are. */
function pullNew(
  terminal: Terminal,
  paths: readonly string[],
  flags: PullFlags,
): Promise<ExitCode> {
  const { drift, ...importFlags } = flags;
  if (paths.length === 0 && flags.at === undefined && !drift)
    return runImport(terminal, importFlags);
  throw new ConfigError('invalid-flag', '--new takes neither files nor --at nor --drift.', {
    hint: 'Choose contracts with --only, and name the new files with --into.',
  });
}

function refuseVersion({ at }: PullFlags): void {
  if (at === undefined || /^\d+(?:\.\d+)?$/u.test(at)) return;
  throw new ConfigError('invalid-flag', `--at takes a version, not ${JSON.stringify(at)}.`, {
    hint: 'A version looks like 1.2.',
  });
}

/** What is drift shows by a base alone, and a version has none. */
function refuseBase({ drift, base, at }: PullFlags): void {
  if (drift && base === undefined) {
    throw new ConfigError('invalid-flag', '--drift needs --base.', {
      hint: 'Name the git revision your own edits start from: --base origin/main.',
    });
  }
  if (!drift && base !== undefined) {
    throw new ConfigError('invalid-flag', '--base needs --drift.', {
      hint: 'Add --drift to keep your own edits, or leave --base out to pull everything.',
    });
  }
  if (drift && at !== undefined) {
    throw new ConfigError('invalid-flag', '--drift and --at exclude each other.', {
      hint: 'Leave one of them out.',
    });
  }
}

/** Says on the way how far the reading has come. */
async function readPull(session: Session, { at }: PullFlags, terminal: Terminal): Promise<Pull> {
  const release = terminal.endWith(() => reporter(terminal)('Interrupted: nothing was written.'));
  const progress = startProgress('Reading the catalog', terminal);
  try {
    return await preparePull(session, { at, onPage: progress.advance });
  } finally {
    progress.end();
    release();
  }
}

/** The text for a commit is the whole result where it is asked for. */
function channelOf({ credit }: PullFlags): 'write' | 'report' {
  return credit ? 'report' : 'write';
}

function showFiles({ files }: Pull, flags: PullFlags, terminal: Terminal): void {
  const channel = channelOf(flags);
  const palette = terminal.palettes[channel];
  for (const file of files) terminal[channel](`${renderFileChange(file, palette)}\n`);
}

function totals({ files, compared }: Pull, { check }: PullFlags): string {
  if (files.length === 0) return `Nothing to pull: ${compared} compared.`;
  const amount = pullTotals(files.flatMap(({ pulled }) => pulled).length, files.length);
  return check ? `To pull: ${amount}.` : `Pulled: ${amount}.`;
}
