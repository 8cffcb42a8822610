/** Differences of later releases, by their changelog: none of it was recorded. */

import { createHash, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { isRecord, toList } from '../json.ts';
import { type KeptContract, keptDocument, strongTag, versionText } from './contract.ts';
import { storeRevision } from './revise.ts';
import type { Caller } from './people.ts';
import { isAmong, type World } from './world.ts';

const versions: Readonly<Record<string, string>> = {
  '1.13': '1.13.6',
  '2.0': '2.0.7',
  '2.1': '2.1.0',
};

// Of one digit each.
const isSince2 = ({ release }: World): boolean => release >= '2.0';

export function describeRelease({ release, started }: World): JsonObject {
  return { version: versions[release] ?? '1.12.6', revision: 'none', timestamp: started };
}

/** Without quotes, unless it is a weak one. */
export function tagOf({ release }: World, contract: KeptContract): string {
  if (release === '1.12') return strongTag(contract);
  if (release === '1.13') return weakTag(contract);
  const text = JSON.stringify(keptDocument(contract));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export function weakTag({ version }: KeptContract): string {
  return `W/"${versionText(version)}"`;
}

export function checkStatus({ release }: World, { entityStatus }: JsonObject, problem: Error) {
  if (release === '1.12' && entityStatus === 'Archived') throw problem;
}

/** Faults of a patch are no longer the server's. */
export function explainPatch<Result>({ release }: World, patch: () => Result): Result {
  try {
    return patch();
  } catch (error) {
    if (release === '1.12' || !(error instanceof ErrorAnswer) || error.status !== 500) throw error;
    throw badRequest(/\[(?<reason>.*)\] was thrown/su.exec(error.message)?.[1] ?? error.message);
  }
}

export function checkName(world: World, { name }: KeptContract): void {
  if (isSince2(world) && /[>\p{Cc}]/u.test(name))
    throw badRequest('[name must match "^((?!::)[^>\\p{Cntrl}])*$"]');
}

export function withRuleIds(world: World, contract: KeptContract): KeptContract {
  const { semantics } = contract;
  if (!isSince2(world) || semantics === undefined) return contract;
  const rules = toList(semantics).filter(isRecord);
  return { ...contract, semantics: rules.map((rule) => ({ id: randomUUID(), ...rule })) };
}

/** From 2.1 on the workflow of what has reviewers owns the status. */
export function checkStage({ release }: World, current: KeptContract, next: KeptContract): void {
  const isOwned = release === '2.1' && current.reviewers.length > 0;
  if (isOwned && current.entityStatus !== next.entityStatus)
    throw new ErrorAnswer(403, "The workflow 'DataContractApproval' owns the field entityStatus.");
}

/** From 2.1 on an edit waits until a reviewer approves it; those of bots never do. */
export function holdEdit(world: World, { reviewers }: KeptContract, caller: Caller): void {
  if (world.release !== '2.1' || caller.isBot || reviewers.length === 0) return;
  if (!isAmong(world, caller.name, reviewers)) throw new ErrorAnswer(202, 'Waits for an approval.');
}

/** A workflow takes what has reviewers into review as soon as it was written. */
export function runWorkflow(world: World, { id }: KeptContract): void {
  const row = world.contracts.get(id);
  if (!isSince2(world) || row?.current.entityStatus !== 'Draft') return;
  if (row.current.reviewers.length === 0) return;
  const author = { name: 'governance-bot', now: world.now() };
  const inReview = { ...row.current, entityStatus: 'In Review' };
  storeRevision(world, row, inReview, { author, means: 'patch' });
}
