import { posix } from 'node:path';
import { type Import, prepareImport, writeImport } from '../commands/import.ts';
import { writeDialect } from '../commands/dialect.ts';
import { withoutSecretTexts } from '../commands/secret-text.ts';
import type { LiveContract } from '../contract/contract.ts';
import { nameInRoot } from '../config/file.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { count, sanitizeLine } from '../core/text.ts';
import { selectNames } from '../files/find/find.ts';
import { fileFormats } from '../files/formats/contract-file.ts';
import { fileFormatNames } from '../files/formats/format.ts';
import { parsePathPattern } from '../pull/name.ts';
import type { Session } from '../session.ts';
import { inFiles } from '../report/problems.ts';
import type { Flags } from './flags.ts';
import {
  exitCode,
  type ExitCode,
  type Progress,
  reportDiagnostics,
  reporter,
  showProgress,
  type Terminal,
} from './terminal.ts';
import { startSession } from './session.ts';

export async function runImport(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const format = fileFormats[fileFormatNames.find((name) => name === flags.format) ?? 'native'];
  const { path } = format.newFiles;
  const pathOf = parsePathPattern(flags.into ?? path);
  const shown = { interrupted: 'Interrupted: nothing was written.' };
  const session = await startSession([], flags, terminal, shown);
  const isSelected = selectNames(session.files);
  const pathIn = (live: LiveContract, folder: string | undefined): string => {
    if (flags.into !== undefined || folder === undefined) return pathOf(live);
    const inFolder = path.replace(/^contracts(?=\/)/u, () => folder);
    const [full = '', short = ''] = [inFolder, inFolder.replace('{domain}/', '')].map((each) =>
      parsePathPattern(each)(live),
    );
    // The folder of a team that is named after the domain: sales/orders.yaml, not sales/sales/….
    const { dir, base } = posix.parse(short);
    const isTwice = full === posix.join(dir, posix.basename(dir), base);
    return isTwice && isSelected(short) ? short : full;
  };
  const read = await showProgress(shown, terminal, (advance, next) => {
    let isComposing = false;
    const onComposed: Progress['advance'] = (done, total) => {
      if (!isComposing) next('Composing files');
      isComposing = true;
      advance(done, total);
    };
    return prepareImport({ ...session, onPage: advance }, { pathOf: pathIn, format, onComposed });
  });
  const prepared = withoutSecretTexts(read, ({ text }) => text, terminal.redactor);
  const { files, problems: unwritten } = writeImport(prepared, session, flags.check);
  const problems = [...prepared.problems, ...unwritten];
  if (files.length > 0 || !hasErrors(problems))
    showNewFiles({ files, declared: prepared.declared }, flags, terminal);
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
  { files, declared }: Pick<Import, 'files' | 'declared'>,
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
  const beside = declared === 0 ? '' : `; ${skipped} already`;
  write(files.length === 0 ? `Nothing to import${beside}.\n` : `\n${total}${beside}.\n`);
}
