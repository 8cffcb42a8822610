/** Flags, environment and file → Config, or a ConfigError that names the culprit. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DialectSetting } from '../catalog/dialects/choose.ts';
import type { SourcePosition } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import type { OdcsRules } from '../files/formats/odcs/settings.ts';
import type { ChosenEnvironment } from '../plan/plan.ts';
import type { ConflictRule, DriftRule, Rules } from '../plan/rules.ts';
import { dialectOf, formerDialect } from './dialect.ts';
import { emptyChoice, selectEnvironment, type SelectedConfig } from './environment.ts';
import { type AuthFile, type LoadedConfig, readConfigFile } from './file.ts';
import { type OdcsWorld, resolveOdcs } from './odcs.ts';
import { defaultFile, misspeltFile } from './root.ts';
import { resolveRules } from './rules.ts';
import { type CatalogChoice, resolveUrl } from './url.ts';

/** What flags may set, as they were typed. */
export type SettingFlags = {
  readonly config?: string;
  readonly catalogUrl?: string;
  /** What gives the URL, where it is no flag. */
  readonly catalogUrlOrigin?: string;
  readonly pageSize?: string;
  readonly concurrency?: string;
  readonly timeout?: string;
  readonly timeoutThrottled?: string;
  readonly drift?: DriftRule;
  readonly conflicts?: ConflictRule;
  /** One of the configuration's environments. */
  readonly env?: string;
};

/** What is known without a catalog: which files there are, and the rules they keep to. */
export type FileConfig = {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Where the file has a glob, if it does. */
  readonly locateGlob: (glob: string) => SourcePosition | undefined;
  readonly rules: Rules;
  /** How files of the Open Data Contract Standard are read. */
  readonly odcs: OdcsRules;
  readonly dialect: DialectSetting;
  /** As the file says it; the Action does not listen to it. */
  readonly auth: AuthFile;
  /** Absent where none is chosen. */
  readonly environment?: ChosenEnvironment;
};

export type Config = FileConfig &
  CatalogChoice & {
    readonly pageSize: number | 'auto';
    readonly concurrency: number;
    readonly timeoutMs: number;
    readonly timeoutThrottledMs: number;
  };

/** What is read where no configuration says otherwise. */
export const defaultInclude: readonly string[] = ['contracts/**/*.{yaml,yml}'];
const mostConcurrency = 256;
const mostTimeoutSeconds = 3600;
const mostThrottledSeconds = 86_400;
/** The larger of the interface's two maxima (§8); a server that allows less says so. */
const mostPageSize = 1_000_000;

type Variables = Readonly<Record<string, string | undefined>>;

/** Flags beat the environment, the environment beats the file. */
export function resolveConfig(
  flags: SettingFlags,
  environment: Variables,
  folder: string,
  today = currentDay(),
): Config {
  const file = loadFor(flags, environment, folder);
  const { catalog = {} } = file.settings;
  const variable = environment['CONTRACT_SYNC_URL'];
  const flagName = flags.catalogUrlOrigin ?? '--catalog-url';
  const url = resolveUrl({ flag: flags.catalogUrl, flagName, variable, file });
  const fromFile = fileConfig(file, { environment, today });
  return {
    ...fromFile,
    rules: withFlags(fromFile.rules, flags),
    ...url,
    notices: [
      ...url.notices,
      ...formerDialect(file),
      ...emptyChoice(file, environment['CONTRACT_SYNC_ENV']),
    ],
    pageSize: resolvePageSize(flags.pageSize) ?? catalog.pageSize ?? 'auto',
    concurrency:
      wholeNumber('--concurrency', flags.concurrency, mostConcurrency) ?? catalog.concurrency ?? 8,
    timeoutMs:
      1000 *
      (seconds('--timeout', flags.timeout, mostTimeoutSeconds) ?? catalog.timeoutSeconds ?? 30),
    timeoutThrottledMs:
      1000 *
      (seconds('--timeout-throttled', flags.timeoutThrottled, mostThrottledSeconds) ??
        catalog.timeoutThrottledSeconds ??
        600),
  };
}

function withFlags(rules: Rules, flags: SettingFlags): Rules {
  const { drift = rules.drift, conflicts = rules.conflicts } = flags;
  return { ...rules, drift, conflicts };
}

/** The part of the configuration that needs no catalog. */
export function resolveFileConfig(
  flags: SettingFlags,
  environment: Variables,
  folder: string,
  today = currentDay(),
): FileConfig {
  return fileConfig(loadFor(flags, environment, folder), { environment, today });
}

/** The file, as it is for the environment that the flag or the variable names. */
function loadFor({ config, env }: SettingFlags, variables: Variables, folder: string) {
  const name = env ?? (variables['CONTRACT_SYNC_ENV'] || undefined);
  return selectEnvironment(loadFile(config, folder), name);
}

/** Exceptions end with a day, whatever the hour: of the calendar of UTC, as in `2027-01-31`. */
export function currentDay(): string {
  return new Date().toISOString().slice(0, 10);
}

function fileConfig(file: SelectedConfig, world: OdcsWorld): FileConfig {
  const { contracts = {}, auth = {} } = file.settings;
  return {
    include: contracts.include ?? defaultInclude,
    // A wide glob finds the configuration too, and it is no contract.
    exclude: [...(contracts.exclude ?? []), defaultFile],
    locateGlob: (glob) => locateGlob(glob, file),
    rules: resolveRules(file, world.today),
    odcs: resolveOdcs(file, world),
    dialect: dialectOf(file.settings),
    auth,
    ...(file.environment && { environment: file.environment }),
  };
}

function locateGlob(
  glob: string,
  { settings: { contracts = {} }, locate }: LoadedConfig,
): SourcePosition | undefined {
  const key = contracts.include?.includes(glob) ? 'include' : 'exclude';
  const index = contracts[key]?.indexOf(glob) ?? -1;
  return index < 0 ? undefined : locate(['contracts', key, String(index)]);
}

/** The file as it is now; what is said where there is none. */
export function loadFile(named: string | undefined, folder: string): LoadedConfig {
  if (named !== undefined) return readConfigFile(folder, named);
  if (existsSync(resolve(folder, defaultFile))) return readConfigFile(folder, defaultFile);
  // Passed over in silence, what it protects would be unprotected.
  if (existsSync(resolve(folder, misspeltFile))) throw misnamed();
  return noFile;
}

function misnamed(): ConfigError {
  return new ConfigError(
    'misnamed-config',
    `Found ${misspeltFile}, which isn't read: the configuration is ${defaultFile}.`,
    { hint: `Rename it, or pass --config ${misspeltFile}.` },
  );
}

/** What a repository without a configuration says. */
export const noFile: LoadedConfig = {
  settings: {},
  locate: () => ({ file: defaultFile, line: 1, column: 1 }),
};

function resolvePageSize(text: string | undefined): number | 'auto' | undefined {
  return text === 'auto' ? 'auto' : wholeNumber('--page-size', text, mostPageSize, ' or auto');
}

/** What a flag says, if it was given, as a number. */
export function wholeNumber(
  flag: string,
  text: string | undefined,
  most: number,
  alternative = '',
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/u.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw new ConfigError(
    'invalid-flag',
    `${flag} takes a whole number from 1 to ${most}${alternative}, not ${JSON.stringify(text)}.`,
  );
}

function seconds(flag: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(?:\.\d+)?$/u.test(text) ? Number(text) : 0;
  if (value > 0 && value <= most) return value;
  throw new ConfigError(
    'invalid-flag',
    `${flag} takes seconds above 0 and up to ${most}, not ${JSON.stringify(text)}.`,
  );
}
