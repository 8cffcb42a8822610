/** How a run gets to its catalog: secrets and logins; `login`, `logout`, and `doctor`, which checks all of it. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { logIn, logOut } from '../auth/login.ts';
import {
  type AuthEffects,
  type AuthSettings,
  clientOf,
  completeEffects,
  type Secret,
  type TokenSource,
} from '../auth/token.ts';
import { createTokenSource, describeToken, githubIdToken } from '../auth/source.ts';
import { openTokenStore, readSecretFile, tokensFile } from '../auth/store.ts';
import { createServerReader } from '../catalog/client.ts';
import {
  type FileSettings,
  resolveFileSettings,
  resolveSettings,
  type Settings,
  variableName,
} from '../config/settings.ts';
import { validateFiles } from '../commands/validate.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { sanitizeLine } from '../core/text.ts';
import { UnfitFileError } from '../disk.ts';
import { type Check, type DoctorInput, examine, makeExamination } from '../doctor/examine.ts';
import { withoutSecrets } from '../http/address.ts';
import { useEnvironmentProxy } from '../http/fetch.ts';
import { signOf } from '../report/blocks.ts';
import { renderExaminationJson } from '../report/json.ts';
import { connectionOf } from '../session.ts';
import type { Flags } from './flags.ts';
import { exitCode, type ExitCode, reporter, type Terminal } from './terminal.ts';

export function resolveAuth(
  flags: Flags,
  { auth, environment: chosen }: FileSettings,
  { environment, redactor, folder }: Terminal,
): AuthSettings {
  // That of the environment first. Secret stores give an empty text where there is no secret.
  const suffix = variableName('', chosen?.name);
  const variable = (name: string): Secret | undefined => {
    for (const origin of [`${name}${suffix}`, name]) {
      const value = environment[origin];
      if (value) return { value, origin };
    }
    return undefined;
  };
  const { tokenFile } = flags;
  const token =
    tokenFile === undefined
      ? variable('CONTRACT_SYNC_TOKEN')
      : { value: readSecret(tokenFile, folder), origin: tokenFile };
  const clientSecret = variable('CONTRACT_SYNC_CLIENT_SECRET');
  const privateKey = variable('CONTRACT_SYNC_PRIVATE_KEY');
  for (const secret of [token, clientSecret, privateKey]) if (secret) redactor.hide(secret.value);
  const issuer = variable('CONTRACT_SYNC_ISSUER');
  return {
    ...auth,
    issuer: issuer ? withoutSecrets(issuer.value) : auth.issuer,
    clientId: variable('CONTRACT_SYNC_CLIENT_ID')?.value ?? auth.clientId,
    token,
    clientSecret,
    privateKey,
  };
}

/** Every command that uses the network calls this, so it also sets the environment's proxy. */
export function authEffects(
  { verbose }: Flags,
  terminal: Terminal,
  given: Partial<AuthEffects> = {},
): AuthEffects {
  const { redactor, report, environment } = terminal;
  useEnvironmentProxy(environment);
  const effects = completeEffects({
    fetch: terminal.fetch,
    redactor,
    tell: reporter(terminal),
    ...(verbose && { log: (line: string) => report(`${sanitizeLine(line)}\n`) }),
    ...given,
  });
  return { ...effects, idToken: githubIdToken(environment, effects) };
}

export function loginsOf({ environment }: Terminal) {
  return openTokenStore(tokensFile(environment));
}

