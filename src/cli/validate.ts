import { basename } from 'node:path';
import { validateFiles } from '../commands/validate.ts';
import {
  defaultFile,
  nameFrom,
  nameInRoot,
  pathsFromRoot,
  refuseAboveOthers,
} from '../config/file.ts';
import { renamePlace, toDiagnostics } from '../core/diagnostic.ts';
import { makeValidation, type Validation } from '../files/files.ts';
import { findRepository } from '../files/git/run-git.ts';
import { isContractLike, readText } from '../files/text.ts';
import { renderValidationJson, validationCases } from '../report/json.ts';
import { validationScreen } from '../report/problems.ts';
import { renderText } from '../report/text.ts';
import type { LineOf } from '../report/text-contract.ts';
import type { RunCommand } from './flags.ts';
import { exitCode, print } from './terminal.ts';

export const runValidate: RunCommand = async (terminal, flags, paths) => {
  const { folder, root, environment, layouts } = terminal;
  let validation: Validation;
  try {
    const files = { folder: root, givenIn: folder, paths: pathsFromRoot(paths, folder, root) };
    const { config, env } = flags;
    refuseAboveOthers(root, config);
    validation = await validateFiles(files, { config, env, environment });
  } catch (error) {
    validation = makeValidation(toDiagnostics(error), 0, 0);
  }
  // Services that annotate files have the whole repository.
  const known = nameFrom(findRepository(root) ?? folder, root);
  const problems = () => validation.diagnostics.map((each) => renamePlace(each, known));
  await print(flags, terminal, {
    text: () =>
      renderText(validationScreen(validation), {
        ...layouts.write,
        lineOf: linesOf(root, nameInRoot(flags.config)),
        nameOf: nameFrom(folder, root),
      }),
    json: () => renderValidationJson(validation),
    problems,
    cases: () => validationCases(problems(), validation.summary.files),
  });
  return validation.errored ? exitCode.failed : exitCode.done;
};

// Problems come file by file, so the last file is kept. The configuration is not shown: its
// addresses may hold secrets. A file that can't be read or shown has a problem of its own already.
function linesOf(folder: string, config: string): LineOf {
  let last: { readonly file: string; readonly lines: readonly string[] } | undefined;
  return ({ file, line }) => {
    if (file === config || basename(file) === defaultFile) return undefined;
    if (last?.file !== file) {
      const read = readText(file, folder);
      const isShown = 'text' in read && isContractLike(read.text);
      last = { file, lines: isShown ? read.text.split(/\r\n|\n|\r/u) : [] };
    }
    return last.lines[line - 1];
  };
}
