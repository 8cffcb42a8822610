import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import type { Effects } from '../core/effects.ts';
import type { DialectSetting } from '../catalog/dialects/choose.ts';
import type { Plan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import type { GuardMode } from './guard.ts';
import type { Outcome } from './outcome.ts';

export type Apply = {
  readonly plan: Plan;
  /** For a second look where an answer is lost or not to be trusted. */
  readonly reader: CatalogReader;
  readonly writer: CatalogWriter;
  /** How contracts were compared when the plan was made. */
  readonly rules: Pick<Rules, 'equivalence' | 'arrays'>;
  readonly dialect: DialectSetting;
  /** How many changes may be under way at once. */
  readonly concurrency: number;
  /** Stop after this many failures; without it after 10 in a row, or when access is denied. */
  readonly maxFailures?: number;
  /** Once aborted, no patch is started and no look is taken; patches in flight end. */
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: Outcome) => void;
  /** Told while it happens that an answer was lost, and when the contract is looked at. */
  readonly onRetry?: (line: string) => void;
  readonly effects?: Partial<Pick<Effects, 'sleep' | 'random'>>;
};

/** What the changes of one run share. */
export type Run = Apply & {
  readonly effects: Pick<Effects, 'sleep' | 'random'>;
  readonly guardMode: GuardMode;
};