export function readSecret(name: string, folder: string): string {
  const file = resolve(folder, name);
  try {
    return readSecretFile(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (existsSync(file)) {
      const reason = error instanceof UnfitFileError ? ` ${error.message}` : '';
      throw new ConfigError('unreadable-file', `Can't read the file ${file}.${reason}`, {
        hint: 'Check the path given with --token-file and its permissions.',
        cause: error,
      });
    }
    // Neither the name nor the cause, which quotes it, is shown: it may be the secret itself.
    throw new ConfigError('unreadable-file', "The file given with --token-file doesn't exist.", {
      hint: 'Correct the path. If it was the secret itself, replace the secret: others can read flags.',
    });
  }
}

export async function runLogin(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const { client, effects } = openLogin(terminal, flags);
  const signal = terminal.interruption();
  try {
    await logIn(
      client,
      effects,
      // RFC 8628 §3.3.1: the code is shown beside the address that has it, to be compared.
      ({ verification_uri: plain, verification_uri_complete: address = plain, ...begun }) =>
        terminal.report(`To log in, open ${address} in a browser
and enter or compare the code ${begun.user_code} within ${Math.ceil(begun.expires_in / 60)} min. Waiting …
`),
      signal,
    );
  } catch (error) {
    if (signal.aborted) return exitCode.interrupted;
    throw error;
  }
  terminal.report(`Logged in at ${client.issuer}. The login is kept in ${effects.store.file}.\n`);
  return exitCode.done;
}

function openLogin(terminal: Terminal, flags: Flags) {
  const config = resolveFileSettings(flags, terminal.environment, terminal.root);
  const client = clientOf(resolveAuth(flags, config, terminal));
  return { client, effects: { ...authEffects(flags, terminal), store: loginsOf(terminal) } };
}

export async function runLogout(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const { client, effects } = openLogin(terminal, flags);
  const done = await logOut(client, effects);
  const words = done
    ? `Logged out. ${done.remains ?? 'The issuer revoked the tokens.'}`
    : 'You were not logged in.';
  terminal.report(`${words} (client ${client.clientId} at ${client.issuer})\n`);
  return exitCode.done;
}

export async function runDoctor(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const { write, layouts } = terminal;
  const checks: Check[] = [];
  const release = terminal.endWith(() => reporter(terminal)('Interrupted.'));
  for await (const check of examine(() => openInput(flags, terminal))) {
    checks.push(check);
    if (flags.format !== 'text') continue;
    const { subject, verdict, message, hint } = check;
    const sign = signOf(verdict === 'bad' ? 'error' : verdict, layouts.write.palette);
    write(`${sign} ${subject.padEnd(margin - 2)}${sanitizeLine(message)}\n`);
    if (hint !== undefined) write(`${' '.repeat(margin)}${sanitizeLine(hint)}\n`);
  }
  release();
  const examination = makeExamination(checks);
  if (flags.format === 'json') write(renderExaminationJson(examination), 'json');
  return examination.errored ? exitCode.failed : exitCode.done;
}

const margin = '✓ permissions '.length;

function openInput(flags: Flags, terminal: Terminal): DoctorInput {
  const { environment, root } = terminal;
  const config = resolveSettings(flags, environment, root);
  const auth = resolveAuth(flags, config, terminal);
  return {
    ...config,
    ...serverAt(config, auth, flags, terminal),
    statuses: config.rules.lifecycle.statuses,
    chosen: config.environment && {
      name: config.environment.name,
      origin: flags.env === undefined ? 'CONTRACT_SYNC_ENV' : '--env',
    },
    notices: config.notices,
    environment,
    validate: () => {
      const { config: named, env } = flags;
      const files = { folder: root, givenIn: root, paths: [] };
      return validateFiles(files, { config: named, env, environment });
    },
    now: Date.now,
  };
}

/** The first request fails if no token can be had. */
export function serverAt(config: Settings, auth: AuthSettings, flags: Flags, terminal: Terminal) {
  const log = reporter(terminal);
  const { timeoutMs } = config;
  const given = { timeoutMs, store: loginsOf(terminal) };
  let effects: AuthEffects | undefined;
  let source: TokenSource | undefined;
  const open = () => {
    effects ??= authEffects(flags, terminal, given);
    source ??= createTokenSource(auth, effects);
    return { source, hasIdToken: effects.idToken !== undefined };
  };
  const connection = connectionOf(config, {
    token: async (rejected) => open().source(rejected),
    allowHttp: flags.allowHttp,
    fetch: terminal.fetch,
    onRetry: log,
    log: flags.verbose ? log : undefined,
  });
  return {
    server: createServerReader(connection),
    describeToken: async () => {
      const opened = open();
      return describeToken(auth, opened.hasIdToken, await opened.source());
    },
  };
}
