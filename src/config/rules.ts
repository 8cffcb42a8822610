/** The configuration file → the rules that plans are made by. */

import {
  acceptedStatuses,
  completeLifecycle,
  type DialectSetting,
} from '../catalog/dialects/choose.ts';
import { deprecated, type Lifecycle } from '../contract/lifecycle.ts';
import { indexPatterns, type NamePattern, parseNamePattern } from '../contract/name-pattern.ts';
import { type NameRule, patternInCatalog } from '../contract/rename.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { didYouMean, lazyPattern, quote } from '../core/text.ts';
import { isDay } from '../core/time.ts';
import { complainAboutPattern } from '../core/wildcard.ts';
import { parsePattern, type Pattern } from '../patch/pattern.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { Compatibility, Level } from '../compatibility/compatibility.ts';
import { parseWidening } from '../compatibility/type.ts';

import { type Limit, limitNames, type Limits, parseLimit } from '../plan/limits.ts';
import { defaultRules, type Exception, type Rules, type Unmanaged } from '../plan/rules.ts';
import { dialectOf } from './dialect.ts';
import {
  type CompatibilitySettings,
  type ConfigFile,
  type LoadedConfig,
  unusable,
} from './file.ts';
import { writtenPatterns } from './patterns.ts';

/** What the file decides, and the defaults; `today` is a day such as `2027-01-31`. */
export function resolveRules(file: LoadedConfig, today: string): Rules {
  const { settings } = file;
  const problems: Diagnostic[] = [];
  const refuse: Refuse = (pointer, message, hint) => {
    const source = file.locate(pointer);
    problems.push({ code: 'invalid-setting', severity: 'error', message, hint, source });
  };
  const dialect = dialectOf(settings);
  const lifecycle = resolveLifecycle(settings, dialect);
  const statuses = acceptedStatuses(dialect, lifecycle);
  const { names = [] } = settings;
  const naming: Naming = { names, refuse };
  const rules: Rules = {
    equivalence: { ...defaultRules.equivalence, ignore: resolveIgnore(settings, refuse) },
    arrays: { ...defaultRules.arrays, ...settings.patch },
    lifecycle,
    compatibility: resolveCompatibility(settings.compatibility, statuses, refuse),
    exceptionsFor: indexPatterns(resolveExceptions(file, today, naming)),
    scope: resolveNames(settings.scope, ['scope'], naming),
    unmanaged: resolveUnmanaged(file, lifecycle, refuse),
    missing: settings.missing ?? defaultRules.missing,
    create: settings.create ?? defaultRules.create,
    drift: settings.drift ?? defaultRules.drift,
    conflicts: settings.conflicts ?? defaultRules.conflicts,
    protected: resolveNames(settings.protected, ['protected'], naming),
    limits: resolveLimits(settings, refuse),
    carrier: settings.openmetadata?.carrier ?? defaultRules.carrier,
    patterns: writtenPatterns(file),
    names,
    conventions: defaultRules.conventions,
  };
  if (problems.length > 0) throw unusable(problems);
  return rules;
}

/** Where none is configured, the default: it says that the catalog's own holds. */
function resolveLifecycle({ lifecycle }: ConfigFile, dialect: DialectSetting): Lifecycle {
  return lifecycle ? completeLifecycle(dialect, lifecycle) : defaultRules.lifecycle;
}

/** Notes a problem of the value at a pointer; all of them are told at once. */
type Refuse = (pointer: Pointer, message: string, hint: string) => void;

/** What becomes of names, and who takes what is wrong with a pattern. */
type Naming = { readonly names: readonly NameRule[]; readonly refuse: Refuse };

function resolveNames(texts: readonly string[] = [], at: Pointer, naming: Naming): NamePattern[] {
  return texts.map((text, index) => resolveName(text, [...at, String(index)], naming));
}

function resolveName(text: string, pointer: Pointer, { names, refuse }: Naming): NamePattern {
  const complaint = complainAboutPattern(text);
  if (complaint !== undefined) {
    refuse(
      pointer,
      `The pattern ${quote(text)} ${complaint}.`,
      'Use * for any text within a segment and ** for any number of segments, or list several patterns.',
    );
  }
  return parseNamePattern(patternInCatalog(text, names));
}

