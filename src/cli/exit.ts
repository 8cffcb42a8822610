import { allLanded, type Outcomes } from '../apply/outcome.ts';
import type { Plan } from '../plan/plan.ts';

/** Exit codes, as Terraform has them; a shell's 128 + SIGINT (2) and 128 + SIGTERM (15). */
export const exitCode = {
  done: 0,
  failed: 1,
  changes: 2,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Takes what a command ends with. */
export type Finish = (code: ExitCode) => void;

export function exitCodeOfPlan(plan: Plan, detailed: boolean): ExitCode {
  if (plan.errored) return exitCode.failed;
  return detailed && plan.summary.update > 0 ? exitCode.changes : exitCode.done;
}

export function exitCodeOfOutcomes(outcomes: Outcomes, { aborted, reason }: AbortSignal): ExitCode {
  if (aborted) return reason === 'SIGTERM' ? exitCode.terminated : exitCode.interrupted;
  return allLanded(outcomes) ? exitCode.done : exitCode.failed;
}
