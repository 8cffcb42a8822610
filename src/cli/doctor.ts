import { createServerReader } from '../catalog/client.ts';
import { resolveSettings } from '../config/settings.ts';
import { makeExamination, type Check } from '../doctor/checks.ts';
import { type DoctorInput, examine } from '../doctor/examine.ts';
import { renderExaminationJson } from '../report/json.ts';
import { renderCheckText } from '../report/text/problems.ts';
import { connectionOf } from '../session.ts';
import { openToken, tokenNotices } from './auth.ts';
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
  if (flags.format === 'json') write(renderExaminationJson(examination), 'json');
  return examination.errored ? exitCode.failed : exitCode.done;
}

function openInput(flags: DoctorFlags, terminal: Terminal): DoctorInput {
  const { environment, root } = terminal;
  const config = resolveSettings(flags, environment, root);
  const { catalogUrl, catalogOrigin, dialect, pageSize, timeoutMs } = config;
  // A token that cannot be had is found out by its check, which also says what there is to warn of.
  const open = () => openToken(flags, config, terminal, { timeoutMs, warn: () => undefined });
  let opened: ReturnType<typeof open> | undefined;
  const log = reporter(terminal);
  const connection = connectionOf(config, {
    token: async (rejected) => (opened ??= open()).source(rejected),
    allowHttp: flags.allowHttp,
    fetch: terminal.fetch,
    onRetry: log,
    ...(flags.verbose && { log }),
  });
  return {
    catalogUrl,
    catalogOrigin,
    ...(config.environment && {
      chosen: {
        name: config.environment.name,
        origin: flags.env === undefined ? 'CONTRACT_SYNC_ENV' : '--env',
      },
    }),
    notices: { catalog: config.notices, token: tokenNotices(flags, config, terminal) },
    dialect,
    pageSize,
    environment,
    describeToken: async () => (opened ??= open()).describe(),
    server: createServerReader(connection),
    now: Date.now,
  };
}
