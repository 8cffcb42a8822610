import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import { isSince, type Product } from '../catalog/products/product.ts';
import { type Effects, offlineEffects } from '../core/effects.ts';
import type { ContractPlan, CreatePlan, Plan, UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import type { Outcome, OutcomeError } from './outcome.ts';
import { reasons } from './reasons.ts';

export type Apply = {
  readonly plan: Plan;
  readonly reader: CatalogReader;
  readonly writer: CatalogWriter;
  readonly rules: Pick<Rules, 'equivalence' | 'arrays' | 'sections'>;
  readonly product: Product;
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
  readonly lessons: Lessons;
  readonly stopRule: ReturnType<typeof createStopRule>;
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
  const lessons = createLessons();
  const { tags } = options.product;
  const { release } = options.plan.dialect ?? {};
  if (tags && isSince(release, tags.otherwiseSince)) lessons.note('tag-otherwise');
  const endSoon = (): void => {
    effects.sleep(lastReadTakes, closing.signal).then(
      () => ending.abort(),
      () => undefined,
    );
  };
  if (signal?.aborted) endSoon();
  signal?.addEventListener('abort', endSoon, { once: true, signal: closing.signal });
  const stopRule = createStopRule(options);
  const outcomes = new Map<ContractPlan, Outcome>();
  let { session } = options.product;
  return {
    ...options,
    effects,
    lessons,
    stopRule,
    lastRead: ending.signal,
    outcomes,
    report: (change, outcome) => {
      const { result, versionBefore, versionAfter } = outcome;
      const isMerged = result === 'applied' && Number(versionAfter) <= Number(versionBefore);
      const noted = session && isMerged ? { ...outcome, note: session.note } : outcome;
      // The first such outcome alone has the note.
      if (noted !== outcome) session = undefined;
      outcomes.set(change, noted);
      stopRule.note(noted);
      options.onOutcome?.(noted);
    },
    close: () => closing.abort(),
  };
}

export type Lesson =
  | 'guarded-accepted'
  | 'bare-accepted'
  | 'true-test-refused'
  | 'false-test-refused'
  | 'trial-accepted'
  /** The server makes other tags than those of this program. */
  | 'tag-otherwise'
  /** The server refused a tag that it had given, of a contract that has not moved. */
  | 'tag-refused';

/** How the catalog treats `test` operations and tags; each run learns anew. */
export type Lessons = ReturnType<typeof createLessons>;

const enough = 3;

function createLessons() {
  const times = new Map<Lesson, number>();
  const seen = (lesson: Lesson): number => times.get(lesson) ?? 0;
  const mayBeRefused = (): boolean => seen('guarded-accepted') === 0;
  return {
    note: (lesson: Lesson): void => {
      times.set(lesson, seen(lesson) + 1);
    },
    guards: (): 'usable' | 'refused' | 'ignored' => {
      if (seen('trial-accepted') > 0) return 'ignored';
      return mayBeRefused() && seen('bare-accepted') > 0 ? 'refused' : 'usable';
    },
    /** A patch whose guard fails never lands, whenever it arrives. */
    areHeeded: (): boolean => seen('false-test-refused') >= enough,
    mayBeRefused,
    areDoubted: (): boolean => mayBeRefused() && seen('true-test-refused') >= enough,
    /** `computed`, or as the answer to a read right before gave them. */
    tags: (): 'computed' | 'given' | 'refused' => {
      if (seen('tag-refused') > 0) return 'refused';
      return seen('tag-otherwise') > 0 ? 'given' : 'computed';
    },
  };
}

// After so many failures in a row the contracts are hardly at fault.
const longestRow = 10;

function createStopRule({ signal, maxFailures }: Apply) {
  let failures = 0;
  let failuresInRow = 0;
  let open = 0;
  let openInRow = 0;
  // Doubled after each read that finds no harm: a stale plan takes few reads.
  let longestOpenRow = longestRow;
  let failuresAtRead = 0;
  let stop: OutcomeError | undefined;

  function note({ result, error }: Outcome): void {
    const scope = error?.scope;
    if (result === 'skipped') return;
    const isFailure = result === 'failed' || result === 'unverified';
    failures += Number(isFailure);
    failuresInRow = isFailure ? failuresInRow + Number(scope !== 'contract') : 0;
    if (maxFailures !== undefined) {
      if (failures >= maxFailures) stop ??= stopped(`after ${failures} failures`);
    } else if (scope === 'run') {
      stop ??= stopped('because the catalog denies access');
    } else if (failuresInRow >= longestRow) {
      stop ??= stopped(`after ${failuresInRow} failures in a row`);
    }
  }

  function noteSent(isAnswered: boolean): void {
    open += Number(!isAnswered);
    openInRow = isAnswered ? 0 : openInRow + 1;
    if (isAnswered) failuresInRow = 0;
  }

  function noteRead(toSendAgain: number): void {
    const wasHarmless = toSendAgain === 0 && failures === failuresAtRead;
    if (wasHarmless && openInRow >= longestOpenRow) longestOpenRow *= 2;
    failuresAtRead = failures;
    open = 0;
    openInRow = 0;
  }

  const reason = () => (signal?.aborted ? reasons.notAttempted : stop);
  const isPatient = () =>
    maxFailures === undefined
      ? failuresInRow + openInRow < longestOpenRow
      : failures + open < maxFailures;
  return { reason, note, noteSent, noteRead, mayGoOn: () => !reason() && isPatient() };
}

function stopped(why: string): OutcomeError {
  return {
    code: 'stopped-early',
    message: `Not attempted: the run stopped ${why}.`,
    hint: 'Fix the cause and apply again.',
  };
}
