import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AuthSettings, Secret } from '../auth/choose.ts';
import { type AuthEffects, completeEffects } from '../auth/token.ts';
import { githubIdToken } from '../auth/source.ts';
import { openTokenStore, readSecretFile, tokensFile, type TokenStore } from '../auth/store.ts';
import type { FileSettings } from '../config/settings.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { sanitizeLine } from '../core/text.ts';
import { withoutSecrets } from '../http/address.ts';
import { useEnvironmentProxy } from '../http/fetch.ts';
import type { Flags } from './flags.ts';
import { reportDiagnostics, reporter, type Terminal } from './terminal.ts';

/** Flags beat the environment, the environment beats the file. */
export function resolveAuth(
  flags: Flags,
  { auth }: Pick<FileSettings, 'auth'>,
  { environment, redactor, folder }: Terminal,
): AuthSettings {
  // Secret stores give an empty text where there is no secret.
  const variable = (name: string): string | undefined => environment[name] || undefined;
  const secretFrom = (file: string | undefined, flag: string, name: string): Secret | undefined => {
    const value = file === undefined ? variable(name) : readSecret(file, flag, folder);
    if (value === undefined) return undefined;
    redactor.hide(value);
    return { value, origin: file ?? name };
  };
  const { tokenFile, clientSecretFile, privateKeyFile } = flags;
  const issuer = variable('CONTRACT_SYNC_ISSUER');
  return {
    ...auth,
    issuer: flags.issuer ?? (issuer === undefined ? auth.issuer : withoutSecrets(issuer)),
    clientId: flags.clientId ?? variable('CONTRACT_SYNC_CLIENT_ID') ?? auth.clientId,
    audience: flags.audience ?? auth.audience,
    token: secretFrom(tokenFile, '--token-file', 'CONTRACT_SYNC_TOKEN'),
    clientSecret: secretFrom(
      clientSecretFile,
      '--client-secret-file',
      'CONTRACT_SYNC_CLIENT_SECRET',
    ),
    privateKey: secretFrom(privateKeyFile, '--private-key-file', 'CONTRACT_SYNC_PRIVATE_KEY'),
  };
}

/** A notice for each source of a token that another one beats. */
export function tokenNotices(
  { token, issuer }: AuthSettings,
  { tokenFile }: Flags,
  { environment }: Terminal,
): Diagnostic[] {
  if (!token) return [];
  const inVariable = environment['CONTRACT_SYNC_TOKEN'];
  const isBeaten = tokenFile !== undefined && inVariable && inVariable !== token.value;
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
  { verbose }: Flags,
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
