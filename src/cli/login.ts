import { clientOf } from '../auth/settings.ts';
import { type DevicePrompt, logIn, logOut, type LogoutResult } from '../auth/login.ts';
import { resolveFileSettings } from '../config/settings.ts';
import { authEffects, loginsOf, resolveAuth } from './session.ts';
import type { Flags } from './flags.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

export async function runLogin(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const client = resolveClient(terminal, flags);
  const effects = { ...authEffects(flags, terminal), store: loginsOf(terminal) };
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

function resolveClient(terminal: Terminal, flags: Flags) {
  const config = resolveFileSettings(flags, terminal.environment, terminal.root);
  return clientOf(resolveAuth(flags, config, terminal));
}

// RFC 8628 §3.3.1: the code is shown beside the address that has it, to be compared.
function invitation({ address, completeAddress, code, seconds }: DevicePrompt): string {
  const minutes = Math.ceil(seconds / 60);
  return `To log in, open ${completeAddress ?? address} in a browser
and enter or compare the code ${code} within ${minutes} min. Waiting …
`;
}

export async function runLogout(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const client = resolveClient(terminal, flags);
  const effects = { ...authEffects(flags, terminal), store: loginsOf(terminal) };
  const result = await logOut(client, effects, flags.local === true);
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
