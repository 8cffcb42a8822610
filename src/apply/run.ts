import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import { type Effects, offlineEffects } from '../core/effects.ts';
import { chooseDialect, type DialectSetting } from '../catalog/dialects/choose.ts';
import type { LiveContract } from '../contract/contract.ts';
import type { Operation } from '../patch/operation.ts';
import type { Plan, UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { createGuardMode, type GuardMode, type TestAnswer } from './guard-mode.ts';
import type { Outcome } from './outcome.ts';
import { createThrottlePatience, type ThrottlePatience, sendPatch } from './send.ts';
import { createStopRule, type StopRule } from './stop-rule.ts';
import { readStored } from './stored.ts';
import { createTagMode, type TagMode } from './tag-mode.ts';

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
  readonly onRetry?: (line: string) => void;
  readonly effects?: Partial<Pick<Effects, 'sleep' | 'random'>>;
};

/** What the changes of one run share. */
export type Run = Apply & {
  readonly effects: Pick<Effects, 'sleep' | 'random'>;
  readonly guardMode: GuardMode;
  readonly tagMode: TagMode;
  readonly stopRule: StopRule;
  readonly patience: ThrottlePatience;
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
  const shared = {
    ...options,
    effects,
    stopRule: createStopRule({ signal, maxFailures }),
    patience: createThrottlePatience(),
    tagMode: createTagMode(),
    lastRead: ending.signal,
    close: () => closing.abort(),
  };
  return { ...shared, guardMode: openGuardMode(shared) };
}

function openGuardMode(run: Omit<Run, 'guardMode'>): GuardMode {
  return createGuardMode({
    dialect: () => chooseDialect(run.dialect),
    sendTest: (change, test) => sendTest(change, test, run),
    readAgain: async (change) => readOne(change, run),
  });
}

/** Sends a `test` and nothing else: whatever becomes of it, nothing is changed by it. */
async function sendTest(
  change: UpdatePlan,
  test: Operation,
  run: Omit<Run, 'guardMode'>,
): Promise<TestAnswer> {
  const dialect = chooseDialect(run.dialect);
  while (!run.signal?.aborted) {
    const sent = await sendPatch({ id: change.id, patch: [test] }, run, dialect);
    if (sent.kind === 'answered') return 'accepted';
    if (sent.kind === 'throttled') continue;
    return sent.kind !== 'unsent' && dialect.isRefusedTest(sent.error) ? 'refused' : 'unknown';
  }
  return 'unknown';
}

async function readOne(
  change: UpdatePlan,
  run: Omit<Run, 'guardMode'>,
): Promise<LiveContract | undefined> {
  const stored = (await readStored([change], run))(change);
  return stored.kind === 'seen' ? stored.live : undefined;
}
