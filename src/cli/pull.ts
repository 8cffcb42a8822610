import { preparePull, withoutUncommitted, writePull } from '../commands/pull.ts';
import { withoutSecretTexts } from '../commands/secret-text.ts';
import { ConfigError, hasErrors } from '../core/diagnostic.ts';
import { findDefaultBranch } from '../files/git/commit.ts';
import { inFiles } from '../report/problems.ts';
import { renderFileChange } from '../report/text.ts';
import type { Flags, RunCommand } from './flags.ts';
import { exitCode, reportDiagnostics, showProgress, type Terminal } from './terminal.ts';
import { startSession } from './session.ts';

export const runPull: RunCommand = async (terminal, flags, paths) => {
  refuseBase(flags, terminal);
  // For `pull`, `--drift` is a switch and no rule.
  const hasDefaultBase = flags.drift !== undefined;
  const shown = { interrupted: 'Interrupted: nothing was written.' };
  const given = { ...flags, drift: undefined };
  const session = await startSession(paths, given, terminal, { ...shown, hasDefaultBase });
  const read = await showProgress(shown, terminal, (onPage) => preparePull({ ...session, onPage }));
  const prepared = withoutSecretTexts(read, ({ after }) => after, terminal.redactor);
  const pull = flags.force ? prepared : withoutUncommitted(prepared, session);
  const { write, layouts } = terminal;
  const foreseen = writePull(pull, session, true);
  for (const file of foreseen.files) write(`${renderFileChange(file, layouts.write.palette)}\n`);
  const done = flags.check ? foreseen : writePull(foreseen, session);
  const { files, problems } = done;
  const amount = inFiles(files.flatMap(({ pulled }) => pulled).length, files.length);
  if (files.length > 0) write(`${flags.check ? 'To pull' : 'Pulled'}: ${amount}.\n`);
  else if (!hasErrors(problems)) write(`Nothing to pull: ${done.compared} compared.\n`);
  if (problems.length > 0) reportDiagnostics(problems, terminal);
  if (hasErrors(problems)) return exitCode.failed;
  return flags.check && files.length > 0 ? exitCode.changes : exitCode.done;
};

function refuseBase({ drift, base }: Flags, { root }: Terminal): void {
  if (drift && base === undefined && findDefaultBranch(root) === undefined) {
    const hint = 'Name the git revision your own edits start from: --base origin/main.';
    throw new ConfigError('invalid-command-line', '--drift needs --base.', { hint });
  }
  if (!drift && base !== undefined) {
    const hint = 'Add --drift to keep your own edits, or leave --base out to pull everything.';
    throw new ConfigError('invalid-command-line', '--base needs --drift.', { hint });
  }
}
