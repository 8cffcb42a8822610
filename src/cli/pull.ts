/** What the catalog holds, into the files: `pull` updates those there are, `import` writes new ones. */

import { type Import, prepareImport, writeDialect, writeImport } from '../commands/import.ts';
import {
  preparePull,
  withoutSecretTexts,
  withoutUncommitted,
  writePull,
} from '../commands/pull.ts';
import { nameInRoot } from '../config/file.ts';
import { misuse } from '../config/settings.ts';
import type { LiveContract } from '../contract/contract.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { count, sanitizeLine } from '../core/text.ts';
import { fileFormats } from '../files/files.ts';
import { fileFormatNames } from '../files/formats/format.ts';
import { findDefaultBranch, openRepository, type Repository } from '../files/git/repository.ts';
import { parsePathPattern } from '../pull/name.ts';
import { inFiles } from '../report/problems.ts';
import { renderFileChange } from '../report/text.ts';
import type { Session } from '../session.ts';
import type { Flags, RunCommand } from './flags.ts';
import { startSession } from './session.ts';
import {
  exitCode,
  type ExitCode,
  reportDiagnostics,
  reporter,
  showProgress,
  type Terminal,
} from './terminal.ts';

export const runPull: RunCommand = async (terminal, flags, paths) => {
  const repository = openRepository(terminal.root, terminal.environment);
  refuseBase(flags, repository);
  // For `pull`, `--drift` is a switch and no rule.
  const hasDefaultBase = flags.drift !== undefined;
  const shown = { interrupted: 'Interrupted: nothing was written.', quiet: flags.quiet };
  const kind = { ...shown, hasDefaultBase, repository };
  const given = { ...flags, drift: undefined };
  const session = await startSession(paths, given, terminal, kind);
  const read = await showProgress(shown, terminal, (onPage) =>
    preparePull({ ...session, onPage }, flags.base === false),
  );
  const prepared = withoutSecretTexts(read, ({ after }) => after, terminal.redactor);
  const pull = flags.force ? prepared : withoutUncommitted(prepared, session);
  const { write, layouts } = terminal;
  const foreseen = writePull(pull, session, true);
  const changed = flags.quiet ? [] : foreseen.files;
  for (const file of changed) write(`${renderFileChange(file, layouts.write.palette)}\n`);
  const done = flags.check ? foreseen : writePull(foreseen, session);
  const { files, problems } = done;
  const amount = inFiles(files.flatMap(({ pulled }) => pulled).length, files.length);
  if (files.length > 0) write(`${flags.check ? 'To pull' : 'Pulled'}: ${amount}.\n`);
  else if (!hasErrors(problems)) write(`Nothing to pull: ${done.compared} compared.\n`);
  if (problems.length > 0) reportDiagnostics(problems, terminal);
  if (hasErrors(problems)) return exitCode.failed;
  return flags.check && files.length > 0 ? exitCode.changes : exitCode.done;
};

function refuseBase({ drift, base }: Flags, repository: Repository): void {
  if (
    drift &&
    typeof base !== 'string' &&
    (base === false || findDefaultBranch(repository) === undefined)
  ) {
    const hint = 'Name the git revision your own edits start from: --base origin/main.';
    throw misuse('--drift needs --base.', hint);
  }
  if (!drift && typeof base === 'string') {
    const hint = 'Add --drift to keep your own edits, or leave --base out.';
    throw misuse('--base needs --drift.', hint);
  }
}

export async function runImport(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const format = fileFormats[fileFormatNames.find((name) => name === flags.format) ?? 'native'];
  const { path } = format.newFiles;
  const pathOf = parsePathPattern(flags.into ?? path);
  const shown = { interrupted: 'Interrupted: nothing was written.' };
  const session = await startSession([], flags, terminal, shown);
  const pathIn = (live: LiveContract, folder: string | undefined): string => {
    if (flags.into !== undefined || folder === undefined) return pathOf(live);
    const file = parsePathPattern(path.replace(/^contracts(?=\/)/u, () => folder))(live);
    // The team's folder is often named like the domain.
    const [domain = '', ...below] = file.slice(folder.length + 1).split('/');
    const isRepeated = below.length > 0 && folder.split('/').includes(domain);
    return isRepeated ? [folder, ...below].join('/') : file;
  };
  const read = await showProgress(shown, terminal, (onPage) =>
    prepareImport({ ...session, onPage }, { pathOf: pathIn, format }),
  );
  const prepared = withoutSecretTexts(read, ({ text }) => text, terminal.redactor);
  const { files, problems: unwritten } = writeImport(prepared, session, flags.check);
  const problems = [...prepared.problems, ...unwritten];
  if (files.length > 0 || !hasErrors(problems))
    showNewFiles(files, prepared.declared, flags, terminal);
  if (problems.length > 0) reportDiagnostics(problems, terminal);
  if (hasErrors(problems)) return exitCode.failed;
  if (session.isTold && files.length > 0) noteDialect(session, flags, terminal);
  return flags.check && files.length > 0 ? exitCode.changes : exitCode.done;
}

function noteDialect(session: Session, { config, check }: Flags, terminal: Terminal): void {
  const file = nameInRoot(config);
  const line = `catalog: { dialect: ${session.product.name} }`;
  if (writeDialect(session, file, check))
    terminal.write(`${check ? 'To note' : 'Noted'} in ${sanitizeLine(file)}: ${line}\n`);
  else reporter(terminal)(`Add ${line} to ${file}, and no run asks the catalog what kind it is.`);
}

function showNewFiles(
  files: Import['files'],
  declared: number,
  { check }: Flags,
  { write, layouts }: Terminal,
): void {
  const { added, faint } = layouts.write.palette;
  for (const { file, contracts } of files) {
    const [only = '', ...others] = contracts;
    const what = others.length === 0 ? only : `${contracts.length} contracts`;
    write(`${added('+')} ${sanitizeLine(file)}  ${faint(sanitizeLine(what))}\n`);
  }
  const amount = inFiles(files.flatMap(({ contracts }) => contracts).length, files.length);
  const total = `${check ? 'To import' : 'Imported'}: ${amount}`;
  const skipped = count(declared, 'contract has a file', 'contracts have files');
  const already = declared === 0 ? '' : `; ${skipped} already`;
  write(files.length === 0 ? `Nothing to import${already}.\n` : `\n${total}${already}.\n`);
}