function resolveIgnore({ ignore = [] }: ConfigFile, refuse: Refuse): Pattern[] {
  return ignore.flatMap((text, index) => {
    const pattern = parsePattern(text);
    if (pattern) return [pattern];
    refuse(
      ['ignore', String(index)],
      `Invalid pointer pattern ${JSON.stringify(text)}.`,
      'Write it like /schema/*/tags: `*` matches one step, `**` any number.',
    );
    return [];
  });
}

function resolveCompatibility(
  settings: CompatibilitySettings = {},
  statuses: readonly string[],
  refuse: Refuse,
): Compatibility {
  const defaults = defaultRules.compatibility;
  const { mode = defaults.mode, widenings = [], ...levels } = settings;
  const named = new Map(statuses.map((status) => [status.toLowerCase(), status]));
  const configured = Object.entries(levels).flatMap(([key, level]): [string, Level][] => {
    const status = named.get(key.toLowerCase());
    if (status !== undefined) return [[status, level]];
    const keys = [...named.keys()];
    refuse(
      ['compatibility', key],
      `Unknown status ${JSON.stringify(key)} in \`compatibility\`.`,
      didYouMean(key, keys) ?? `The statuses are ${keys.join(', ')}.`,
    );
    return [];
  });
  return {
    ...defaults,
    mode,
    levels: new Map([...defaults.levels, ...configured]),
    widenings: [...defaults.widenings, ...widenings.map(parseWidening)],
  };
}

function resolveExceptions(
  { settings: { allow = [] }, locate }: LoadedConfig,
  today: string,
  naming: Naming,
): Exception[] {
  const { refuse } = naming;
  return allow.map(({ contract, until, ...exception }, index) => {
    const pointer = ['allow', String(index)];
    if (until !== undefined && !isDay(until)) {
      refuse([...pointer, 'until'], `Invalid day ${quote(until)}.`, 'Write it like 2027-01-31.');
    }
    if (!isReason(exception.reason)) {
      const message = `The reason ${quote(exception.reason)} says nothing.`;
      refuse([...pointer, 'reason'], message, reasonHint);
    }
    return {
      ...exception,
      pattern: resolveName(contract, [...pointer, 'contract'], naming),
      ...(until !== undefined && { until }),
      // Days in this form are in the order of their text; the last day counts.
      expired: until !== undefined && until < today,
      source: locate(pointer),
    };
  });
}

/** Of a reason, whatever it is for. */
export const reasonHint =
  'Say who agreed to it and why: `agreed with finance, DATA-812`. A reason has at least four different letters or digits, and does not start with todo, tbd or fixme.';

/** Whether a text may be a reason: no blank, no `x`, no `todo`. What it says is for people to judge. */
export function isReason(text: string): boolean {
  const signs = new Set(text.toLowerCase().match(letterOrDigit()));
  return signs.size >= 4 && !duty().test(text);
}

const letterOrDigit = lazyPattern(String.raw`[\p{L}\p{N}]`, 'gu');
const duty = lazyPattern(String.raw`^\P{L}*(?:todo|tbd|fixme)\b`, 'iu');

function resolveUnmanaged(
  { settings: { unmanaged = 'report', scope = [] }, locate }: LoadedConfig,
  { statuses }: Lifecycle,
  refuse: Refuse,
): Unmanaged {
  if (unmanaged !== 'deprecate') return { rule: unmanaged };
  const pointer = ['unmanaged'];
  if (scope.length === 0) {
    refuse(
      pointer,
      '`unmanaged: deprecate` needs `scope`, which says what is yours to deprecate.',
      'List the names that this repository owns: `scope: ["warehouse.sales.**"]`.',
    );
  }
  if (!statuses.includes(deprecated)) {
    refuse(
      pointer,
      `\`unmanaged: deprecate\` needs the status ${deprecated}, which the lifecycle doesn't have.`,
      `Add it to \`lifecycle.statuses\`, or write \`unmanaged: report\`.`,
    );
  }
  return { rule: unmanaged, source: locate(pointer) };
}

function resolveLimits({ limits = {} }: ConfigFile, refuse: Refuse): Limits {
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
