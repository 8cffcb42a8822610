import { clientOf } from '../auth/choose.ts';
import type { TokenDescription } from '../auth/source.ts';
import { type DevicePrompt, logIn, logOut } from '../auth/login.ts';
import { resolveFileConfig, type SettingFlags } from '../config/config.ts';
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
  const config = resolveFileConfig(flags, terminal.environment, terminal.folder);
  return clientOf(resolveAuth(flags, config, terminal));
}

/** RFC 8628 §3.3.1: the code is shown beside the address that has it, to be compared. */
function invitation({ address, completeAddress, code, seconds }: DevicePrompt): string {
  const minutes = Math.ceil(seconds / 60);
  return `To log in, open ${completeAddress ?? address} in a browser
and enter or compare the code ${code} within ${minutes} min. Waiting …
`;
}

/** `contract-sync logout`: forgets the login of a person, here and at the issuer. */
export async function runLogout(terminal: Terminal, flags: LoginFlags): Promise<ExitCode> {
  const client = resolveClient(terminal, flags);
  const result = await logOut(client, authEffects(flags, terminal));
  terminal.report(`${words[result]} (client ${client.clientId} at ${client.issuer})\n`);
  return exitCode.done;
}

const words = {
  none: 'There was no login.',
  revoked: 'Logged out, and the issuer has forgotten the tokens.',
  forgotten: 'Logged out here. The issuer cannot revoke tokens: they end by themselves.',
} as const;

/** `contract-sync whoami`: whose token a run would use, which way it came, and why this way. */
export async function runWhoami(terminal: Terminal, flags: LoginFlags): Promise<ExitCode> {
  const config = resolveFileConfig(flags, terminal.environment, terminal.folder);
  terminal.write(format(await openToken(flags, config, terminal).describe()));
  return exitCode.done;
}

function format(description: TokenDescription): string {
  const { method, reason, issuer, clientId, subject, expiresAt } = description;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['subject', subject ?? 'unknown: the token is opaque, or names none'],
    ['method', `${method}, because ${reason}`],
    ['issuer', issuer],
    ['client', clientId],
    ['expires', expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()],
  ];
  return rows
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${`${name}:`.padEnd(9)}${sanitizeLine(value)}\n`],
    )
    .join('');
}
