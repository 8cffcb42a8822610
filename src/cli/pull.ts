import { preparePull, type Pull, withoutUncommitted, writePull } from '../commands/pull.ts';
import { withoutSecretTexts } from '../commands/secret-text.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { findDefaultBranch } from '../files/git/commit.ts';
import { inFiles } from '../report/problems.ts';
import { renderFileChange } from '../report/text.ts';
import type { Session } from '../session.ts';
import type { Flags } from './flags.ts';
import { startProgress } from './progress.ts';
import { startSession } from './session.ts';
import { exitCode, type ExitCode, reportDiagnostics, reporter, type Terminal } from './terminal.ts';

/** `contract-sync pull`: the files become what the catalog holds. */
export async function runPull(
  terminal: Terminal,
  flags: Flags,
  paths: readonly string[],
): Promise<ExitCode> {
  refuseBase(flags, terminal);
  // Here it is a switch, and no rule.
  const hasDefaultBase = flags.drift !== undefined;
  const session = startSession(paths, { ...flags, drift: undefined }, terminal, { hasDefaultBase });
  const read = await readPull(session, terminal);
  const prepared = withoutSecretTexts(read, ({ after }) => after, terminal.redactor);
  const pull = flags.check || flags.force ? prepared : withoutUncommitted(prepared, session);
  showFiles(pull, terminal);
  return conclude(flags.check ? pull : writePull(pull, session), flags, terminal);
}

/** The last lines, and what the command exits with. */
function conclude(pull: Pull, flags: Flags, terminal: Terminal): ExitCode {
  const { files, problems } = pull;
  if (files.length > 0 || !hasErrors(problems)) terminal.write(`${totals(pull, flags)}\n`);
  if (problems.length > 0) reportDiagnostics(problems, terminal);
  if (hasErrors(problems)) return exitCode.failed;
  return flags.check && files.length > 0 ? exitCode.changes : exitCode.done;
}

/** What is drift shows by a base alone. */
function refuseBase({ drift, base }: Flags, { root }: Terminal): void {
  if (drift && base === undefined && findDefaultBranch(root) === undefined) {
    throw new ConfigError('invalid-flag', '--drift needs --base.', {
      hint: 'Name the git revision your own edits start from: --base origin/main.',
    });
  }
  if (!drift && base !== undefined) {
    throw new ConfigError('invalid-flag', '--base needs --drift.', {
      hint: 'Add --drift to keep your own edits, or leave --base out to pull everything.',
    });
  }
}

/** Says on the way how far the reading has come. */
async function readPull(session: Session, terminal: Terminal): Promise<Pull> {
  const release = terminal.endWith(() => reporter(terminal)('Interrupted: nothing was written.'));
  const progress = startProgress('Reading the catalog', terminal);
  try {
    return await preparePull({ ...session, onPage: progress.advance });
  } finally {
    progress.end();
    release();
  }
}

function showFiles({ files }: Pull, { write, palettes }: Terminal): void {
  for (const file of files) write(`${renderFileChange(file, palettes.write)}\n`);
}

function totals({ files, compared }: Pull, { check }: Flags): string {
  if (files.length === 0) return `Nothing to pull: ${compared} compared.`;
  const amount = inFiles(files.flatMap(({ pulled }) => pulled).length, files.length);
  return check ? `To pull: ${amount}.` : `Pulled: ${amount}.`;
}
