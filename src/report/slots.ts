import type { Outcomes } from '../apply/outcome.ts';
import { reword, type Slots } from '../core/advice.ts';
import type { ContractPlan, Plan } from '../plan/plan.ts';

// Of settings, which have the same names for all but the command line.
const settings: Slots = {
  concurrency: '`catalog.concurrency`',
  'conflicts: overwrite': '`conflicts: overwrite`',
  create: '`create: true`',
  'drift: leave': '`drift: leave`',
  'drift: overwrite': '`drift: overwrite`',
  'or-create': '',
  'page-size': '`catalog.pageSize`',
  timeout: '`catalog.timeoutSeconds`',
  'timeout-throttled': '`catalog.timeoutThrottledSeconds`',
};

export function rewordBy(own: Slots) {
  const slots: Slots = { ...settings, ...own };
  const problem = <Each extends object>(each: Each): Each => reword(each, slots);
  return {
    slots,
    problem,
    plan: (plan: Plan): Plan => ({
      ...plan,
      contracts: plan.contracts.map((contract): ContractPlan =>
        contract.action === 'unmanaged'
          ? contract
          : { ...contract, problems: contract.problems.map(problem) },
      ),
      diagnostics: plan.diagnostics.map(problem),
    }),
    outcomes: (applied: Outcomes): Outcomes => ({
      ...applied,
      diagnostics: applied.diagnostics.map(problem),
      outcomes: applied.outcomes.map((each) => ({
        ...each,
        error: each.error && problem(each.error),
      })),
    }),
  };
}
