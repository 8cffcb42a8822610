import { apply, type Apply } from '../apply/apply.ts';
import {
  type Outcome,
  type OutcomeError,
  outcomeOf,
  type Outcomes,
  planAgain,
  summarizeOutcomes,
} from '../apply/outcome.ts';
import { contractLabel } from '../contract/identity.ts';
import { plannedChanges } from '../plan/plan.ts';
import type { Decision, RefusedChange } from '../review/compare.ts';
import type { Session } from '../session.ts';

export async function carryOut(
  decision: Decision,
  session: Session,
  options: Pick<Apply, 'signal' | 'maxFailures' | 'onAnswer' | 'onOutcome'>,
): Promise<Outcomes> {
  const { fresh, approved } = decision;
  if (session.unchosen && plannedChanges(approved).length > 0) throw session.unchosen;
  const writer = session.openWriter();
  const { outcomes, diagnostics } = await apply({ ...session, ...options, plan: approved, writer });
  const order = new Map(fresh.contracts.map((contract, index) => [contractLabel(contract), index]));
  const rank = (outcome: Outcome): number => order.get(contractLabel(outcome)) ?? order.size;
  const refusedLabels = new Set(decision.refused.map(({ change }) => contractLabel(change)));
  const drifted = fresh.contracts.flatMap((contract) =>
    contract.action === 'unchanged' && contract.drift && !refusedLabels.has(contractLabel(contract))
      ? [outcomeOf(contract, 'left', null)]
      : [],
  );
  const all = [...outcomes, ...decision.refused.map(explainRefusal), ...drifted];
  return summarizeOutcomes(
    fresh,
    all.toSorted((a, b) => rank(a) - rank(b)),
    diagnostics,
  );
}

function explainRefusal(refusal: RefusedChange): Outcome {
  switch (refusal.kind) {
    case 'not-reviewed':
      return outcomeOf(refusal.change, refusal.kind, {
        code: 'not-reviewed',
        message: refusal.isKnown
          ? 'Not sent: it would change values that were not reviewed.'
          : 'Not sent: this change is not in the reviewed plan.',
        ...planAgain,
      });
    case 'not-found': {
      const { liveVersion: _ofReview, ...change } = refusal.change;
      return outcomeOf(change, refusal.kind, changeNotFound);
    }
  }
}

export const changeNotFound: OutcomeError = {
  code: 'not-found',
  message: 'Reviewed, but the plan as it is now has no such change.',
  hint: 'Plan and apply alike: the same files, base and drift rule, and a token that sees as much. If the contract or its file is gone, plan again.',
};
