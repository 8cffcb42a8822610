/** The environment that a run is for: what it says beats what the configuration says for all. */

import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { ChosenEnvironment } from '../plan/plan.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { ConfigFile, EnvironmentFile, LoadedConfig } from './file.ts';

/** The configuration as it is for one environment; without a name, as it is for all. */
export type SelectedConfig = LoadedConfig & { readonly environment?: ChosenEnvironment };

/** Sections that an environment repeats are taken key by key, lists and single values whole. */
export function selectEnvironment(file: LoadedConfig, name: string | undefined): SelectedConfig {
  const { environments = {}, ...common } = file.settings;
  if (name === undefined) return file;
  const own = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (!own) throw unknownEnvironment(name, Object.keys(environments));
  const isProtected = own.protected === true;
  const settings = withoutFlag(own);
  return {
    settings: merge(common, settings),
    locate: (pointer) =>
      file.locate(isIn(settings, pointer) ? ['environments', name, ...pointer] : pointer),
    environment: { name, isProtected },
  };
}

/** A variable that is set to nothing is more likely a slip than a wish for no environment. */
export function emptyChoice(file: SelectedConfig, variable: string | undefined): Diagnostic[] {
  const known = Object.keys(file.settings.environments ?? {});
  if (variable !== '' || file.environment || known.length === 0) return [];
  return [
    {
      code: 'environment-empty',
      severity: 'warning',
      message: 'CONTRACT_SYNC_ENV is empty, so no environment is chosen.',
      hint: `Set it to one of ${known.join(', ')}, or unset it.`,
    },
  ];
}

/** `protected: true` or `false` is about the environment itself, a list about contracts. */
function withoutFlag({ protected: isProtected, ...settings }: EnvironmentFile): ConfigFile {
  return typeof isProtected === 'boolean' || isProtected === undefined
    ? settings
    : { ...settings, protected: isProtected };
}

function merge(common: ConfigFile, own: ConfigFile): ConfigFile {
  const sections: Readonly<Record<string, unknown>> = common;
  const merged = Object.entries(own).map(([key, value]): [string, unknown] => {
    const before = sections[key];
    return [key, isSection(before) && isSection(value) ? Object.assign({}, before, value) : value];
  });
  return { ...common, ...Object.fromEntries(merged) };
}

function isSection(value: unknown): value is object {
  return value instanceof Object && !Array.isArray(value);
}

/** Whether an environment itself says what stands at a place of the merged configuration. */
function isIn(settings: ConfigFile, [key = '', inner]: Pointer): boolean {
  const sections: Readonly<Record<string, unknown>> = settings;
  const section = sections[key];
  if (section === undefined) return false;
  return inner === undefined || !isSection(section) || Object.hasOwn(section, inner);
}

function unknownEnvironment(name: string, known: readonly string[]): ConfigError {
  const message = `Unknown environment ${quote(name)}.`;
  const list =
    known.length === 0
      ? 'Define it under `environments`, or remove --env and CONTRACT_SYNC_ENV.'
      : `The environments are ${known.join(', ')}.`;
  return new ConfigError('unknown-environment', message, { hint: didYouMean(name, known) ?? list });
}
