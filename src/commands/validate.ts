import { productOf } from '../catalog/products/products.ts';
import { type FileSettings, type GivenSettings, resolveFileSettings } from '../config/settings.ts';
import type { FieldCheck } from '../contract/conventions.ts';
import { namesInFiles, qualifiedNames } from '../contract/identity.ts';
import { makeValidation, readContracts, type Validation } from '../files/files.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { judgeScope } from '../plan/judge.ts';
import { filesOfTwo, rulesFor } from '../plan/rules.ts';
import { type NamedFiles, readOptionsOf } from '../session.ts';

type ValidateOptions = Pick<GivenSettings, 'config' | 'env' | 'checkout'> & {
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Qualified names that the files give, for completion. */
export async function declaredNames(root: string, environment: ValidateOptions['environment']) {
  const settings = resolveFileSettings({}, environment, root);
  const { include, exclude } = settings;
  const options = { ...readOptionsOf(settings), identitiesOnly: true };
  const { contracts } = await readContracts({ root, include, exclude }, options);
  return contracts.flatMap(({ identity }) => qualifiedNames(identity).slice(0, 1)).toSorted();
}

/** Needs no catalog and no token. */
export async function validateFiles(
  { folder: root, givenIn, paths }: NamedFiles,
  { environment, ...given }: ValidateOptions,
): Promise<Validation> {
  const settings = resolveFileSettings(given, environment, root);
  const { exclude, allowEmpty, locateGlob: locate } = settings;
  const include = paths.length > 0 ? paths : settings.include;
  const options = readOptionsOf(settings);
  const check = options.check ?? checkOfAny(settings);
  const { contracts, diagnostics, fileCount } = await readContracts(
    { root, include, exclude, allowEmpty, locate, ...(paths.length > 0 && { givenIn }) },
    { ...options, check, identitiesOnly: check === undefined },
  );
  const { rules } = settings;
  const outside = contracts.map((desired) => {
    const names = namesInFiles(desired.identity, rules.names);
    // A contract without a name in its file may have one in the catalog.
    return names.length > 0 ? judgeScope(names, desired.source, rulesFor({ desired }, rules)) : [];
  });
  const all = [...diagnostics, ...filesOfTwo(contracts, rules), ...outside.flat()];
  const sound = outside.filter((problems) => !hasErrors(problems));
  return makeValidation(all, fileCount, sound.length);
}

// What no catalog of an environment takes is a mistake, whichever is meant.
function checkOfAny({ otherDialects }: FileSettings): FieldCheck | undefined {
  const checks = [...otherDialects].flatMap((dialect) =>
    dialect === 'auto' ? [] : [productOf(dialect).checkFields],
  );
  if (checks.length === 0) return undefined;
  return (fields) => [
    ...new Map(
      checks.flatMap((check) =>
        check(fields).map((problem) => [
          `${problem.pointer.join('/')} ${problem.message}`,
          problem,
        ]),
      ),
    ).values(),
  ];
}
