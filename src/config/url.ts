/** Which catalog a run is for, and who says so. */

import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { withoutSecrets } from '../http/address.ts';
import type { SelectedConfig } from './environment.ts';

/** All that may name the catalog, what counts first. */
type Sources = {
  readonly flag: string | undefined;
  /** What the flag is called, or what stands in its place. */
  readonly flagName: string;
  readonly variable: string | undefined;
  readonly file: SelectedConfig;
};

export type CatalogChoice = {
  readonly catalogUrl: string;
  /** Who says so: a flag, a variable or a key of the configuration. */
  readonly catalogOrigin: string;
  /** What was given twice, and from where it was taken. */
  readonly notices: readonly Diagnostic[];
};

/** The catalog's URL, and a word on each source that names another one. */
export function resolveUrl(sources: Sources): CatalogChoice {
  const { flag, flagName, variable, file } = sources;
  const given = [
    { origin: flagName, text: flag },
    { origin: 'CONTRACT_SYNC_URL', text: variable },
    { origin: '`catalog.url`', text: file.settings.catalog?.url },
  ].flatMap(({ origin, text }) => (text ? [{ origin, text: withoutSecrets(text) }] : []));
  const [used, ...others] = given;
  if (!used) throw noUrl(file);
  const catalogUrl = plainUrl(used.text);
  if (catalogUrl === undefined) throw invalidUrl(used.text);
  const differing = others.filter(({ text }) => plainUrl(text) !== catalogUrl);
  const notices = differing.map((other) => overridden(used, other, sources));
  return { catalogUrl, catalogOrigin: originOf(used, file), notices };
}

function plainUrl(text: string): string | undefined {
  return URL.parse(text)?.href.replace(/(?<!\/)\/+$/u, '');
}

type Source = { readonly origin: string; readonly text: string };

/** A flag is meant; a variable may be left from other work, and an environment has its own catalog. */
function overridden(used: Source, other: Source, { flagName, file }: Sources): Diagnostic {
  const { environment, locate } = file;
  const isInFile = other.origin === '`catalog.url`';
  const isMeant = used.origin === flagName && !(isInFile && environment);
  return {
    code: 'catalog-url-overridden',
    severity: isMeant ? 'information' : 'warning',
    message: `This run uses ${used.origin} (${used.text}), not ${originOf(other, file)} (${other.text}).`,
    hint: `If ${other.text} is meant, remove ${used.origin}.`,
    ...(isInFile && { source: locate(['catalog', 'url']) }),
  };
}

function originOf(
  { origin }: Source,
  { environment }: Pick<SelectedConfig, 'environment'>,
): string {
  const isOfOne = environment !== undefined && origin === '`catalog.url`';
  return isOfOne ? `${origin} of environment ${environment.name}` : origin;
}

function noUrl({ environment, settings }: SelectedConfig): ConfigError {
  const known = Object.keys(settings.environments ?? {});
  const where = environment ? `environments.${environment.name}.catalog.url` : 'catalog.url';
  const hint =
    known.length > 0
      ? `Choose an environment with --env: ${known.join(', ')}.`
      : `Pass --catalog-url, set CONTRACT_SYNC_URL, or write ${where} in contract-sync.yaml.`;
  return new ConfigError('no-catalog-url', 'The catalog URL is not set.', { hint });
}

function invalidUrl(text: string): ConfigError {
  return new ConfigError('invalid-catalog-url', `Invalid catalog URL ${JSON.stringify(text)}.`, {
    hint: 'Write it like https://catalog.example.com/api.',
  });
}
