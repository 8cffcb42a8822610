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

export function createLessons(): Lessons {
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
