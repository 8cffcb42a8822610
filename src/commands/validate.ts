import { dialectLines } from '../catalog/products/products.ts';
import {
  type GivenSettings,
  optionsOfKinds,
  resolveFileSettings,
  sharedOptions,
} from '../config/settings.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { placeProblems, unknownStatus } from '../contract/conventions.ts';
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import { deepEqual, defined } from '../core/json.ts';
import { count } from '../core/text.ts';
import {
  makeValidation,
  readContracts,
  type ReadOptions,
  type Validation,
} from '../files/files.ts';
import { judgeExceptions, judgeScopeOfFile } from '../plan/judge.ts';
import { adoptConventions, filesOfTwo, rulesFor } from '../plan/rules.ts';
import type { NamedFiles } from '../session.ts';

type ValidateOptions = Pick<GivenSettings, 'config' | 'env'> & {
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Needs no catalog and no token. */
export async function validateFiles(
  { folder: root, givenIn, paths }: NamedFiles,
  { environment, ...given }: ValidateOptions,
): Promise<Validation> {
  const settings = resolveFileSettings(given, environment, root);
  const { exclude, allowEmpty, locateGlob: locate } = settings;
  const include = paths.length > 0 ? paths : settings.include;
  const kinds = optionsOfKinds(settings);
  const { contracts, diagnostics, fileCount } = await readContracts(
    { root, include, exclude, allowEmpty, locate, ...(paths.length > 0 && { givenIn }) },
    sharedOptions(kinds),
  );
  const rules = adoptConventions(settings.rules, settings.kinds[0]);
  const unlike: Diagnostic[] = [];
  const found = contracts.map((desired) => {
    const { shared, others } = compareKinds(desired, kinds);
    unlike.push(...others.slice(0, 1));
    return [...shared, ...judgeScopeOfFile(desired, rulesFor({ desired }, rules))];
  });
  const ofRules = [...filesOfTwo(contracts, rules), ...judgeExceptions(rules)];
  const all = [...diagnostics, ...ofRules, ...found.flat()];
  const sound = found.filter((problems) => !hasErrors(problems));
  return makeValidation([...all, ...unchecked(unlike)], fileCount, sound.length);
}

function compareKinds(desired: DesiredContract, kinds: readonly ReadOptions[]) {
  if (kinds.length === 1) return { shared: [], others: [] };
  const { managed } = desired;
  const found = kinds.map(({ check, statuses = [] }) =>
    placeProblems([...(check?.(managed) ?? []), ...unknownStatus(managed, statuses)], desired),
  );
  const isShared = (problem: Diagnostic): boolean =>
    found.every((own) => own.some((each) => deepEqual(each, problem)));
  const [first = []] = found;
  return {
    shared: first.filter(isShared),
    others: found.flat().filter((problem) => !isShared(problem)),
  };
}

function unchecked([first, ...others]: readonly Diagnostic[]): Diagnostic[] {
  if (!first) return [];
  const more = others.length === 0 ? '' : ` and in ${count(others.length, 'other', 'others')}`;
  const message = `Not checked in this contract${more}: what is allowed here depends on the kind of catalog.`;
  const hint = `Add ${dialectLines()} to the configuration.`;
  const { source } = first;
  return [
    { code: 'dialect-unset', severity: 'information', message, hint, ...defined({ source }) },
  ];
}
