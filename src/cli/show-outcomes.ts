import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import type { Outcomes } from '../apply/outcome.ts';
import type { Plan } from '../plan/plan.ts';
import { renderOutcomesMarkdown } from '../report/markdown/outcomes.ts';
import { renderOutcomesJson } from '../report/json.ts';
import { renderOutcomesText } from '../report/text/outcomes.ts';
import type { PrintFlags } from './print.ts';
import { reportDiagnostics, type Terminal } from './terminal.ts';

type ShowFlags = Pick<PrintFlags, 'format'> & { readonly verbose: boolean };

/** What an apply came to; without a plan nothing was applied, and the diagnostics say why. */
export type Result = { readonly plan?: Plan; readonly outcomes: Outcomes };

export function showOutcomes(result: Result, flags: ShowFlags, terminal: Terminal): void {
  const { outcomes, plan } = result;
  if (flags.format !== 'json' && outcomes.diagnostics.length > 0) {
    reportDiagnostics(outcomes.diagnostics, terminal);
  }
  switch (flags.format) {
    case 'json':
      return terminal.write(renderOutcomesJson(outcomes, flags));
    case 'markdown':
      if (!plan) return;
      return terminal.write(renderOutcomesMarkdown(plan, outcomes, { budget: Infinity }));
    case 'text':
      if (outcomes.outcomes.length === 0) return;
      return terminal.write(
        `\n${renderOutcomesText(outcomes, { palette: terminal.palettes.write, verbose: flags.verbose })}`,
      );
  }
}

/** The same document as `--format json` prints. */
export function writeReport(
  file: string,
  outcomes: Outcomes,
  { verbose }: ShowFlags,
  { folder, redactor }: Terminal,
): void {
  try {
    const text = redactor.redact(renderOutcomesJson(outcomes, { verbose }));
    writeFileSync(resolve(folder, file), text);
  } catch (error) {
    throw new ConfigError('unwritable-file', `The report cannot be written to ${file}.`, {
      hint: 'Name a file in a folder that exists and may be written to with --report.',
      cause: error,
    });
  }
}
