import { clientOf } from '../auth/choose.ts';
import { logIn, type DevicePrompt } from '../auth/login.ts';
import { resolveFileConfig, type SettingFlags } from '../config/config.ts';
import { authSeams, resolveAuth, type AuthFlags } from './auth.ts';
import { exitCode, type ExitCode } from './exit.ts';
import type { Terminal } from './terminal.ts';

export type LoginFlags = AuthFlags & SettingFlags;

/** `contract-sync login`: lets a person log in with a browser, on whatever device it is. */
export async function login(flags: LoginFlags, terminal: Terminal): Promise<ExitCode> {
  const config = resolveFileConfig(flags, terminal.folder);
  const client = clientOf(resolveAuth(flags, config, terminal));
  const seams = authSeams(flags, terminal);
  const show = (prompt: DevicePrompt): void => terminal.report(invitation(prompt));
  const signal = terminal.interruption();
  try {
    await logIn(client, seams, show, signal);
  } catch (error) {
    if (signal.aborted) return exitCode.interrupted;
    throw error;
  }
  terminal.report(`Logged in at ${client.issuer}. The login is kept in ${seams.store.file}.\n`);
  return exitCode.done;
}

/** RFC 8628 §3.3.1: the code is shown beside the address that has it, to be compared. */
function invitation({ address, completeAddress, code, seconds }: DevicePrompt): string {
  const minutes = Math.ceil(seconds / 60);
  return `To log in, open ${completeAddress ?? address} in a browser
and enter or compare the code ${code} within ${minutes} min. Waiting …
`;
}
