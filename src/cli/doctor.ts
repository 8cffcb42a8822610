import { createTokenSource, describeToken } from '../auth/source.ts';
import type { TokenSource } from '../auth/token.ts';
import { createSampler } from '../catalog/client.ts';
import { resolveConfig, type Config } from '../config/config.ts';
import { examine, type Patient } from '../doctor/examine.ts';
import { makeExamination, type Check } from '../doctor/checks.ts';
import { renderCheckText } from '../report/text/problems.ts';
import { connectionOf } from '../session.ts';
import { authSeams, resolveAuth } from './auth.ts';
import { exitCode, type ExitCode } from './exit.ts';
import { reporter, type ConnectionFlags } from './session.ts';
import type { Terminal } from './terminal.ts';

export type DoctorFlags = ConnectionFlags & { readonly format: 'text' | 'json' };

/** `contract-sync doctor`: tells what stands between this machine and a plan. */
export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<ExitCode> {
  const { write, palettes } = terminal;
  const checks: Check[] = [];
  for await (const check of examine(() => openPatient(flags, terminal))) {
    checks.push(check);
    // As they come: a host that does not answer keeps the next one waiting.
    if (flags.format === 'text') write(renderCheckText(check, palettes.write));
  }
  const examination = makeExamination(checks);
  if (flags.format === 'json') write(`${JSON.stringify(examination, null, 2)}\n`);
  return examination.errored ? exitCode.failed : exitCode.done;
}

function openPatient(flags: DoctorFlags, terminal: Terminal): Patient {
  const { environment, folder } = terminal;
  const config = resolveConfig(flags, environment, folder);
  const auth = openAuth(flags, config, terminal);
  const log = reporter(terminal);
  const connection = connectionOf(config, {
    token: auth.token,
    allowHttp: flags.allowHttp,
    onRetry: log,
    ...(flags.verbose && { log }),
  });
  return {
    catalogUrl: config.catalogUrl,
    dialect: config.dialect,
    pageSize: config.pageSize,
    environment,
    describeToken: auth.describe,
    sampler: createSampler(connection),
    now: Date.now,
  };
}

type Auth = { readonly token: TokenSource; readonly describe: Patient['describeToken'] };

/** A token that cannot be had is found out when it is asked for: its check comes later. */
function openAuth(flags: DoctorFlags, config: Config, terminal: Terminal): Auth {
  const open = () => {
    const settings = resolveAuth(flags, config, terminal);
    // What the seams would warn of is told by the token's check.
    const { timeoutMs } = config;
    const seams = authSeams(flags, terminal, { timeoutMs, warn: () => undefined });
    const hasIdToken = seams.idToken !== undefined;
    return { settings, hasIdToken, source: createTokenSource(settings, seams) };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    token: async (rejected) => (opened ??= open()).source(rejected),
    describe: async () => {
      const { settings, hasIdToken, source } = (opened ??= open());
      return describeToken(settings, { token: await source(), hasIdToken });
    },
  };
}
