import { validateFiles } from '../commands/validate.ts';
import { defaultFile, nameFrom, pathsFromRoot } from '../config/root.ts';
import { renamePlace } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { makeValidation, type Validation } from '../files/files.ts';
import { findRepository } from '../files/find/repository.ts';
import { isContractLike } from '../files/read/foreign.ts';
import { readText } from '../files/read/text.ts';
import { renderAnnotations } from '../report/github.ts';
import { type LineOf, renderValidationText } from '../report/text/problems.ts';
import { version } from '../version.ts';
import type { Flags } from './flags.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

/** `contract-sync validate`: checks the files alone; needs no catalog and no token. */
export async function runValidate(
  terminal: Terminal,
  flags: Flags,
  paths: readonly string[],
): Promise<ExitCode> {
  const { folder, root, environment } = terminal;
  const validation = await validate(
    { folder: root, givenIn: folder, paths: pathsFromRoot(paths, folder, root) },
    { config: flags.config, env: flags.env, environment },
  );
  const isJson = flags.format === 'json' || flags.format === 'sarif';
  const form = flags.format === 'github' ? 'commands' : isJson ? 'json' : 'text';
  terminal.write(await render(validation, flags, terminal), form);
  return validation.errored ? exitCode.failed : exitCode.done;
}

/** A configuration that cannot be used is found like any other problem of a file. */
async function validate(
  ...[files, options]: Parameters<typeof validateFiles>
): Promise<Validation> {
  try {
    return await validateFiles(files, options);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return makeValidation(toDiagnostics(error), 0, 0);
  }
}

async function render(
  validation: Validation,
  { format, config = defaultFile }: Flags,
  { folder, root, palettes }: Terminal,
): Promise<string> {
  // Services that show a file have the whole repository.
  const known = nameFrom(findRepository(root) ?? folder, root);
  const inRepository = validation.diagnostics.map((each) => renamePlace(each, known));
  if (format === 'text') {
    return renderValidationText(validation, palettes.write, {
      lineOf: linesOf(root, config),
      nameOf: nameFrom(folder, root),
    });
  }
  if (format === 'github') return renderAnnotations(inRepository);
  const { renderSarif, renderValidationJson } = await import('../report/json.ts');
  return format === 'json' ? renderValidationJson(validation) : renderSarif(inRepository, version);
}

/**
 * Lines of files for excerpts; problems come file by file, so the last one read is kept. None of the
 * configuration: its addresses may hold secrets.
 */
function linesOf(folder: string, config: string): LineOf {
  let last: { readonly file: string; readonly lines: readonly string[] } | undefined;
  return ({ file, line }) => {
    if (file === config) return undefined;
    if (last?.file !== file) last = { file, lines: readLines(file, folder) };
    return last.lines[line - 1];
  };
}

/** What cannot be read, or must not be shown, is a problem already: then there is no excerpt. */
function readLines(file: string, folder: string): string[] {
  const read = readText(file, folder);
  return 'text' in read && isContractLike(read.text) ? read.text.split(/\r\n|\n|\r/u) : [];
}
