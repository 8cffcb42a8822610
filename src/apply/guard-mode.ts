import type { Dialect } from '../catalog/dialects/dialect.ts';
import { retryPolicy } from '../catalog/retry.ts';
import type { LiveContract } from '../contract/contract.ts';
import type { Operation } from '../patch/operation.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { hasSameState, stateTests } from './guard.ts';

/** Whether a patch carries its guard; where the catalog heeds no `test`, a read goes ahead of it. */
export type SendMode = 'guarded' | 'bare';

/** What became of a `test` that was sent alone; `unknown`: nothing can be told from it. */
export type TestAnswer = 'accepted' | 'refused' | 'unknown';

/** What a run learns about how the catalog treats `test` operations. */
export type GuardMode = {
  readonly current: () => SendMode;
  /** A guarded patch was answered with yes. */
  readonly noteAccepted: () => void;
  /**
   * Whether a patch whose guard fails is sure not to land: then a guarded patch can be sent again
   * whatever became of it. The catalog is asked with a `test` that is false.
   */
  readonly isProven: (change: UpdatePlan) => Promise<boolean>;
  /**
   * Whether the catalog takes a `test` that is true. Three refusals, and a read which shows that it
   * was true all the time, make the run send without guards.
   */
  readonly takesTests: (change: UpdatePlan, live: LiveContract) => Promise<TestAnswer>;
};

/** What asking takes. */
export type GuardQuestions = {
  readonly dialect: (change: UpdatePlan) => Dialect;
  readonly sendTest: (change: UpdatePlan, test: Operation) => Promise<TestAnswer>;
  readonly readAgain: (change: UpdatePlan) => Promise<LiveContract | undefined>;
};

/** A run's knowledge of the catalog's guards, shared by all its changes; each run learns anew. */
export function createGuardMode({ dialect, sendTest, readAgain }: GuardQuestions): GuardMode {
  let trueTests: TestAnswer = 'unknown';
  let falseTests: TestAnswer = 'unknown';
  const askFalsely = shareAnswer(async (change: UpdatePlan) => {
    falseTests = await askThrice(() => sendTest(change, falseTest));
    return falseTests;
  });
  const askTruly = shareAnswer(async (change: UpdatePlan, live: LiveContract) => {
    const [test] = stateTests(live, dialect(change));
    if (!test) return 'unknown';
    const answer = await askThrice(() => sendTest(change, test), 'accepted');
    const wasTrue =
      answer !== 'refused' || isUnmoved(live, await readAgain(change), dialect(change));
    trueTests = wasTrue ? answer : 'unknown';
    return trueTests;
  });
  return {
    current: () => (trueTests === 'refused' || falseTests === 'accepted' ? 'bare' : 'guarded'),
    noteAccepted: () => {
      trueTests = 'accepted';
    },
    isProven: async (change) => (await askFalsely(change)) === 'refused',
    takesTests: async (change, live) =>
      trueTests === 'unknown' ? askTruly(change, live) : trueTests,
  };
}

/** No time of the epoch: a test that fails on every contract. */
const falseTest: Operation = { op: 'test', path: '/updatedAt', value: -1 };

function isUnmoved(
  before: LiveContract,
  after: LiveContract | undefined,
  dialect: Dialect,
): boolean {
  return after !== undefined && hasSameState(before, after, dialect);
}

/** One answer may be an accident, and so may two. `credible` is one to be on the safe side with. */
const timesAsked = 3;

async function askThrice(
  ask: () => Promise<TestAnswer>,
  credible?: TestAnswer,
): Promise<TestAnswer> {
  const first = await ask();
  if (first === 'unknown' || first === credible) return first;
  for (let asked = 1; asked < timesAsked; asked += 1) {
    if ((await ask()) !== first) return 'unknown';
  }
  return first;
}

/** Where nothing comes of a question it is asked again, so many times in a run. */
const mostQuestions = retryPolicy.attempts;

/** All who want to know at the same time share one answer, and those who come later a clear one. */
function shareAnswer<Subject extends readonly unknown[]>(
  ask: (...subject: Subject) => Promise<TestAnswer>,
): (...subject: Subject) => Promise<TestAnswer> {
  let shared: Promise<TestAnswer> | undefined;
  let questions = 0;
  return async (...subject) => {
    if (!shared) {
      questions += 1;
      shared = ask(...subject);
    }
    const mine = shared;
    const answer = await mine;
    if (answer === 'unknown' && shared === mine && questions < mostQuestions) shared = undefined;
    return answer;
  };
}
