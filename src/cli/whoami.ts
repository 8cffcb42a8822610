import { describeToken, type TokenDescription } from '../auth/describe.ts';
import { createTokenSource } from '../auth/source.ts';
import { resolveFileConfig } from '../config/config.ts';
import { sanitizeLine } from '../core/text.ts';
import { authSeams, resolveAuth } from './auth.ts';
import { exitCode, type ExitCode } from './exit.ts';
import type { LoginFlags } from './login.ts';
import type { Terminal } from './terminal.ts';

/** `contract-sync whoami`: whose token a run would use, which way it came, and why this way. */
export async function whoami(flags: LoginFlags, terminal: Terminal): Promise<ExitCode> {
  const config = resolveFileConfig(flags, terminal.folder);
  const settings = resolveAuth(flags, config, terminal);
  const seams = authSeams(flags, terminal);
  const token = await createTokenSource(settings, seams)();
  const hasIdToken = seams.idToken !== undefined;
  terminal.write(describe(describeToken(settings, { token, hasIdToken })));
  return exitCode.done;
}

function describe(description: TokenDescription): string {
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
