import { clientOf } from '../auth/settings.ts';
import { logIn, logOut } from '../auth/login.ts';
import { resolveFileSettings } from '../config/settings.ts';
import { authEffects, loginsOf, resolveAuth } from './session.ts';
import type { Flags } from './flags.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

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
  const result = await logOut(client, effects, flags.local === true);
  const remains = 'remains' in result ? result.remains : '';
  const words = {
    none: 'You were not logged in.',
    revoked: 'Logged out; the issuer revoked the tokens.',
    forgotten: `Logged out here. The issuer can't revoke tokens: ${remains}.`,
    local: `Logged out here only; the issuer wasn't told: ${remains}.`,
  }[result.kind];
  terminal.report(`${words} (client ${client.clientId} at ${client.issuer})\n`);
  return exitCode.done;
}
