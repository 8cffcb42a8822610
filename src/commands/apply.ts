import { apply, type Apply } from '../apply/apply.ts';
import {
  type Outcome,
  outcomeOf,
  type Outcomes,
  summarizeOutcomes,
  undecided,
} from '../apply/outcome.ts';
import { type OutcomeError, reasons } from '../apply/reasons.ts';
import type { Identity } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import {
  heldChanges,
  isHeld,
  type Plan,
  plannedChanges,
  type UpdatePlan,
  type CreatePlan,
} from '../plan/plan.ts';
import { wayToLift, whyHeld } from '../review/agreement.ts';
import type { Decision, RefusedChange } from '../review/compare.ts';
import type { Session } from '../session.ts';

type CarryOptions = Pick<Apply, 'signal' | 'maxFailures' | 'onAnswer' | 'onOutcome'> & {
  readonly keep?: ((partial: Outcomes) => void) | undefined;
};

export async function carryOut(
  decision: Decision,
  session: Session,
  { keep, ...options }: CarryOptions,
): Promise<Outcomes> {
  const { fresh } = decision;
  const approved = withoutHeld(decision.approved);
  if (session.unchosen && plannedChanges(approved).length > 0) throw session.unchosen;
  const writer = session.openWriter();
  const kept = keep && keepOutcomes(approved, keep);
  const { outcomes, diagnostics } = await apply({
    ...session,
    ...options,
    plan: approved,
    writer,
    beforeSend: kept?.beforeSend,
    onAnswer: (change, answer) => {
      kept?.record(change, undecided(change, answer));
      options.onAnswer?.(change, answer);
    },
    onOutcome: (outcome) => {
      kept?.record(outcome, outcome);
      options.onOutcome?.(outcome);
    },
  });
  const order = new Map(fresh.contracts.map((contract, index) => [contractLabel(contract), index]));
  const rank = (outcome: Outcome): number => order.get(contractLabel(outcome)) ?? order.size;
  const refusedLabels = new Set(decision.refused.map(({ change }) => contractLabel(change)));
  const drifted = fresh.contracts.flatMap((contract) =>
    contract.action === 'unchanged' && contract.drift && !refusedLabels.has(contractLabel(contract))
      ? [outcomeOf(contract, 'left', null)]
      : [],
  );
  const held = heldChanges(decision.approved).map((change) => {
    const error = {
      code: 'agreement-missing',
      message: whyHeld(change),
      hint: wayToLift([change], false),
    };
    return outcomeOf(change, 'held', error);
  });
  const all = [...outcomes, ...held, ...decision.refused.map(explainRefusal), ...drifted];
  return summarizeOutcomes(
    fresh,
    all.toSorted((a, b) => rank(a) - rank(b)),
    diagnostics,
  );
}

// Milliseconds, so that a report of thousands of changes doesn't slow the run down.
const betweenReports = 1000;

/**
 * Keeps what is known of each change, before one is sent and as outcomes come: a run that is killed
 * leaves a report that says what was not sent, and what may have landed.
 */
export function keepOutcomes(plan: Plan, keep: (partial: Outcomes) => void, now = Date.now) {
  const changes = plannedChanges(plan);
  const known = new Map(
    changes.map((change) => [
      contractLabel(change),
      outcomeOf(change, 'skipped', reasons.notAttempted),
    ]),
  );
  const unsent = new Map(changes.map((change) => [contractLabel(change), change]));
  // Announced together, so that a run of thousands of changes doesn't write thousands of reports.
  const together = Math.max(50, Math.ceil(changes.length / 20));
  let nextAt = -Infinity;
  const keepAll = (): void => {
    const begun = now();
    keep({ ...summarizeOutcomes(plan, [...known.values()]), partial: true });
    nextAt = now() + Math.max(betweenReports, 10 * (now() - begun));
  };
  // If it can't be written, the report at the end says why.
  const tryToKeep = (): void => {
    try {
      keepAll();
    } catch {
      nextAt = now() + betweenReports;
    }
  };
  keepAll();
  return {
    beforeSend: (change: UpdatePlan | CreatePlan): void => {
      const own = contractLabel(change);
      if (!unsent.has(own)) return;
      for (const label of [own, ...unsent.keys().take(together)]) {
        const next = unsent.get(label);
        if (next) known.set(label, undecided(next));
        unsent.delete(label);
      }
      tryToKeep();
    },
    record: (change: Identity, outcome: Outcome): void => {
      known.set(contractLabel(change), outcome);
      unsent.delete(contractLabel(change));
      if (now() >= nextAt) tryToKeep();
    },
  };
}

function explainRefusal(refusal: RefusedChange): Outcome {
  switch (refusal.kind) {
    case 'not-reviewed':
      return outcomeOf(refusal.change, refusal.kind, {
        code: 'not-reviewed',
        message: refusal.isKnown
          ? 'Not sent: it would change values that were not reviewed.'
          : 'Not sent: this change is not in the reviewed plan.',
        hint: 'Plan again and have the new plan reviewed.',
      });
    case 'not-found': {
      const { liveVersion: _ofReview, ...change } = refusal.change;
      return outcomeOf(change, refusal.kind, changeNotFound);
    }
  }
}

/** What waits for those who read it is never sent, whoever approves or asks for it. */
export function withoutHeld(plan: Plan): Plan {
  return { ...plan, contracts: plan.contracts.filter((contract) => !isHeld(contract)) };
}

export const changeNotFound: OutcomeError = {
  code: 'not-found',
  message: 'Reviewed, but the plan as it is now has no such change.',
  hint: 'Plan and apply alike: the same files, base and drift rule, and a token that sees as much. If the contract or its file is gone, plan again.',
};
