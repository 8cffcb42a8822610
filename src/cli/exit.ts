import { allLanded, type Outcomes } from '../plan/outcome.ts';
import type { Plan } from '../plan/plan.ts';

/** Exit codes, as Terraform has them; 130 is a shell's 128 + SIGINT. */
export const exitCode = { done: 0, failed: 1, changes: 2, interrupted: 130 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Takes what a command ends with. */
export type Finish = (code: ExitCode) => void;

export function exitCodeOfPlan(plan: Plan, detailed: boolean): ExitCode {
  if (plan.errored) return exitCode.failed;
  return detailed && plan.summary.update > 0 ? exitCode.changes : exitCode.done;
}

export function exitCodeOfOutcomes(outcomes: Outcomes, interrupted: boolean): ExitCode {
  if (interrupted) return exitCode.interrupted;
  return allLanded(outcomes) ? exitCode.done : exitCode.failed;
}
