import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AuthSettings, Secret } from '../auth/choose.ts';
import { type AuthEffects, completeEffects } from '../auth/effects.ts';
import { githubIdToken } from '../auth/github.ts';
import { createTokenSource, describeToken, type TokenDescription } from '../auth/source.ts';
import { openTokenStore, readSecretFile, tokensFile, type TokenStore } from '../auth/store.ts';
import type { TokenSource } from '../auth/token.ts';
import type { FileSettings } from '../config/settings.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { sanitizeLine } from '../core/text.ts';
import { withoutSecrets } from '../http/address.ts';
import { useEnvironmentProxy } from '../http/fetch.ts';
import { reportDiagnostics, reporter, type Terminal } from './terminal.ts';

/** The flags that say where tokens come from. Secrets are in files: the process list shows flags. */
export type AuthFlags = {
  readonly tokenFile?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly audience?: string;
  readonly clientSecretFile?: string;
  readonly privateKeyFile?: string;
  readonly verbose: boolean;
};

/** Flags beat the environment, the environment beats the file. */
export function resolveAuth(
  flags: AuthFlags,
  { auth }: Pick<FileSettings, 'auth'>,
  terminal: Terminal,
): AuthSettings {
  const settings = {
    ...auth,
    issuer: flags.issuer ?? issuerVariable(terminal) ?? auth.issuer,
    clientId: flags.clientId ?? variable('CONTRACT_SYNC_CLIENT_ID', terminal) ?? auth.clientId,
    audience: flags.audience ?? auth.audience,
    token: secretFrom(flags.tokenFile, '--token-file', 'CONTRACT_SYNC_TOKEN', terminal),
    clientSecret: secretFrom(
      flags.clientSecretFile,
      '--client-secret-file',
      'CONTRACT_SYNC_CLIENT_SECRET',
      terminal,
    ),
    privateKey: secretFrom(
      flags.privateKeyFile,
      '--private-key-file',
      'CONTRACT_SYNC_PRIVATE_KEY',
      terminal,
    ),
  };
  return withoutUndefined(settings);
}

/** A word on each source of a token that another one beats. */
export function tokenNotices(
  flags: AuthFlags,
  config: Pick<FileSettings, 'auth'>,
  terminal: Terminal,
): Diagnostic[] {
  const { token, issuer } = resolveAuth(flags, config, terminal);
  const inVariable = variable('CONTRACT_SYNC_TOKEN', terminal);
  if (!token) return [];
  const isBeaten = flags.tokenFile !== undefined && inVariable && inVariable !== token.value;
  return [
    ...(isBeaten ? ['CONTRACT_SYNC_TOKEN'] : []),
    ...(issuer === undefined ? [] : [`the issuer ${issuer}`]),
  ].map((other) => ({
    code: 'token-overridden',
    severity: 'information',
    message: `The token comes from ${token.origin}, not from ${other}.`,
    hint: `To use the other, remove ${token.origin}.`,
  }));
}

/**
 * What getting a token needs of the process: its terminal, its environment, its user's home. The
 * way to every command that uses the network, so it also sets the proxy of the environment.
 */
export function authEffects(
  { verbose }: Pick<AuthFlags, 'verbose'>,
  terminal: Terminal,
  given: Partial<AuthEffects> = {},
): AuthEffects & { readonly store: TokenStore } {
  const { redactor, report, environment } = terminal;
  useEnvironmentProxy(environment);
  const effects = completeEffects({
    fetch: terminal.fetch,
    redactor,
    warn: (diagnostic) => reportDiagnostics([diagnostic], terminal),
    tell: reporter(terminal),
    ...(verbose && { log: (line: string) => report(`${sanitizeLine(line)}\n`) }),
    ...given,
  });
  const idToken = githubIdToken(environment, effects);
  const store = openTokenStore(tokensFile(environment));
  return { ...effects, ...(idToken && { idToken }), store };
}

/** The token of a run, and whose it is; neither is asked for before it is wanted. */
type RunToken = {
  readonly source: TokenSource;
  readonly describe: () => Promise<TokenDescription>;
};

/** The token that the flags, the environment and the configuration file ask for. */
export function openToken(
  flags: AuthFlags,
  config: Pick<FileSettings, 'auth'>,
  terminal: Terminal,
  given: Partial<AuthEffects> = {},
): RunToken {
  const settings = resolveAuth(flags, config, terminal);
  const effects = authEffects(flags, terminal, given);
  const source = createTokenSource(settings, effects);
  const hasIdToken = effects.idToken !== undefined;
  const describe = async () => describeToken(settings, { token: await source(), hasIdToken });
  return { source, describe };
}

function issuerVariable(terminal: Terminal): string | undefined {
  const issuer = variable('CONTRACT_SYNC_ISSUER', terminal);
  return issuer === undefined ? undefined : withoutSecrets(issuer);
}

/** Secret stores give an empty text where there is no secret. */
function variable(name: string, { environment }: Terminal): string | undefined {
  return environment[name] || undefined;
}

function secretFrom(
  file: string | undefined,
  flag: string,
  name: string,
  terminal: Terminal,
): Secret | undefined {
  const value =
    file === undefined ? variable(name, terminal) : readSecret(file, flag, terminal.folder);
  if (value === undefined) return undefined;
  terminal.redactor.hide(value);
  return { value, origin: file === undefined ? name : file };
}

/** The text of the file that a flag names; only its owner may be able to read it. */
export function readSecret(name: string, flag: string, folder: string): string {
  const file = resolve(folder, name);
  try {
    return readSecretFile(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw existsSync(file) ? unreadableSecret(file, flag, error) : noSecretFile(flag);
  }
}

function unreadableSecret(file: string, flag: string, cause: unknown): ConfigError {
  return new ConfigError('unreadable-secret', `Can't read the file ${file}.`, {
    hint: `Check the path given with ${flag} and its permissions.`,
    cause,
  });
}

/** Neither the name nor the cause, which quotes it, is shown: it may be the secret itself. */
function noSecretFile(flag: string): ConfigError {
  return new ConfigError('unreadable-secret', `The file given with ${flag} doesn't exist.`, {
    hint: 'Correct the path. If it was the secret itself, replace the secret: others can read flags.',
  });
}

/** A setting that is not there is absent, as the types have it. */
function withoutUndefined(settings: {
  readonly [name in keyof AuthSettings]: AuthSettings[name] | undefined;
}): AuthSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
