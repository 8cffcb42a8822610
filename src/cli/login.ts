import { clientOf } from '../auth/choose.ts';
import type { TokenDescription } from '../auth/source.ts';
import { type DevicePrompt, logIn, logOut, type LogoutResult } from '../auth/login.ts';
import { findCatalogUrl, resolveFileConfig, type SettingFlags } from '../config/config.ts';
import { sanitizeLine } from '../core/text.ts';
import { type AuthFlags, authEffects, openToken, resolveAuth } from './auth.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

type LoginFlags = AuthFlags & SettingFlags;

/** `contract-sync login`: lets a person log in with a browser, on whatever device it is. */
export async function runLogin(terminal: Terminal, flags: LoginFlags): Promise<ExitCode> {
  const client = resolveClient(terminal, flags);
  const effects = authEffects(flags, terminal);
  const show = (prompt: DevicePrompt): void => terminal.report(invitation(prompt));
  const signal = terminal.interruption();
  try {
    await logIn(client, effects, show, signal);
  } catch (error) {
    if (signal.aborted) return exitCode.interrupted;
    throw error;
  }
  terminal.report(`Logged in at ${client.issuer}. The login is kept in ${effects.store.file}.\n`);
  return exitCode.done;
}

function resolveClient(terminal: Terminal, flags: LoginFlags) {
  const config = resolveFileConfig(flags, terminal.environment, terminal.root);
  return clientOf(resolveAuth(flags, config, terminal));
}

/** RFC 8628 §3.3.1: the code is shown beside the address that has it, to be compared. */
function invitation({ address, completeAddress, code, seconds }: DevicePrompt): string {
  const minutes = Math.ceil(seconds / 60);
  return `To log in, open ${completeAddress ?? address} in a browser
and enter or compare the code ${code} within ${minutes} min. Waiting …
`;
}

type LogoutFlags = LoginFlags & { readonly local: boolean };

/** `contract-sync logout`: forgets the login of a person, here and at the issuer. */
export async function runLogout(terminal: Terminal, flags: LogoutFlags): Promise<ExitCode> {
  const client = resolveClient(terminal, flags);
  const result = await logOut(client, authEffects(flags, terminal), flags.local);
  terminal.report(`${wordsFor(result)} (client ${client.clientId} at ${client.issuer})\n`);
  return exitCode.done;
}

function wordsFor(result: LogoutResult): string {
  switch (result.kind) {
    case 'none':
      return 'You were not logged in.';
    case 'revoked':
      return 'Logged out; the issuer revoked the tokens.';
    case 'forgotten':
      return `Logged out here. The issuer can't revoke tokens: ${result.remains}.`;
    case 'local':
      return `Logged out here only; the issuer wasn't told: ${result.remains}.`;
  }
}

/** `contract-sync whoami`: whose token a run would use, which way it came, and why this way. */
export async function runWhoami(terminal: Terminal, flags: LoginFlags): Promise<ExitCode> {
  const { environment, root } = terminal;
  const config = resolveFileConfig(flags, environment, root);
  const catalogUrl = findCatalogUrl(flags, environment, root);
  terminal.write(format(await openToken(flags, config, terminal).describe(), catalogUrl));
  return exitCode.done;
}

/** Whom the token is for stands beside the catalog: `localhost` is not `127.0.0.1`. */
function format(description: TokenDescription, catalogUrl: string | undefined): string {
  const { method, reason, issuer, clientId, subject, expiresAt, issuedBy, audience } = description;
  const target = [issuedBy && `by ${issuedBy}`, audience && `for ${audience}`].filter(Boolean);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['subject', subject ?? 'unknown: the token is opaque, or names none'],
    ['method', `${method}, because ${reason}`],
    ['issuer', issuer],
    ['client', clientId],
    ['expires', expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()],
    ['token', target.length > 0 ? target.join(', ') : undefined],
    ['catalog', target.length > 0 ? catalogUrl : undefined],
  ];
  return rows
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${`${name}:`.padEnd(9)}${sanitizeLine(value)}\n`],
    )
    .join('');
}
