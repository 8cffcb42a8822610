import { resolveFileSettings } from '../config/settings.ts';
import { makeValidation, readContracts, type Validation } from '../files/files.ts';
import { type NamedFiles, readOptionsOf } from '../session.ts';

type ValidateOptions = {
  readonly config: string | undefined;
  readonly env: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Needs no catalog and no token. */
export async function validateFiles(
  { folder: root, givenIn, paths }: NamedFiles,
  { config, env, environment }: ValidateOptions,
): Promise<Validation> {
  const settings = resolveFileSettings({ config, env }, environment, root);
  const { exclude, locateGlob: locate } = settings;
  const include = paths.length > 0 ? paths : settings.include;
  const options = readOptionsOf(settings);
  const { contracts, diagnostics, fileCount } = await readContracts(
    { root, include, exclude, locate, ...(paths.length > 0 && { givenIn }) },
    { ...options, identitiesOnly: options.check === undefined },
  );
  return makeValidation(diagnostics, fileCount, contracts.length);
}
