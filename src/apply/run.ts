import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import { type Effects, offlineEffects } from '../core/effects.ts';
import type { DialectSetting } from '../catalog/products/products.ts';
import type { Plan, UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { createLessons, type Lessons } from './lessons.ts';
import type { Outcome } from './outcome.ts';
import { createStopRule, type StopRule } from './stop-rule.ts';

export type Apply = {
  readonly plan: Plan;
  /** For the read of what is stored in the end, and wherever no answer says yes. */
  readonly reader: CatalogReader;
  readonly writer: CatalogWriter;
  /** How contracts were compared when the plan was made. */
  readonly rules: Pick<Rules, 'equivalence' | 'arrays'>;
  readonly dialect: DialectSetting;
  /** How many changes may be under way at once. */
  readonly concurrency: number;
  /** Stop after this many failures; without it after 10 in a row, or when access is denied. */
  readonly maxFailures?: number;
  /** Once aborted, no patch is started; patches in flight end, and one short read tells of them. */
  readonly signal?: AbortSignal;
  /** Told once it is final what became of a change. */
  readonly onOutcome?: (outcome: Outcome) => void;
  /** Told while it happens that the catalog has said yes; whether it has stored it comes later. */
  readonly onAnswer?: (change: UpdatePlan) => void;
  /** Told while it happens that answers were lost, and when the contracts are looked at. */
  readonly onRetry?: ((line: string) => void) | undefined;
  readonly effects?: Partial<Pick<Effects, 'sleep' | 'random'>>;
};

/** What the changes of one run share. */
export type Run = Apply & {
  readonly effects: Pick<Effects, 'sleep' | 'random'>;
  readonly lessons: Lessons;
  readonly stopRule: StopRule;
  /** Ends every read of what is stored, some seconds after an interruption. */
  readonly lastRead: AbortSignal;
  readonly close: () => void;
};

/** Milliseconds: a runner that tells a process to stop kills it soon, GitHub's after 7.5 seconds. */
const lastReadTakes = 5000;

/** Begins a run, in which nothing is known yet of how the catalog behaves. */
export function openRun(options: Apply): Run {
  const { signal, maxFailures } = options;
  const effects = { ...offlineEffects, ...options.effects };
  const ending = new AbortController();
  const closing = new AbortController();
  const endSoon = (): void => {
    effects.sleep(lastReadTakes, closing.signal).then(
      () => ending.abort(),
      () => undefined,
    );
  };
  if (signal?.aborted) endSoon();
  signal?.addEventListener('abort', endSoon, { once: true, signal: closing.signal });
  return {
    ...options,
    effects,
    lessons: createLessons(),
    stopRule: createStopRule({ signal, maxFailures }),
    lastRead: ending.signal,
    close: () => closing.abort(),
  };
}
