/** Asks the forge whether those who read what a change breaks have agreed to it. */

import { SyncError } from '../core/diagnostic.ts';
import {
  type ReaderAgreement,
  type AgreementReader,
  type ContractPlan,
  heldChanges,
  type Plan,
  type UpdatePlan,
} from '../plan/plan.ts';
import { type Evidence, judgeAgreement, type ShownChange } from '../review/agreement.ts';
import type { Forge } from './github.ts';
import { shortFingerprint, shownIn } from './record/comment.ts';
import { approvingRecords, findComments, type ReviewRecords } from './record/find.ts';
import type { Step } from './step.ts';

/** Where a change was shown, and since when it has its fingerprint there. */
type Showing = { readonly number: number; readonly shown: ShownChange | undefined };

/** By the reviews of the pull request that is planned. `isNews`: its comment asks somebody anew. */
export async function askOpenPull(step: Step, plan: Plan) {
  const { run, github, forge } = step;
  const number = run.queued?.number ?? run.pullRequest?.number;
  const held = heldChanges(plan);
  if (number === undefined || held.length === 0) return { plan, isNews: true };
  const record = github && (await findComments(step, github, number)).record;
  const earlier = (change: UpdatePlan) =>
    record && !record.isEdited ? shownIn(record, change) : undefined;
  // This plan shows the same change of the last commit, whose comment is yet to be written.
  const head = run.pullRequest?.headSha ?? [];
  const asked = await askEach(plan, forge, (change) => {
    const shown = earlier(change);
    return [{ number, shown: shown && { ...shown, commits: shown.commits.concat(head) } }];
  });
  return { plan: asked, isNews: !held.every(earlier) };
}

/** By the reviews of the pull requests whose comments show exactly these changes. */
export async function askMergedPulls(
  { forge }: Step,
  plan: Plan,
  records: ReviewRecords,
): Promise<Plan> {
  const approving = approvingRecords(records.all);
  return askEach(plan, forge, (change) => {
    const short = shortFingerprint(change.fingerprint);
    return approving
      .filter(({ comment }) => comment.changes.some(({ fingerprint }) => fingerprint === short))
      .map(({ pull, comment }) => ({ number: pull.number, shown: shownIn(comment, change) }));
  });
}

async function askEach(
  plan: Plan,
  forge: Forge | undefined,
  showing: (change: UpdatePlan) => readonly Showing[],
): Promise<Plan> {
  const contracts: ContractPlan[] = [];
  for (const contract of plan.contracts) {
    if (contract.action !== 'update' || contract.agreement?.state !== 'held') {
      contracts.push(contract);
      continue;
    }
    const agreement = await agreementOn(contract.agreement, showing(contract), forge);
    contracts.push({ ...contract, agreement });
  }
  return { ...plan, contracts };
}

async function agreementOn(
  agreement: ReaderAgreement,
  showings: readonly Showing[],
  forge: Forge | undefined,
): Promise<ReaderAgreement> {
  if (!forge) return heldBecause(agreement, 'the input `github-token` is empty');
  let judged = heldBecause(agreement, 'no pull request shows exactly this change');
  for (const { number, shown } of showings) {
    try {
      judged = judgeAgreement(agreement, await readEvidence(number, shown, agreement, forge));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      const why = `the reviews of pull request ${number} can't be read: ${error.message}`;
      judged = heldBecause(agreement, why);
    }
    if (judged.state !== 'held') break;
  }
  return judged;
}

function heldBecause(agreement: ReaderAgreement, why: string): ReaderAgreement {
  const readers = agreement.readers.map((reader): AgreementReader => {
    return reader.answer.kind === 'missing'
      ? { ...reader, answer: { kind: 'missing', why } }
      : reader;
  });
  return { ...agreement, readers };
}

async function readEvidence(
  number: number,
  shown: ShownChange | undefined,
  { readers }: ReaderAgreement,
  forge: Forge,
): Promise<Evidence> {
  const accounts = new Map<string, readonly string[] | { readonly unread: string }>();
  for (const agreer of new Set(readers.flatMap(({ agreers }) => agreers)))
    accounts.set(agreer, await accountsOf(agreer, forge));
  const author = await forge.author(number);
  return { author, approvals: await forge.approvals(number), shown, accounts };
}

async function accountsOf(agreer: string, forge: Forge) {
  const name = agreer.replace(/^@/u, '');
  if (agreer.startsWith('@') && !name.includes('/')) return [name.toLowerCase()];
  try {
    return await forge.members(name);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return { unread: error.message };
  }
}
