import { openFilesAhead } from '../ahead/files.ts';
import { resolveFileConfig } from '../config/config.ts';
import { checkContracts, makeValidation, type Validation } from '../files/files.ts';
import type { NamedFiles } from '../session.ts';
import { readOptionsOf } from '../sync.ts';

/** Checks the files alone; needs no catalog and no token. */
export async function validateFiles(
  { folder: root, paths }: NamedFiles,
  config: string | undefined,
): Promise<Validation> {
  const settings = resolveFileConfig(config === undefined ? {} : { config }, root);
  const { exclude, locateGlob: locate, rules, dialect } = settings;
  const include = paths.length > 0 ? paths : settings.include;
  const checked = await checkContracts(
    { root, include, exclude, locate },
    readOptionsOf({ rules, dialect }),
    openFilesAhead,
  );
  return makeValidation(checked.diagnostics, checked.fileCount, checked.contractCount);
}
