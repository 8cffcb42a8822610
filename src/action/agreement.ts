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
import {
  type Evidence,
  judgeAgreement,
  showChange,
  type ShownChange,
} from '../review/agreement.ts';
import type { Forge } from './github.ts';
import { shortFingerprint } from './record/comment.ts';
import {
  approvingRecords,
  findComments,
  type HeadedComment,
  type ReviewRecords,
} from './record/find.ts';
import type { Step } from './step.ts';

/** Where a change was shown, and since when it has its fingerprint there. */
type Showing = { readonly number: number; readonly shown: ShownChange | undefined };

/** By the reviews of the pull request that is planned. `isNews`: its comment asks somebody anew. */
export async function askOpenPull(step: Step, plan: Plan) {
  const { run, github, forge } = step;
  const number = run.queued?.number ?? run.pullRequest?.number;
  if (number === undefined || heldChanges(plan).length === 0) return { plan, isNews: true };
  if (!github) return { plan: await askEach(plan, () => [], forge), isNews: true };
  const { record } = await findComments(step, github, number);
  const shownBefore = (change: UpdatePlan) => earlierOf(record, change);
  const showing = (change: UpdatePlan): readonly Showing[] => {
    const before = shownBefore(change);
    const head = run.pullRequest?.headSha;
    if (!before || head === undefined) return [{ number, shown: before }];
    // This plan shows the same change of the last commit, whose comment is yet to be written.
    return [{ number, shown: { ...before, commits: [...before.commits, head] } }];
  };
  const isNews = !heldChanges(plan).every(shownBefore);
  return { plan: await askEach(plan, showing, forge), isNews };
}

/** By the reviews of the pull requests whose comments show exactly these changes. */
export async function askMergedPulls(
  { forge }: Step,
  plan: Plan,
  records: ReviewRecords,
): Promise<Plan> {
  const approving = approvingRecords(records.all);
  const showing = (change: UpdatePlan): Showing[] => {
    const short = shortFingerprint(change.fingerprint);
    return approving
      .filter(({ comment }) => comment.changes.some(({ fingerprint }) => fingerprint === short))
      .map(({ pull, comment }) => ({ number: pull.number, shown: earlierOf(comment, change) }));
  };
  return askEach(plan, showing, forge);
}

/** What the comment is to record: since when, and for which commits, each change is shown. */
export function shownChanges(
  { contracts }: Plan,
  earlier: HeadedComment | undefined,
  commit: string,
): Readonly<Record<string, ShownChange>> | undefined {
  const now = new Date().toISOString();
  const asked = contracts.flatMap((contract) => {
    if (contract.action !== 'update' || !contract.agreement) return [];
    const before = earlierOf(earlier, contract);
    const shown = showChange(contract.agreement, before, commit, now);
    return [[shortFingerprint(contract.fingerprint), shown] as const];
  });
  return asked.length === 0 ? undefined : Object.fromEntries(asked);
}

function earlierOf(comment: HeadedComment | undefined, { fingerprint }: UpdatePlan) {
  if (!comment || comment.isEdited) return undefined;
  const shown = new Map(Object.entries(comment.header.shown ?? {}));
  return shown.get(shortFingerprint(fingerprint));
}

async function askEach(
  plan: Plan,
  showing: (change: UpdatePlan) => readonly Showing[],
  forge: Forge | undefined,
): Promise<Plan> {
  const contracts: ContractPlan[] = [];
  for (const contract of plan.contracts) {
    const isHeld = contract.action === 'update' && contract.agreement?.state === 'held';
    if (!isHeld || !contract.agreement) {
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
