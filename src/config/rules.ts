import {
  type DialectSetting,
  possibleProducts,
  productNames,
} from '../catalog/products/products.ts';
import type { Compatibility, Level } from '../compatibility/compatibility.ts';
import { parseWidening } from '../compatibility/type.ts';
import { adoptLifecycle, deprecated, writableStatuses } from '../contract/conventions.ts';
import { canonicalSegments, canOverlap, indexPatterns } from '../contract/names.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { complainAboutPattern, didYouMean, quote } from '../core/text.ts';
import { parseSpan } from '../core/time.ts';
import { selectNames } from '../files/find/find.ts';
import {
  defaultOdcsSettings,
  type EntityRule,
  type OdcsRules,
  parseTemplate,
  placeholderProblem,
  type Template,
} from '../files/formats/odcs/settings.ts';
import type { ConfigFile } from '../generated/config.js';
import { parsePattern, type Pattern, type Pointer } from '../patch/pointer.ts';
import {
  type ConfiguredRules,
  defaultRules,
  type Exception,
  type Rules,
  type Team,
  type Unmanaged,
  type WrittenPattern,
} from '../plan/rules.ts';
import { type Limit, limitNames, parseLimit } from '../plan/limits.ts';
import { ignoreProblem, patternProblem } from './problems.ts';
import { type LoadedConfig, selectTeam, unusable } from './file.ts';

type Refuse = (pointer: Pointer, message: string, hint: string) => void;

function checked<Result>({ locate }: LoadedConfig, resolve: (refuse: Refuse) => Result) {
  const problems: Diagnostic[] = [];
  const result = resolve((pointer, message, hint) => {
    const source = locate(pointer);
    problems.push({ code: 'invalid-config', severity: 'error', message, hint, source });
  });
  if (problems.length > 0) throw unusable(problems);
  return result;
}

/** `today` is a day such as `2027-01-31`, `folder` that of the configuration. */
export function resolveRules(file: LoadedConfig, today: string, folder: string): ConfiguredRules {
  const shared = checked(file, (refuse) => rulesOf(file, today, refuse));
  const names = Object.keys(file.settings.teams ?? {});
  if (names.length === 0) return shared;
  const resolved = names.map((name) => resolveTeam(name, file, today, folder));
  const teams = resolved.map(({ team }) => team);
  checked(file, (refuse) => refuseOverlaps(teams, refuse));
  const ownerOf = indexPatterns(
    teams.flatMap(({ name, rules }) => rules.scope.map((pattern) => ({ name, pattern }))),
  );
  // Each team repeats the patterns of the shared part.
  const patterns = new Map(
    [...shared.patterns, ...resolved.flatMap((each) => each.patterns)].map((written) => [
      JSON.stringify(written.source),
      written,
    ]),
  );
  return {
    ...shared,
    patterns: [...patterns.values()],
    teams,
    teamInScope: (qualifiedNames) => ownerOf(qualifiedNames)[0]?.name,
  };
}

function resolveTeam(
  name: string,
  file: LoadedConfig,
  today: string,
  folder: string,
): { readonly team: Team; readonly patterns: Rules['patterns'] } {
  const { teams, contracts } = file.settings;
  const { include: given = [], scope: owned = [] } = teams?.[name] ?? {};
  const include = [given].flat();
  checked(file, (refuse) => {
    const lacking = include.length === 0 ? 'include' : owned.length === 0 && 'scope';
    if (lacking === false) return;
    const hint = 'A team needs `include`, its files, and `scope`, the contracts that it owns.';
    refuse(['teams', name], `The team ${name} lacks \`${lacking}\`.`, hint);
  });
  const layered = selectTeam(file, name);
  const { patterns, ...rules } = checked(layered, (refuse) => rulesOf(layered, today, refuse));
  // All other rules are those of the run, which flags may set.
  const { scope, unmanaged, missing, compatibility, exceptions, exceptionsFor, limits } = rules;
  const kept = { protected: rules.protected, exceptions, exceptionsFor };
  const own = { scope, unmanaged, missing, compatibility, limits, ...kept };
  const has = selectNames({ root: folder, include, exclude: contracts?.exclude ?? [] });
  return { team: { name, include, has, rules: own }, patterns };
}

function refuseOverlaps(teams: readonly Team[], refuse: Refuse): void {
  for (const [at, { name, rules }] of teams.entries()) {
    for (const [index, pattern] of rules.scope.entries()) {
      const other = teams
        .slice(0, at)
        .find((each) => each.rules.scope.some((own) => canOverlap(own, pattern)));
      if (!other) continue;
      const message = `The teams ${other.name} and ${name} own the same names: their \`scope\` overlaps.`;
      refuse(['teams', name, 'scope', String(index)], message, 'Give each contract to one team.');
    }
  }
}

