import { apply } from '../apply/apply.ts';
import { notLanded, type Outcome, type Outcomes, summarizeOutcomes } from '../apply/outcome.ts';
import { reasons } from '../apply/reasons.ts';
import type { Apply } from '../apply/run.ts';
import { contractLabel } from '../contract/identity.ts';
import { plannedChanges } from '../plan/plan.ts';
import type { Decision, RefusedChange } from '../review/decide.ts';
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
      ? [notLanded(contract, 'left', null)]
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
      return notLanded(refusal.change, refusal.kind, reasons.notReviewed(refusal.isKnown));
    case 'not-found':
      return notLanded(refusal.change, refusal.kind, reasons.notFound);
  }
}
