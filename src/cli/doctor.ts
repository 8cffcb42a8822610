import { createTokenSource, describeToken } from '../auth/source.ts';
import { createServerReader } from '../catalog/client.ts';
import { resolveSettings } from '../config/settings.ts';
import { sanitizeLine } from '../core/text.ts';
import { type Check, type DoctorInput, examine, makeExamination } from '../doctor/examine.ts';
import { renderExaminationJson } from '../report/json.ts';
import { signOf } from '../report/blocks.ts';
import { wrapWords } from '../report/text-contract.ts';
import { connectionOf } from '../session.ts';
import { authEffects, loginsOf, resolveAuth, tokenNotices } from './session.ts';
import type { Flags } from './flags.ts';
import { exitCode, type ExitCode, reporter, type Terminal } from './terminal.ts';

export async function runDoctor(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const { write, layouts } = terminal;
  const checks: Check[] = [];
  const release = terminal.endWith(() => reporter(terminal)('Interrupted.'));
  for await (const check of examine(() => openInput(flags, terminal))) {
    checks.push(check);
    if (flags.format !== 'text') continue;
    const { subject, verdict, message, hint } = check;
    const { palette, width } = layouts.write;
    const sign = signOf(verdict === 'bad' ? 'error' : verdict, palette);
    const lines = [
      `${sign} ${subject.padEnd(margin - 2)}${sanitizeLine(message)}`,
      ...(hint === undefined ? [] : [' '.repeat(margin) + sanitizeLine(hint)]),
    ];
    for (const line of lines) write(`${wrapWords(line, width, margin).join('\n')}\n`);
  }
  release();
  const examination = makeExamination(checks);
  if (flags.format === 'json') write(renderExaminationJson(examination), 'json');
  return examination.errored ? exitCode.failed : exitCode.done;
}

const margin = '✓ permissions '.length;

function openInput(flags: Flags, terminal: Terminal): DoctorInput {
  const { environment, root } = terminal;
  const config = resolveSettings(flags, environment, root);
  const auth = resolveAuth(flags, config, terminal);
  const open = () => {
    const effects = authEffects(flags, terminal, {
      timeoutMs: config.timeoutMs,
      warn: () => undefined,
      store: loginsOf(terminal),
    });
    return { source: createTokenSource(auth, effects), hasIdToken: effects.idToken !== undefined };
  };
  let opened: ReturnType<typeof open> | undefined;
  const log = reporter(terminal);
  const connection = connectionOf(config, {
    token: async (rejected) => (opened ??= open()).source(rejected),
    allowHttp: flags.allowHttp,
    fetch: terminal.fetch,
    onRetry: log,
    log: flags.verbose ? log : undefined,
  });
  return {
    ...config,
    statuses: config.rules.lifecycle.statuses,
    chosen: config.environment && {
      name: config.environment.name,
      origin: flags.env === undefined ? 'CONTRACT_SYNC_ENV' : '--env',
    },
    notices: { catalog: config.notices, token: tokenNotices(auth, flags, terminal) },
    environment,
    describeToken: async () => {
      const { source, hasIdToken } = (opened ??= open());
      return describeToken(auth, hasIdToken, await source());
    },
    server: createServerReader(connection),
    now: Date.now,
  };
}
