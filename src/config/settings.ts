import type { Product } from '../catalog/products/product.ts';
import { configuredProduct, possibleProducts } from '../catalog/products/products.ts';
import { ConfigError, type Diagnostic } from '../core/diagnostic.ts';
import { didYouMean, quote } from '../core/text.ts';
import { withoutSecrets } from '../http/address.ts';
import {
  adoptConventions,
  type ConfiguredRules,
  type DriftRule,
  type Rules,
} from '../plan/rules.ts';
import type { ReadOptions } from '../files/files.ts';
import type { OdcsRules } from '../files/formats/odcs/settings.ts';
import { writableStatuses } from '../contract/conventions.ts';
import type { ConfigFile } from '../generated/config.js';
import {
  defaultFile,
  environmentNames,
  type LoadedConfig,
  loadFile,
  selectEnvironment,
} from './file.ts';
import { dialectOf, resolveOdcs, resolveRules } from './rules.ts';

export type GivenSettings = {
  readonly config?: string | undefined;
  readonly catalogUrl?: string | undefined;
  readonly catalogUrlOrigin?: string | undefined;
  readonly pageSize?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly drift?: DriftRule | undefined;
  readonly env?: string | undefined;
  readonly team?: string | undefined;
};

export type FileSettings = ReturnType<typeof fileSettings>;
export type Settings = ReturnType<typeof resolveSettings>;

export const defaultInclude: readonly string[] = ['contracts/**/*.{yaml,yml}'];
const defaultCatalog = {
  concurrency: 8,
  timeoutSeconds: 30,
  timeoutThrottledSeconds: 600,
} as const;
// The larger of the interface's two maxima (§8); a server that allows less says so.
const mostPageSize = 1_000_000;

type Variables = Readonly<Record<string, string | undefined>>;

export function resolveSettings(given: GivenSettings, variables: Variables, folder: string) {
  const loaded = loadFile(given.config, folder);
  const file = selectEnvironment(loaded, environmentName(given, variables));
  const catalog = { ...defaultCatalog, ...file.settings.catalog };
  const fromFile = fileSettings(file, currentDay(), folder, given.team);
  const { drift = fromFile.rules.drift } = given;
  const url = resolveUrl(given, variables, file);
  const unchosen = file.environment ? undefined : findUnchosen(loaded, url);
  const pageSize =
    given.pageSize === 'auto'
      ? given.pageSize
      : wholeNumber('--page-size', given.pageSize, mostPageSize, ' or auto');
  return {
    ...fromFile,
    rules: { ...fromFile.rules, drift },
    ...url,
    notices: unchosen ? [...url.notices, unchosen.notice] : url.notices,
    /** Why nothing may be sent: a protected environment isn't chosen. */
    unchosen: unchosen?.refusal,
    pageSize: pageSize ?? catalog['page-size'] ?? catalog.pageSize ?? 'auto',
    concurrency: wholeNumber('--concurrency', given.concurrency, 256) ?? catalog.concurrency,
    timeoutMs: 1000 * catalog.timeoutSeconds,
    timeoutThrottledMs: 1000 * catalog.timeoutThrottledSeconds,
  };
}

export function resolveFileSettings(
  given: GivenSettings,
  variables: Variables,
  folder: string,
  today = currentDay(),
) {
  const loaded = loadFile(given.config, folder);
  const file = selectEnvironment(loaded, environmentName(given, variables));
  return fileSettings(file, today, folder, given.team);
}

function environmentName({ env }: GivenSettings, variables: Variables): string | undefined {
  return env ?? (variables['CONTRACT_SYNC_ENV'] || undefined);
}

export function variableName(name: string, environment: string | undefined): string {
  if (environment === undefined) return name;
  return `${name}_${environment.toUpperCase().replaceAll(/\W/gu, '_')}`;
}

/** Exceptions end with a UTC day: `2027-01-31`. */
export function currentDay(): string {
  return new Date().toISOString().slice(0, 10);
}

