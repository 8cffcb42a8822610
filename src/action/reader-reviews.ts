/** Whether those who read what a plan breaks have agreed to it, by the reviews of its pull request. */

import { SyncError } from '../core/diagnostic.ts';
import {
  type AgreementReader,
  type ContractPlan,
  heldChanges,
  type Plan,
  type ReaderAgreement,
  type UpdatePlan,
} from '../plan/plan.ts';
import { judgeAgreement, type ShownChange } from '../review/agreement.ts';
import { accountsOf, type Forge } from './forge.ts';
import { shownIn } from './record/comment.ts';
import { findComments, recordsShowing, type ReviewRecords } from './record/find.ts';
import type { Step } from './step.ts';

/** Asks the readers by the reviews of the planned pull request. `isNews`: its comment asks anew. */
export async function askOpenPull(step: Step, plan: Plan) {
  const { run, github, forge } = step;
  const { number } = run;
  const held = heldChanges(plan);
  if (number === undefined || held.length === 0) return { plan, isNews: true };
  const record = github && (await findComments(step, github, number)).record;
  const earlier = (change: UpdatePlan) =>
    record && !record.isEdited ? shownIn(record, change) : undefined;
  // This plan shows the same change of the last commit, whose comment is yet to be written.
  const head = run.pullRequest ? [run.pullRequest.headSha] : [];
  const asked = await askEach(plan, forge, (change) => {
    const shown = earlier(change);
    return [{ number, shown: shown && { ...shown, commits: [...shown.commits, ...head] } }];
  });
  return { plan: asked, isNews: !held.every(earlier) };
}

/** Asks the readers by the reviews of the pull requests whose comments show exactly these changes. */
export async function askMergedPulls(
  { forge }: Step,
  plan: Plan,
  records: ReviewRecords,
): Promise<Plan> {
  return askEach(plan, forge, (change) =>
    recordsShowing(records, change).map(({ pull, comment }) => ({
      number: pull.number,
      shown: shownIn(comment, change),
    })),
  );
}

/** Where a change was shown, and since when it has its fingerprint there. */
type Showing = { readonly number: number; readonly shown: ShownChange | undefined };

async function askEach(
  plan: Plan,
  forge: Forge,
  showing: (change: UpdatePlan) => readonly Showing[],
): Promise<Plan> {
  const contracts: ContractPlan[] = [];
  for (const contract of plan.contracts) {
    if (contract.action !== 'update' || contract.agreement?.state !== 'held') {
      contracts.push(contract);
      continue;
    }
    let agreement = heldBecause(contract.agreement, 'no pull request shows exactly this change');
    for (const { number, shown } of showing(contract)) {
      if (agreement.state !== 'held') break;
      agreement = await judgeBy(number, shown, contract.agreement, forge);
    }
    contracts.push({ ...contract, agreement });
  }
  return { ...plan, contracts };
}

async function judgeBy(
  number: number,
  shown: ShownChange | undefined,
  agreement: ReaderAgreement,
  forge: Forge,
): Promise<ReaderAgreement> {
  const agreers = agreement.readers.flatMap((reader) => reader.agreers);
  try {
    const author = await forge.author(number);
    const approvals = await forge.approvals(number);
    const accounts = await accountsOf(agreers, forge);
    return judgeAgreement(agreement, { author, approvals, shown, accounts });
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const why = `the reviews of pull request ${number} can't be read: ${error.message}`;
    return heldBecause(agreement, why);
  }
}

function heldBecause(agreement: ReaderAgreement, why: string): ReaderAgreement {
  const readers = agreement.readers.map((reader): AgreementReader => {
    if (reader.answer.kind !== 'missing') return reader;
    return { ...reader, answer: { kind: 'missing', why } };
  });
  return { ...agreement, readers };
}