/** `today` is a day such as `2027-01-31`. */
function rulesOf(file: LoadedConfig, today: string, refuse: Refuse): ConfiguredRules {
  const { settings, locate } = file;
  const { names = [], ignore = [], scope = [], lifecycle = {} } = settings;
  const { protected: unchangeable = [] } = settings;
  const named = (setting: string, text: string, pointer: Pointer): WrittenPattern => {
    const problem = patternProblem(text);
    if (problem) refuse(pointer, problem.message, problem.hint);
    const pattern = canonicalSegments(text);
    return { kind: 'name', setting, text, pattern, source: locate(pointer) };
  };
  const allNamed = (setting: 'scope' | 'protected', texts: readonly string[]) =>
    texts.map((text, index) => named(setting, text, [setting, String(index)]));
  const { exceptions, excepted } = resolveExceptions(file, today, named);
  const ignored: Pattern[] = [];
  for (const [index, text] of ignore.entries()) {
    const problem = ignoreProblem(text);
    if (problem) refuse(['ignore', String(index)], problem.message, problem.hint);
    else ignored.push(parsePattern(text) ?? []);
  }
  const { missing, create, drift, conflicts } = { ...defaultRules, ...settings };
  const statuses = possibleProducts(dialectOf(settings)).flatMap((product) =>
    writableStatuses(adoptLifecycle(lifecycle, product.lifecycle)),
  );
  const compatibility = resolveCompatibility(settings.compatibility, statuses, refuse);
  const owned = allNamed('scope', scope);
  const unmanaged = resolveUnmanaged(file, refuse);
  const kept = allNamed('protected', unchangeable);
  return {
    ...defaultRules,
    equivalence: { ...defaultRules.equivalence, ignore: ignored },
    arrays: { ...defaultRules.arrays, ...settings.patch },
    lifecycle,
    compatibility,
    exceptions,
    exceptionsFor: indexPatterns(exceptions),
    scope: owned.map(({ pattern }) => pattern),
    unmanaged,
    missing,
    create,
    drift,
    conflicts,
    protected: kept.map(({ pattern }) => pattern),
    limits: resolveLimits(settings.limits, refuse),
    reviews: resolveReviews(settings, refuse),
    sections: Object.fromEntries(
      Object.entries(settings).filter(([key]) => productNames.includes(key)),
    ),
    patterns: [...kept, ...owned, ...excepted],
    names,
  };
}

function resolveExceptions(
  { settings: { allow = [], environments }, environment, locate }: LoadedConfig,
  today: string,
  named: (setting: string, text: string, pointer: Pointer) => WrittenPattern,
) {
  const isOfEnvironments = environment !== undefined || environments !== undefined;
  const exceptions: Exception[] = [];
  const excepted: WrittenPattern[] = [];
  for (const [index, { contract, ...given }] of allow.entries()) {
    const pointer = ['allow', String(index)];
    const { until } = given;
    const written = named('allow', contract, [...pointer, 'contract']);
    // Days in this form sort as text; the last day counts.
    const expired = until !== undefined && until < today;
    const source = locate(pointer);
    const isShared = isOfEnvironments || source.file !== locate([]).file;
    exceptions.push({ ...given, pattern: written.pattern, expired, isShared, source });
    excepted.push(written);
  }
  return { exceptions, excepted };
}

function resolveCompatibility(
  settings: ConfigFile['compatibility'] = {},
  statuses: readonly string[],
  refuse: Refuse,
): Compatibility {
  const defaults = defaultRules.compatibility;
  const { mode = defaults.mode, downstream = defaults.downstream, ...others } = settings;
  const { widenings = [], revert, ...levels } = others;
  const named = new Map(statuses.map((status) => [status.toLowerCase(), status]));
  const keys = [...named.keys()];
  const configured: [string, Level][] = [];
  for (const [key, level] of Object.entries(levels)) {
    const status = named.get(key.toLowerCase());
    if (status !== undefined) {
      configured.push([status, level]);
      continue;
    }
    const message = `Unknown status ${JSON.stringify(key)} in \`compatibility\`.`;
    const hint = didYouMean(key, keys) ?? `The statuses are ${keys.join(', ')}.`;
    refuse(['compatibility', key], message, hint);
  }
  return {
    ...defaults,
    mode,
    downstream,
    revert: revert === undefined ? defaults.revert : (parseSpan(String(revert)) ?? 0),
    levels: new Map([...defaults.levels, ...configured]),
    widenings: [...defaults.widenings, ...widenings.map(parseWidening)],
  };
}