function fileSettings(file: LoadedConfig, today: string, folder: string, team: string | undefined) {
  const { contracts = {}, auth = {}, comment = {} } = file.settings;
  const rules = resolveRules(file, today, folder);
  refuseUnknownTeam(team, rules);
  return {
    include: includedBy(file.settings),
    // A wide glob finds the configuration too, and it is no contract.
    exclude: [...(contracts.exclude ?? []), defaultFile],
    locateGlob: (glob: string) => {
      const owner = rules.teams.find(({ include }) => include.includes(glob));
      const key = contracts.include?.includes(glob) ? 'include' : 'exclude';
      const index = contracts[key]?.indexOf(glob) ?? -1;
      if (index >= 0) return file.locate(['contracts', key, String(index)]);
      return owner && file.locate(['teams', owner.name, 'include']);
    },
    allowEmpty: contracts.allowEmpty === true,
    team,
    rules,
    blame: file.settings.blame ?? 'few',
    odcs: resolveOdcs(file, today),
    dialect: dialectOf(file.settings),
    kinds: possibleKinds(file.settings),
    auth: { ...auth, issuer: auth.issuer && withoutSecrets(auth.issuer) },
    /** Whom a comment mentions, by the names of owners. */
    handles: comment.mention && comment.handles,
    environment: file.environment,
  };
}

/** Those that environments name, where none is chosen and the dialect isn't set. */
function possibleKinds({
  environments = {},
  ...settings
}: ConfigFile): readonly [Product, ...Product[]] {
  const dialect = dialectOf(settings);
  const named = Object.values(environments).map((each) => configuredProduct(dialectOf(each)));
  const [first, ...others] = new Set(named.filter((product) => product !== undefined));
  return dialect === 'auto' && first ? [first, ...others] : possibleProducts(dialect);
}

/** With teams, there are no other files unless `contracts` names some. */
export function includedBy({ contracts, teams = {} }: ConfigFile): readonly string[] {
  const ofTeams = Object.values(teams).flatMap(({ include = [] }) => include);
  return [...(contracts?.include ?? (ofTeams.length > 0 ? [] : defaultInclude)), ...ofTeams];
}

function refuseUnknownTeam(name: string | undefined, { teams }: ConfiguredRules): void {
  const known = teams.map((team) => team.name);
  if (name === undefined || known.includes(name)) return;
  const message = `The configuration has no team ${quote(name)}.`;
  const list =
    known.length === 0
      ? 'Remove --team, or define the team under `teams`.'
      : `The teams are ${known.join(', ')}.`;
  throw misuse(message, didYouMean(name, known) ?? list);
}

const sharedUrl = '`catalog.url`';

function resolveUrl(given: GivenSettings, variables: Variables, file: LoadedConfig) {
  const { catalogUrl: flag, catalogUrlOrigin: flagName = '--catalog-url' } = given;
  const { environment, locate, settings } = file;
  const ofFile = environment ? `\`catalog.url\` of environment ${environment.name}` : sharedUrl;
  const sources = [
    { origin: flagName, text: flag },
    { origin: 'CONTRACT_SYNC_URL', text: variables['CONTRACT_SYNC_URL'] },
    { origin: ofFile, text: settings.catalog?.url },
  ];
  const [used, ...others] = sources.flatMap(({ origin, text }) =>
    text ? [{ origin, text: withoutSecrets(text) }] : [],
  );
  if (!used) throw noUrl(file);
  const catalogUrl = plainUrl(used.text);
  if (catalogUrl === undefined) {
    const message = `Invalid catalog URL ${JSON.stringify(used.text)}.`;
    const hint = 'Write it like https://catalog.example.com/api.';
    throw new ConfigError('invalid-catalog-url', message, { hint });
  }
  const differing = others.filter(({ text }) => plainUrl(text) !== catalogUrl);
  const notices = differing.map(({ origin, text }): Diagnostic => {
    // A flag is deliberate; a variable may be left from other work, and an environment has a catalog.
    const isMeant = used.origin === flagName && !(origin === ofFile && environment);
    return {
      code: 'catalog-url-overridden',
      severity: isMeant ? 'information' : 'warning',
      message: `This run uses ${used.origin} (${used.text}), not ${origin} (${text}).`,
      hint: `If ${text} is meant, correct ${used.origin}.`,
      ...(origin === ofFile && { source: locate(['catalog', 'url']) }),
    };
  });
  // The origin is a flag, a variable or a key of the configuration.
  return { catalogUrl, catalogOrigin: used.origin, notices };
}

