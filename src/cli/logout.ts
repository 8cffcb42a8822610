import { clientOf } from '../auth/choose.ts';
import { logOut } from '../auth/login.ts';
import { resolveFileConfig } from '../config/config.ts';
import { authSeams, resolveAuth } from './auth.ts';
import { exitCode, type ExitCode } from './exit.ts';
import type { LoginFlags } from './login.ts';
import type { Terminal } from './terminal.ts';

/** `contract-sync logout`: forgets the login of a person, here and at the issuer. */
export async function logout(flags: LoginFlags, terminal: Terminal): Promise<ExitCode> {
  const config = resolveFileConfig(flags, terminal.folder);
  const client = clientOf(resolveAuth(flags, config, terminal));
  const result = await logOut(client, authSeams(flags, terminal));
  terminal.report(`${words[result]} (client ${client.clientId} at ${client.issuer})\n`);
  return exitCode.done;
}

const words = {
  none: 'There was no login.',
  revoked: 'Logged out, and the issuer has forgotten the tokens.',
  forgotten: 'Logged out here. The issuer cannot revoke tokens: they end by themselves.',
} as const;
