/** Rewords hints about flags for readers without a command line. */

import type { Outcomes } from '../apply/outcome.ts';
import type { ContractPlan, Plan } from '../plan/plan.ts';

export type Vocabulary = {
  readonly hints: Readonly<Record<string, string>>;
  readonly phrases: readonly (readonly [flagged: string, plain: string])[];
  readonly settings: Readonly<Record<string, string>>;
};

type Said = {
  readonly code: string;
  readonly message?: string;
  readonly hint?: string | undefined;
};

export type Rewording = {
  readonly problem: <Each extends Said>(said: Each) => Each;
  readonly plan: (plan: Plan) => Plan;
  readonly outcomes: (outcomes: Outcomes) => Outcomes;
};

export function rewordBy(vocabulary: Vocabulary): Rewording {
  const { hints, settings } = vocabulary;
  const problem: Rewording['problem'] = (said) => {
    const own = Object.hasOwn(hints, said.code) ? hints[said.code] : undefined;
    const hint = own ?? (said.hint && withoutFlags(said.hint, vocabulary));
    // Only at the start: further on, a message may quote the user.
    const message = said.message?.replace(/^--[a-z-]+/u, (flag) => settings[flag] ?? flag);
    return {
      ...said,
      ...(message !== undefined && { message }),
      ...(hint !== undefined && { hint }),
    };
  };
  return {
    problem,
    plan: (plan) => ({
      ...plan,
      contracts: plan.contracts.map((contract): ContractPlan =>
        contract.action === 'unmanaged'
          ? contract
          : { ...contract, problems: contract.problems.map(problem) },
      ),
      diagnostics: plan.diagnostics.map(problem),
    }),
    outcomes: (applied) => ({
      ...applied,
      outcomes: applied.outcomes.map((each) => ({
        ...each,
        error: each.error && problem(each.error),
      })),
    }),
  };
}

// Quotations, code, and commands for a terminal to their end.
const verbatim = /("[^"]*"|`[^`]*`|\bcontract-sync [a-z](?:(?!\.(?:\s|$))[^,;()])*)/u;

function withoutFlags(hint: string, { phrases, settings }: Vocabulary): string {
  const inOtherWords = (text: string): string =>
    phrases
      .reduce((said, [flagged, plain]) => said.replace(flagged, plain), text)
      .replaceAll(/--(drift|conflicts) (\w+)/gu, '`$1: $2`')
      .replaceAll(/--[a-z][a-z-]*/gu, (flag) => settings[flag] ?? flag);
  const parts = hint.split(verbatim);
  return parts.map((part, index) => (index % 2 === 0 ? inOtherWords(part) : part)).join('');
}
