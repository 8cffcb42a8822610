import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlessFailed } from '../catalog/kind.ts';
import { productNames } from '../catalog/products/products.ts';
import { defaultFile } from '../config/file.ts';
import { misuse, resolveSettings, variableName } from '../config/settings.ts';
import { ConfigError, SyncError } from '../core/diagnostic.ts';
import { quote, sanitizeLine } from '../core/text.ts';
import { LinkError, placeOfNew } from '../disk.ts';
import { createFile, whyUnwritable } from '../files/text.ts';
import { prepareStart, describeStart } from '../init/start.ts';
import { serverAt, resolveAuth } from './access.ts';
import type { Flags } from './flags.ts';
import { findPackaged } from './reference.ts';
import { exitCode, type ExitCode, showProgress, type Terminal } from './terminal.ts';

export async function runInit(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const { env } = flags;
  const { folder } = terminal;
  // The names of folders, files and branches are untrusted.
  const write = (text: string): void =>
    terminal.write(text.split('\n').map(sanitizeLine).join('\n'));
  const environments = env === undefined ? undefined : parseNames(env);
  const start = prepareStart({
    folder,
    environments,
    catalog: environments ? undefined : await askCatalog(terminal, flags),
    dialects: productNames.toReversed(),
    readExample: (example, file) =>
      readFileSync(findPackaged(`examples/${example}/${file}`), 'utf8'),
  });
  const bound = start.repository?.root ?? folder;
  // Every name is checked before the first file is written: a repository gets all or none.
  for (const { file } of start.files) attempt(file, () => placeOfNew(file, folder, bound));
  for (const { file, text } of start.files) {
    const isWritten = attempt(file, () => createFile(file, folder, text, bound));
    write(isWritten ? `wrote  ${file}\n` : `kept   ${file}\n`);
  }
  write(describeStart(start));
  return exitCode.done;
}

/** Undefined where a configuration stands already, or the catalog can't be asked. */
async function askCatalog(terminal: Terminal, flags: Flags) {
  const { environment, folder } = terminal;
  if (!environment['CONTRACT_SYNC_URL'] || existsSync(join(folder, defaultFile))) return undefined;
  const shown = {
    activity: 'Asking the catalog',
    interrupted: 'Interrupted: nothing was written.',
  };
  try {
    const settings = resolveSettings({}, environment, folder);
    const auth = resolveAuth(flags, settings, terminal);
    const { server } = serverAt(settings, auth, flags, terminal);
    return await showProgress(shown, terminal, async () => {
      const { product, notices } = await server.kind();
      if (notices.length > 0) return undefined;
      const page = await unlessFailed(() => server.firstPage(1));
      const hasContracts = page && page.contracts.length > 0;
      return { dialect: product.name, contractSchema: product.contractSchema, hasContracts };
    });
  } catch (error) {
    if (error instanceof SyncError) return undefined;
    throw error;
  }
}

function parseNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const bad = names.find((name) => !/^[a-z0-9][\w.-]*$/iu.test(name));
  if (bad !== undefined) {
    const hint = 'Write them like --env dev,prod.';
    throw misuse(`--env takes names of environments, not ${quote(bad)}.`, hint);
  }
  if (new Set(names.map((name) => variableName('', name))).size < names.length) {
    const hint = 'Give each a name of its own, which differs in more than case and punctuation.';
    throw misuse(`--env names an environment twice: ${text}.`, hint);
  }
  return names;
}

function attempt<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof LinkError) {
      const message = `${file} can't be written: a symbolic link leads out of the repository, or into a hidden folder.`;
      const hint = 'Replace the link by a folder, and run init again.';
      throw new ConfigError('link-outside-root', message, { hint });
    }
    const reason = whyUnwritable(error);
    const why = reason === undefined ? '' : `: ${reason}`;
    throw new ConfigError('unwritable-file', `${file} can't be written${why}.`, {
      hint: 'Run init in a folder that you can write to.',
      cause: error,
    });
  }
}
