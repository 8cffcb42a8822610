import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import { isSince, type Product } from '../catalog/products/product.ts';
import { type Effects, offlineEffects } from '../core/effects.ts';
import type { ContractPlan, CreatePlan, Plan, UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import type { Catalog } from './delivery.ts';
import type { Outcome, OutcomeError } from './outcome.ts';
import { reasons } from './reasons.ts';
import { afterOutcome, atStart, type Course } from './stop.ts';

export type Apply = {
  readonly plan: Plan;
  readonly reader: CatalogReader;
  readonly writer: CatalogWriter;
  readonly rules: Pick<Rules, 'equivalence' | 'arrays' | 'sections'>;
  readonly product: Product;
  /** Of the server, where it is known. */
  readonly release?: string | undefined;
  readonly concurrency: number;
  /** By default 10 in a row, or denied access. */
  readonly maxFailures?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly askCaller?: (() => Promise<string | undefined>) | undefined;
  readonly onOutcome?: (outcome: Outcome) => void;
  readonly onAnswer?: (change: UpdatePlan) => void;
  readonly onRetry?: ((line: string) => void) | undefined;
  readonly effects?: Partial<Omit<Effects, 'fetch'>>;
};

export type Run = Apply & {
  readonly effects: Omit<Effects, 'fetch'>;
  guards: Catalog['guards'];
  /** Whether a patch without its guard was taken. */
  hasGoneBare: boolean;
  /** For `If-Match`: as this program computes them, or as a read right before gives them. */
  tags: 'computed' | 'read' | 'none';
  course: Course;
  readonly lastRead: AbortSignal;
  readonly outcomes: ReadonlyMap<ContractPlan, Outcome>;
  readonly report: (change: UpdatePlan | CreatePlan, outcome: Outcome) => void;
  readonly close: () => void;
};

// Milliseconds: GitHub's runner kills a process 7.5 seconds after it asks it to stop.
const lastReadTakes = 5000;

export function openRun(options: Apply): Run {
  const { signal } = options;
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
  const outcomes = new Map<ContractPlan, Outcome>();
  const { product } = options;
  let { session } = product;
  const run: Run = {
    ...options,
    effects,
    guards: 'unknown',
    hasGoneBare: false,
    tags: tagsOf(product, options.release),
    course: atStart,
    lastRead: ending.signal,
    outcomes,
    report: (change, outcome) => {
      const { result, versionBefore, versionAfter } = outcome;
      const isMerged = result === 'applied' && Number(versionAfter) <= Number(versionBefore);
      const noted = session && isMerged ? { ...outcome, note: session.note } : outcome;
      // The first such outcome alone has the note.
      if (noted !== outcome) session = undefined;
      outcomes.set(change, noted);
      run.course = afterOutcome(run.course, noted, options.maxFailures);
      options.onOutcome?.(noted);
    },
    close: () => closing.abort(),
  };
  return run;
}

function tagsOf({ tags }: Product, release: string | undefined): Run['tags'] {
  if (!tags) return 'none';
  return isSince(release, tags.otherwiseSince) ? 'read' : 'computed';
}

export function stopReason({ signal, course }: Run): OutcomeError | undefined {
  return signal?.aborted ? reasons.notAttempted : course.stop;
}
