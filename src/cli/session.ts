import { createTokenSource } from '../auth/source.ts';
import { resolveConfig, type SettingFlags } from '../config.ts';
import { openSession, type Session } from '../session.ts';
import { authSeams, resolveAuth, type AuthFlags } from './auth.ts';
import { resolvePolicyFlags, type PolicyFlags } from './policy-flags.ts';
import type { Terminal } from './terminal.ts';

/** The flags of every command that talks to a catalog. */
export type SessionFlags = SettingFlags &
  AuthFlags &
  PolicyFlags & {
    readonly allowHttp: boolean;
  };

/** The session that the flags, the environment and the configuration file ask for. */
export function startSession(
  paths: readonly string[],
  flags: SessionFlags,
  terminal: Terminal,
): Session {
  const { environment, folder, report } = terminal;
  const config = resolveConfig(flags, environment, folder);
  const settings = resolveAuth(flags, config, terminal);
  const seams = authSeams(flags, terminal, { timeoutMs: config.timeoutMs });
  return openSession(config, {
    folder,
    paths,
    token: createTokenSource(settings, seams),
    allowHttp: flags.allowHttp,
    ...resolvePolicyFlags(flags, folder),
    ...(flags.verbose && { log: (line: string) => report(`${line}\n`) }),
  });
}
