import type { Comparison } from '../review/compare.ts';
import type { Outcomes } from '../apply/outcome.ts';
import type { Plan } from '../plan/plan.ts';
import type { Validation } from '../files/files.ts';
import type { CommentHeader } from './comment-header.ts';
import type { PullRequest } from './event.ts';
import type { Failure } from './failure.ts';

/** What a command came to. */
export type StepResult = {
  /** Absent where the step is to be green. */
  readonly failure?: Failure;
} & (
  | { readonly kind: 'plan'; readonly plan: Plan; readonly comparison?: Comparison }
  | {
      readonly kind: 'apply';
      readonly plan: Plan;
      readonly outcomes: Outcomes;
      readonly comparison?: Comparison;
      /** The pull request that was merged, if one was. */
      readonly pull?: PullRequest;
      /** Its comment's header, which later runs rely on. */
      readonly approved?: CommentHeader;
    }
  | {
      readonly kind: 'validation';
      readonly validation: Validation;
      /** Why no plan was made, where one was asked for. */
      readonly notice?: string;
    }
);
