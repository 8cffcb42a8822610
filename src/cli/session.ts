import { createTokenSource } from '../auth/source.ts';
import { resolveConfig, type SettingFlags } from '../config/config.ts';
import { sanitizeLine } from '../core/text.ts';
import { openSession, type Session } from '../session.ts';
import { authSeams, resolveAuth, type AuthFlags } from './auth.ts';
import { resolvePolicyFlags, type PolicyFlags } from './policy-flags.ts';
import { eraseLine } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** The flags of every command that talks to a catalog. */
export type ConnectionFlags = SettingFlags & AuthFlags & { readonly allowHttp: boolean };

export type SessionFlags = ConnectionFlags & PolicyFlags;

/** The session that the flags, the environment and the configuration file ask for. */
export function startSession(
  paths: readonly string[],
  flags: SessionFlags,
  terminal: Terminal,
): Session {
  const { environment, folder } = terminal;
  const log = reporter(terminal);
  const config = resolveConfig(flags, environment, folder);
  const settings = resolveAuth(flags, config, terminal);
  const seams = authSeams(flags, terminal, { timeoutMs: config.timeoutMs });
  return openSession(config, {
    folder,
    paths,
    token: createTokenSource(settings, seams),
    allowHttp: flags.allowHttp,
    ...resolvePolicyFlags(flags, folder),
    onRetry: log,
    ...(flags.verbose && { log }),
  });
}

/** Lines on standard error; a progress that stands there makes way. */
export function reporter({ report, live }: Terminal): (line: string) => void {
  return (line) => report(`${live ? eraseLine : ''}${sanitizeLine(line)}\n`);
}
