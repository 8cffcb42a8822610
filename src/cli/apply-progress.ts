import type { Apply } from '../apply/run.ts';
import { contractLabel } from '../contract/identity.ts';
import { sanitizeLine } from '../core/text.ts';
import { plannedChanges, type Plan } from '../plan/plan.ts';
import { outcomeLines } from '../report/outcomes.ts';
import { signOf } from '../report/blocks.ts';
import { type Pacing, startProgress, type Terminal } from './terminal.ts';

/** A catalog's yes doesn't prove that a change is stored: a last read does. */
export function followApply(
  plan: Plan,
  terminal: Pick<Terminal, 'report' | 'live' | 'layouts'>,
  pacing: Partial<Pacing> = {},
) {
  let total: number | undefined = plannedChanges(plan).length;
  const { palette } = terminal.layouts.report;
  const done = new Set<string>();
  let progress = startProgress('Applying', terminal, pacing);
  const goOn = (activity: string): void => {
    progress.end();
    progress = startProgress(activity, terminal, pacing);
  };
  const finish = (label: string, lines: readonly string[]): void => {
    const isNew = !done.has(label);
    done.add(label);
    if (isNew) progress.advance(done.size, total);
    progress.note(lines);
    if (isNew && done.size === total) goOn('Checking what the catalog stores');
  };
  const told: Required<Pick<Apply, 'onAnswer' | 'onOutcome'>> = {
    onAnswer: (change) => {
      const label = contractLabel(change);
      const name = palette.strong(sanitizeLine(label));
      finish(label, [`${signOf('good', palette)} ${name}  accepted`]);
    },
    onOutcome: (outcome) => {
      const label = contractLabel(outcome);
      if (outcome.result === 'skipped') return;
      const isGood = outcome.result === 'applied' || outcome.result === 'unchanged';
      const isTold = isGood && outcome.note === undefined && done.has(label);
      finish(label, isTold ? [] : outcomeLines(outcome, terminal.layouts.report));
    },
  };
  const interrupt = (): void => {
    total = undefined;
    goOn('Ending what is under way');
  };
  return { told, interrupt, end: () => progress.end() };
}