function resolveUnmanaged(
  { settings: { unmanaged = 'report', scope = [], teams = {}, lifecycle }, locate }: LoadedConfig,
  refuse: Refuse,
): Unmanaged {
  if (unmanaged !== 'deprecate') return { rule: unmanaged };
  const pointer = ['unmanaged'];
  if (scope.length === 0 && Object.keys(teams).length === 0) {
    const message = '`unmanaged: deprecate` needs `scope`, which says what is yours to deprecate.';
    const hint = 'List the names that this repository owns: `scope: ["warehouse.sales.**"]`.';
    refuse(pointer, message, hint);
  }
  if (lifecycle?.statuses?.includes(deprecated) === false) {
    const message = `\`unmanaged: deprecate\` needs the status ${deprecated}, which the lifecycle doesn't have.`;
    refuse(pointer, message, 'Add it to `lifecycle.statuses`, or write `unmanaged: report`.');
  }
  return { rule: unmanaged, source: locate(pointer) };
}

function resolveLimits(limits: ConfigFile['limits'] = {}, refuse: Refuse): Rules['limits'] {
  const defaults = defaultRules.limits;
  const resolved = limitNames.map((name): [string, Limit] => {
    const text = limits[name];
    const limit = text === undefined ? defaults[name] : parseLimit(text);
    if (limit) return [name, limit];
    refuse(['limits', name], `${text} is more than all contracts.`, 'Write 100% or less.');
    return [name, defaults[name]];
  });
  return { ...defaults, ...Object.fromEntries(resolved), from: limits.from ?? defaults.from };
}

function resolveReviews(
  { reviews = {}, comment = {} }: ConfigFile,
  refuse: Refuse,
): Rules['reviews'] {
  const { breaking = [], retirement = [], limits = [], fallback, notice } = reviews;
  const teams = { retirement: [retirement].flat(), limits: [limits].flat() };
  if (breaking === 'readers') {
    const span = notice === undefined ? undefined : parseSpan(notice);
    const { handles = {} } = comment;
    return { ...teams, breaking: [], readers: { handles, fallback, notice: span } };
  }
  if (breaking.includes('readers'))
    refuse(
      ['reviews', 'breaking'],
      '`readers` stands alone in `reviews.breaking`.',
      'Write `breaking: readers`, and name a team in `fallback` for owners without a handle.',
    );
  for (const [key, value] of Object.entries({ fallback, notice })) {
    if (value === undefined) continue;
    const message = `\`reviews.${key}\` does nothing without \`reviews.breaking: readers\`.`;
    refuse(['reviews', key], message, 'Write `breaking: readers`, or remove it.');
  }
  return { ...teams, breaking: [breaking].flat() };
}

export function dialectOf({ catalog = {} }: Pick<ConfigFile, 'catalog'>): DialectSetting {
  return catalog.dialect ?? 'auto';
}

export function resolveOdcs(file: LoadedConfig, today: string): OdcsRules {
  const { settings } = file;
  const { entity = [], name, owners, ...rest } = settings.odcs ?? {};
  return checked(file, (refuse) => {
    const ofName = name === undefined ? undefined : template(name, ['odcs', 'name'], refuse);
    return {
      settings: {
        ...defaultOdcsSettings,
        ...rest,
        entity: entityRules(entity, refuse),
        ...(ofName && { name: ofName }),
        owners: { ...defaultOdcsSettings.owners, ...owners },
      },
      run: { today },
    };
  });
}

function entityRules(
  entity: NonNullable<NonNullable<ConfigFile['odcs']>['entity']>,
  refuse: Refuse,
): EntityRule[] {
  if (typeof entity === 'string') {
    const whole = template(entity, ['odcs', 'entity'], refuse);
    return whole ? [{ when: {}, is: whole }] : [];
  }
  return entity.flatMap(({ when = {}, is, type }, index): EntityRule[] => {
    const pointer = ['odcs', 'entity', String(index)];
    for (const [placeholder, pattern] of Object.entries(when)) {
      const place = [...pointer, 'when', placeholder];
      const complaint = complainAboutPattern(pattern);
      const problem = placeholderProblem(placeholder);
      if (problem) refuse(place, problem.message, problem.hint);
      else if (complaint !== undefined)
        refuse(place, `The pattern ${quote(pattern)} ${complaint}.`, 'Write several rules.');
    }
    const parsed = is === null ? null : template(is, [...pointer, 'is'], refuse);
    if (parsed === undefined) return [];
    return [{ when, is: parsed, ...(type !== undefined && { type }) }];
  });
}

function template(text: string, pointer: Pointer, refuse: Refuse): Template | undefined {
  const parsed = parseTemplate(text);
  if ('template' in parsed) return parsed.template;
  refuse(pointer, parsed.problem.message, parsed.problem.hint);
  return undefined;
}
