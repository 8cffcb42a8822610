import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import { isContractFault } from '../catalog/products/product.ts';
import type { DialectSetting } from '../catalog/products/products.ts';
import { type Effects, offlineEffects } from '../core/effects.ts';
import type { Plan, UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import type { Outcome, OutcomeError } from './outcome.ts';
import { reasons } from './reasons.ts';

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

/** What an answer, held against what a read showed before or after it, tells of the catalog. */
export type Lesson =
  /** A patch with its guard was answered with yes. */
  | 'guarded-accepted'
  /** One without a guard was, though the same one with its guard had been refused. */
  | 'bare-accepted'
  /** A patch was refused although its guard held. */
  | 'true-test-refused'
  /** A patch was refused whose guard did not hold. */
  | 'false-test-refused'
  /** A patch was answered with yes whose guard did not hold. */
  | 'false-test-accepted'
  /** The tag of a contract that had not moved was refused: other releases make other tags. */
  | 'tag-refused';

/** What a run has learnt of how the catalog treats `test` operations and tags; each learns anew. */
export type Lessons = {
  readonly note: (lesson: Lesson) => void;
  /** What to think of guards: that the catalog may heed them, refuses every one, or ignores them. */
  readonly guards: () => 'usable' | 'refused' | 'ignored';
  /** Whether a patch whose guard fails is sure not to land, whenever it arrives. */
  readonly areHeeded: () => boolean;
  /** Whether refusals of guards that hold leave it open that the catalog refuses them all. */
  readonly mayBeRefused: () => boolean;
  /** Whether those are enough to send a patch that was refused so without its guard. */
  readonly areDoubted: () => boolean;
  readonly areTagsTrusted: () => boolean;
};

/** One answer may be an accident, and so may two. */
const enough = 3;

function createLessons(): Lessons {
  const times = new Map<Lesson, number>();
  const seen = (lesson: Lesson): number => times.get(lesson) ?? 0;
  const mayBeRefused = (): boolean => seen('guarded-accepted') === 0;
  return {
    note: (lesson) => times.set(lesson, seen(lesson) + 1),
    guards: () => {
      if (seen('false-test-accepted') > 0) return 'ignored';
      return mayBeRefused() && seen('bare-accepted') > 0 ? 'refused' : 'usable';
    },
    areHeeded: () => seen('false-test-refused') >= enough,
    mayBeRefused,
    areDoubted: () => mayBeRefused() && seen('true-test-refused') >= enough,
    areTagsTrusted: () => seen('tag-refused') === 0,
  };
}

/** Decides whether a run may go on to its next change. */
type StopRule = {
  /** Why the run ends, or undefined where it goes on. */
  readonly reason: () => OutcomeError | undefined;
  readonly note: (outcome: Outcome) => void;
  /** A change was sent; whether the catalog said yes. If not, it takes a read to know more. */
  readonly noteSent: (isAnswered: boolean) => void;
  /** Whether another change may be sent before a read tells what became of the open ones. */
  readonly mayGoOn: () => boolean;
  /** A read has told what became of those; some may have to be sent again. */
  readonly noteRead: (toSendAgain: number) => void;
};

type StopRuleOptions = {
  readonly signal: AbortSignal | undefined;
  readonly maxFailures: number | undefined;
};

/** So many failures one after the other, and the fault is hardly the contracts'. */
const longestRow = 10;

/** Without one of these permissions every further change would fail as well. */
const deniedCodes: ReadonlySet<string> = new Set(['unauthorized', 'forbidden']);

/** A count that the user gives replaces both of our own reasons to stop. */
function createStopRule({ signal, maxFailures }: StopRuleOptions): StopRule {
  let failures = 0;
  let failuresInRow = 0;
  let open = 0;
  let openInRow = 0;
  // Twice as long after each read that finds no harm: a plan that has grown old takes few reads.
  let longestOpenRow = longestRow;
  let failuresAtRead = 0;
  let stop: OutcomeError | undefined;

  function note(outcome: Outcome): void {
    const { result, error } = outcome;
    if (result === 'skipped') return;
    const isFailure = result === 'failed' || result === 'unverified';
    failures += Number(isFailure);
    failuresInRow = isFailure ? failuresInRow + Number(!isItsOwn(outcome)) : 0;
    if (maxFailures !== undefined) {
      if (failures >= maxFailures) stop ??= stopped(`after ${failures} failures`);
    } else if (error && deniedCodes.has(error.code)) {
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
    hint: 'Fix the cause and apply again, or raise --max-failures.',
  };
}

/** A contract that is wrong in itself says nothing of the others. */
function isItsOwn({ error }: Outcome): boolean {
  return error !== null && isContractFault(error.code);
}