function plainUrl(text: string): string | undefined {
  return URL.parse(text)?.href.replace(/(?<!\/)\/+$/u, '');
}

function noUrl(file: LoadedConfig): ConfigError {
  const { environment } = file;
  const known = environmentNames(file);
  const key = environment ? `environments.${environment.name}.catalog.url` : 'catalog.url';
  const hint =
    known.length > 0
      ? chooseOne(known)
      : `Set \`--catalog-url\` (in the Action \`catalog-url\`), the variable CONTRACT_SYNC_URL, or \`${key}\` in contract-sync.yaml.`;
  return new ConfigError('no-catalog-url', 'The catalog URL is not set.', { hint });
}

type Unchosen = { readonly notice: Diagnostic; readonly refusal?: ConfigError };

// A silent run would leave out all that environments set, `protected` too.
function findUnchosen(
  loaded: LoadedConfig,
  { catalogUrl, catalogOrigin }: ReturnType<typeof resolveUrl>,
): Unchosen | undefined {
  const known = environmentNames(loaded);
  const ofThisCatalog = known.flatMap((name) => {
    const { settings, environment } = selectEnvironment(loaded, name);
    // One without a URL takes the one that the run is given.
    const url = plainUrl(settings.catalog?.url ?? '') ?? catalogUrl;
    return environment && url === catalogUrl ? [environment] : [];
  });
  // A shared URL that no environment has is a catalog of its own.
  const isOwn = ofThisCatalog.length === 0 && catalogOrigin === sharedUrl;
  if (known.length === 0 || isOwn) return undefined;
  const code = 'no-environment';
  const message = 'No environment is chosen.';
  const hint = chooseOne(known);
  const notice = { code, severity: 'warning', message, hint } as const;
  const guarded = ofThisCatalog.find(({ isProtected }) => isProtected);
  if (!guarded) return { notice };
  const refusal = `No environment is chosen, and this may be the catalog of ${guarded.name}, which is protected: nothing was applied.`;
  return { notice, refusal: new ConfigError(code, refusal, { hint }) };
}

function chooseOne(known: readonly string[]): string {
  return `Choose one of the environments: ${known.join(', ')}.`;
}

export function misuse(message: string, hint?: string): ConfigError {
  return new ConfigError('invalid-command-line', message, { hint });
}

export function wholeNumber(
  flag: string,
  text: string | undefined,
  most: number,
  alternative = '',
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/u.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  const taken = `a whole number from 1 to ${most}${alternative}`;
  throw misuse(`${flag} takes ${taken}, not ${JSON.stringify(text)}.`);
}

/** How the files are read. */
export type FileRules = {
  readonly rules: Rules;
  readonly odcs?: OdcsRules | undefined;
  readonly product: Product;
};

export function readOptionsOf({ rules, odcs, product }: FileRules): ReadOptions {
  const { lifecycle, names } = rules;
  const { takesAnyUnit, checkFields: check } = product;
  const { later } = lifecycle;
  return {
    statuses: writableStatuses(lifecycle),
    odcs: odcs && { ...odcs, run: { ...odcs.run, later, takesAnyUnit } },
    names,
    check,
  };
}

type OptionsOfKinds = readonly [ReadOptions, ...ReadOptions[]];

/** For each kind that the catalog may be. */
export function optionsOfKinds({ kinds, odcs, rules }: FileSettings): OptionsOfKinds {
  const [first, ...others] = kinds;
  const optionsFor = (product: Product): ReadOptions =>
    readOptionsOf({ product, odcs, rules: adoptConventions(rules, product) });
  return [optionsFor(first), ...others.map(optionsFor)];
}

/** These report only errors that each kind has. */
export function sharedOptions([first, ...others]: OptionsOfKinds): ReadOptions {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const { odcs } = first;
  const later = all.flatMap((each) => each.odcs?.run.later ?? []);
  return {
    ...first,
    statuses: [...new Set(all.flatMap(({ statuses = [] }) => statuses))],
    odcs: odcs && { ...odcs, run: { ...odcs.run, later, takesAnyUnit: true } },
    check: undefined,
  };
}
