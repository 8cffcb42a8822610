import { describeToken } from '../auth/describe.ts';
import { createTokenSource } from '../auth/source.ts';
import type { TokenSource } from '../auth/token.ts';
import { createServerReader } from '../catalog/client.ts';
import { resolveConfig, type Config } from '../config/config.ts';
import { makeExamination, type Check } from '../doctor/checks.ts';
import { type DoctorInput, examine } from '../doctor/examine.ts';
import { renderCheckText } from '../report/text/problems.ts';
import { connectionOf } from '../session.ts';
import { authSeams, resolveAuth } from './auth.ts';
import type { ConnectionFlags } from './session.ts';
import { exitCode, type ExitCode, reporter, type Terminal } from './terminal.ts';

type DoctorFlags = ConnectionFlags & { readonly format: 'text' | 'json' };

/** `contract-sync doctor`: tells what stands between this machine and a plan. */
export async function runDoctor(terminal: Terminal, flags: DoctorFlags): Promise<ExitCode> {
  const { write, palettes } = terminal;
  const checks: Check[] = [];
  for await (const check of examine(() => openInput(flags, terminal))) {
    checks.push(check);
    // As they come: a host that does not answer keeps the next one waiting.
    if (flags.format === 'text') write(renderCheckText(check, palettes.write));
  }
  const examination = makeExamination(checks);
  if (flags.format === 'json') write(`${JSON.stringify(examination, null, 2)}\n`);
  return examination.errored ? exitCode.failed : exitCode.done;
}

function openInput(flags: DoctorFlags, terminal: Terminal): DoctorInput {
  const { environment, folder } = terminal;
  const config = resolveConfig(flags, environment, folder);
  const { catalogUrl, dialect, pageSize } = config;
  const { token, describe } = openAuth(flags, config, terminal);
  const { allowHttp, verbose } = flags;
  const log = reporter(terminal);
  const options = { token, allowHttp, onRetry: log, ...(verbose && { log }) };
  return {
    catalogUrl,
    dialect,
    pageSize,
    environment,
    describeToken: describe,
    server: createServerReader(connectionOf(config, options)),
    now: Date.now,
  };
}

type Auth = { readonly token: TokenSource; readonly describe: DoctorInput['describeToken'] };

/** A token that cannot be had is found out when it is asked for: its check comes later. */
function openAuth(flags: DoctorFlags, config: Config, terminal: Terminal): Auth {
  const open = () => {
    const settings = resolveAuth(flags, config, terminal);
    // What there is to warn of is said by the token's check.
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
