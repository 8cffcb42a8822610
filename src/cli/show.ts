import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Outcomes } from '../apply/outcome.ts';
import { nameFrom } from '../config/file.ts';
import { ConfigError, type Diagnostic } from '../core/diagnostic.ts';
import { redactTexts } from '../core/redact.ts';
import { FolderError, isDevice, LinkError, placeOfOutput, writeOutput } from '../disk.ts';
import { whyUnwritable } from '../files/text.ts';
import { type Plan, renamePlaces } from '../plan/plan.ts';
import { renderOutcomesJson, outcomeCases } from '../report/json.ts';
import { comparisonBlock } from '../report/lists.ts';
import { outcomesPage, renderOutcomesText } from '../report/outcomes.ts';
import { renderPlanText } from '../report/plan.ts';
import { renderText } from '../report/text.ts';
import type { Comparison } from '../review/compare.ts';
import type { Flags } from './flags.ts';
import { print, reportDiagnostics, type Terminal } from './terminal.ts';

export function showPlan(
  plan: Plan,
  { format, all, quiet, verbose, next }: Flags & { readonly next?: string },
  terminal: Terminal,
): void {
  const channel = format !== 'text' || plan.planHash === undefined ? 'report' : 'write';
  const { folder, root } = terminal;
  const seen = folder === root ? plan : renamePlaces(plan, nameFrom(folder, root));
  const text = renderPlanText(seen, {
    ...terminal.layouts[channel],
    verbose,
    detail: quiet ? 'totals' : all ? 'all' : 'changes',
    more: '--all',
    now: Date.now(),
    next,
  });
  terminal[channel](text);
}

export function showComparison(
  comparison: Comparison,
  { format }: Flags,
  terminal: Terminal,
): void {
  const channel = format === 'text' ? 'write' : 'report';
  const text = renderText({ blocks: [comparisonBlock(comparison)] }, terminal.layouts[channel]);
  terminal[channel](`\n${text}`);
}

export type ApplyResult = {
  readonly plan?: Plan;
  readonly outcomes: Outcomes;
  readonly verdict?: readonly Diagnostic[];
};

export async function showOutcomes(
  { outcomes: original, plan, verdict }: ApplyResult,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const { redactor } = terminal;
  // Secrets are hidden first: escaped, one would no longer look like itself.
  const outcomes = redactTexts(original, redactor);
  const problems = verdict ?? outcomes.diagnostics;
  if (flags.format !== 'json' && problems.length > 0) reportDiagnostics(problems, terminal);
  if (flags.format === 'text' && outcomes.outcomes.length === 0) return;
  const options = terminal.layouts.write;
  await print(flags, terminal, {
    text: () => `\n${renderOutcomesText(outcomes, options)}`,
    json: () => renderOutcomesJson(outcomes),
    cases: () => outcomeCases(outcomes),
    ...(plan && { page: (view) => outcomesPage(redactTexts(plan, redactor), outcomes, view) }),
  });
}

/** A stream takes a report once, at its end; a file has the newest. */
export type Output = (text: string, state?: 'partial') => void;

/**
 * Checked before the run, which must be able to report what it did. No link may lead out of the
 * named folder, nor out of the run's folder where the name stays in it.
 */
export function openOutput(
  flag: '--out' | '--report',
  name: string | undefined,
  { folder, redactor }: Terminal,
): Output | undefined {
  if (name === undefined) return undefined;
  const path = resolve(folder, name);
  const failed = `${flag === '--out' ? 'The plan' : 'The report'} can't be written to ${path}`;
  if (/\.ya?ml$/iu.test(path) && existsSync(path)) {
    const hint = `Name a JSON file with ${flag}.`;
    throw new ConfigError('unwritable-file', `${failed}: it may be a contract file.`, { hint });
  }
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      if (cause instanceof LinkError) {
        const message = `${failed}: a symbolic link leads out of the folder.`;
        const hint = `Remove the link, or name the file that it leads to with ${flag}.`;
        throw new ConfigError('link-outside-root', message, { hint });
      }
      const reason = cause instanceof FolderError ? 'it is a folder' : whyUnwritable(cause);
      const why = reason === undefined ? '' : `: ${reason}`;
      const hint = `Name a file with ${flag} that can be written to: check its folder, its permissions and the space on its disk.`;
      throw new ConfigError('unwritable-file', `${failed}${why}.`, { hint, cause });
    }
  };
  attempt(() => placeOfOutput(path, folder));
  return (text, state) => {
    if (state === 'partial' && isDevice(path)) return;
    attempt(() => writeOutput(path, folder, redactor.redact(text)));
  };
}
