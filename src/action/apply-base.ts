/** Which commits an apply compares the files with: those at which the catalog was as the files say. */

import { findCommit } from '../files/find/commit.ts';
import { isInHistory } from '../files/find/history.ts';
import type { LaterBase } from '../session.ts';
import { type PlanBase, unknownBase } from './base.ts';
import { contractMark } from './comment-header.ts';
import {
  approvingHeaders,
  isSettled,
  pendingChanges,
  type ReviewRecord,
  type ReviewRecords,
} from './records.ts';
import type { Step } from './step.ts';

export type ApplyBase = PlanBase & { readonly laterBases?: readonly LaterBase[] };

/**
 * The base is the commit of the last apply that brought everything about, so that what was merged
 * since is asked for by the files, also where its own run was dropped. Contracts that a later run
 * has brought about are compared with that merge.
 */
export function chooseApplyBase(step: Step, records: ReviewRecords): ApplyBase {
  const { inputs, root } = step;
  if (inputs.base !== undefined) return { revision: inputs.base };
  const pending = approvingHeaders(records).filter(
    ({ header }) => pendingChanges(header).length > 0,
  );
  // Planned without a base, a change overwrites edits of the catalog: so must its apply.
  if (pending.some(({ header }) => header.base === '')) return {};
  const settled = records.merged.find(isSettled);
  const revision = settled
    ? commitOf(settled, step)
    : (oldestBase(records, step) ?? parentOf(records));
  if (revision === undefined) return {};
  if (findCommit(revision, root) === undefined) return { problem: unknownBase(0, root) };
  return { revision, laterBases: laterBases(records, step) };
}

/**
 * Before the first apply: what the oldest merge with a comment was merged into. Whatever its comment
 * approves, blocks or doesn't show, what it asks for is no edit of the catalog.
 */
function oldestBase({ merged, own }: ReviewRecords, step: Step): string | undefined {
  const records = own && !merged.includes(own) ? [own, ...merged] : merged;
  return records.map((record) => baseOf(record, step)).findLast((base) => base !== undefined);
}

function baseOf({ pull, comment }: ReviewRecord, { root }: Step): string | undefined {
  if (!comment) return undefined;
  if (!comment.isEdited && comment.header.base !== '') return comment.header.base;
  const { mergeSha } = pull;
  return mergeSha === undefined ? undefined : findCommit(`${mergeSha}^1`, root);
}

/** Where no merge has a comment there is nothing but what the last one was merged into. */
function parentOf({ own }: ReviewRecords): string | undefined {
  return own && 'HEAD^1';
}

function commitOf({ pull, comment }: ReviewRecord, { root }: Step): string {
  const { applied = '' } = comment?.header ?? {};
  return isInHistory(applied, root) === true ? applied : (pull.mergeSha ?? '');
}

function laterBases(records: ReviewRecords, { root }: Step): LaterBase[] {
  return approvingHeaders(records).flatMap(({ pull: { mergeSha = '' }, header }) => {
    const landed = new Set(
      header.changes?.filter(({ hasLanded }) => hasLanded).map(({ contract }) => contract),
    );
    if (landed.size === 0 || isInHistory(mergeSha, root) !== true) return [];
    const has: LaterBase['has'] = ({ id, fullyQualifiedName }) =>
      [id, fullyQualifiedName].some((name) => name !== undefined && landed.has(contractMark(name)));
    return [{ revision: mergeSha, has }];
  });
}
