/** Hints speak of flags: who has no command line reads them in words of its own. */

import type { Outcome, Outcomes } from '../apply/outcome.ts';
import type { ContractPlan, Plan } from '../plan/plan.ts';

/** What to say in place of flags. */
export type Vocabulary = {
  /** The whole hint of a code. */
  readonly hints: Readonly<Record<string, string>>;
  /** Phrases, which come first. */
  readonly phrases: readonly (readonly [flagged: string, plain: string])[];
  /** Flag → setting. */
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
  const problem: Rewording['problem'] = (said) => {
    const own = Object.hasOwn(vocabulary.hints, said.code)
      ? vocabulary.hints[said.code]
      : undefined;
    const hint = own ?? (said.hint === undefined ? undefined : withoutFlags(said.hint, vocabulary));
    // Further on, a message may quote the user.
    const message = said.message?.replace(
      /^--[a-z-]+/u,
      (flag) => vocabulary.settings[flag] ?? flag,
    );
    return {
      ...said,
      ...(message !== undefined && { message }),
      ...(hint !== undefined && { hint }),
    };
  };
  const plan: Rewording['plan'] = (planned) => {
    const contracts = planned.contracts.map((contract): ContractPlan =>
      contract.action === 'unmanaged'
        ? contract
        : { ...contract, problems: contract.problems.map(problem) },
    );
    return { ...planned, contracts, diagnostics: planned.diagnostics.map(problem) };
  };
  const outcome = (each: Outcome): Outcome =>
    each.error === null ? each : { ...each, error: problem(each.error) };
  const outcomes: Rewording['outcomes'] = (all) => ({
    ...all,
    outcomes: all.outcomes.map(outcome),
  });
  return { problem, plan, outcomes };
}

/** What is not ours to reword: text in quotes, code, and a command for a terminal to its end. */
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
