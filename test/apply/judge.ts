/** Holds what a run says against what the catalog stores, and who wrote it. */

import { expect } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import type { Outcome } from '../../src/apply/outcome.ts';
import { missingFrom } from '../../src/apply/stored.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import { deepEqual, isArray, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import { evaluate, PatchError } from '../../src/patch/evaluate.ts';
import { guardOf } from '../../src/patch/describe.ts';
import { valueAt } from '../../src/patch/pointer.ts';
import { type Plan, type UpdatePlan, updates } from '../../src/plan/plan.ts';
import { patchOf, sidesOf } from '../../src/plan/seal.ts';
import type { Commit, SmallCatalog } from './small-catalog.ts';
import { liveOf, rules } from './world.ts';

/** Whether a document is the one that was planned against, as far as a guard can see. */
export function isAsPlanned(change: UpdatePlan, document: JsonObject): boolean {
  if (!isSameWrite(change, document)) return false;
  try {
    evaluate(
      document,
      guardOf(change.changes, sidesOf(change).live, rules.arrays, standard.isTestable),
    );
    return true;
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}

function isSameWrite({ liveVersion, liveUpdatedAt }: UpdatePlan, document: JsonObject): boolean {
  const { version, updatedAt } = liveOf(document);
  return version === liveVersion && updatedAt === liveUpdatedAt;
}

/** The changes of a plan that stand in the catalog as ours. */
export function landings(plan: Plan, catalog: SmallCatalog): ReadonlySet<string> {
  const landed = updates(plan).filter((change) => isOurs(change, catalog));
  return new Set(landed.map(({ id }) => id));
}

/** No two writes of ours begin at one version and time: so this is said of one landing at most. */
function isOurs(change: UpdatePlan, { commits }: SmallCatalog): boolean {
  return commits.some(
    ({ id, author, before }) =>
      author === 'tool' && id === change.id && isSameWrite(change, before),
  );
}

/**
 * Nothing is ours in the catalog but what a shown plan said, on what it said it of: so nothing
 * lands twice, and over nobody's edit. A server that ignores tests breaks that alone, by carrying
 * out late what it seemed to have lost.
 */
export function judgeCommits(shown: readonly Plan[], catalog: SmallCatalog): void {
  const isExcused = (commit: Commit) => catalog.kind === 'ignores test' && catalog.late.has(commit);
  const ours = catalog.commits.filter((each) => each.author === 'tool' && !isExcused(each));
  for (const commit of ours) expect(shown.flatMap(updates).filter(isItOf(commit))).not.toEqual([]);
  // An edit that a server hides can be of what is appended: no place is left to be tested.
  if (catalog.kind === 'restores updatedAt and version') return;
  const excused = new Set(catalog.commits.filter(isExcused).map(({ id }) => id));
  for (const contract of catalog.contracts()) {
    if (typeof contract['id'] === 'string' && excused.has(contract['id'])) continue;
    for (const field of ['schema', 'semantics']) {
      const names = namesOf(contract[field]);
      expect(new Set(names).size).toBe(names.length);
    }
  }
}

function isItOf({ id, before, after }: Commit): (change: UpdatePlan) => boolean {
  return (change) =>
    change.id === id &&
    isAsPlanned(change, before) &&
    deepEqual(content(evaluate(before, patchOf(change.changes))), content(after));
}

/** A document without what the server writes. */
function content(document: JsonValue): JsonObject {
  const { version: _, updatedAt: __, updatedBy: ___, ...rest } = document as JsonObject;
  return rest;
}

function namesOf(list: JsonValue | undefined): (JsonValue | undefined)[] {
  return isArray(list) ? list.map((item) => valueAt(item, ['name'])) : [];
}

export type Evidence = {
  readonly catalog: SmallCatalog;
  /** What had landed of the plan before the run. */
  readonly landedBefore: ReadonlySet<string>;
  /** Contracts that others have edited since the plan was shown, where a guard sees it. */
  readonly edited: ReadonlySet<string>;
  /** Contracts of which the server has said that it stored a change, and has not. */
  readonly liedAbout: ReadonlySet<string>;
  /** Whether no other process was applying. */
  readonly isAlone: boolean;
};

/** An outcome says no more and no less than what the catalog stored. */
export function judgeOutcome(
  { result, error }: Outcome,
  change: UpdatePlan,
  { catalog, landedBefore, edited, liedAbout, isAlone }: Evidence,
): void {
  const { id } = change;
  const commits = catalog.commits.filter((commit) => commit.id === id);
  const states = [catalog.initial(id), ...commits.map(({ after }) => after)];
  const isOur = isOurs(change, catalog);
  const isNew = isOur && !landedBefore.has(id);
  // Others may wish the same: then a lost answer cannot tell whose doing it was.
  const isOthers = commits.some(({ author, after }) => author === 'others' && shows(change, after));
  const isUnknown = error?.code === 'outcome-unknown';
  if (edited.has(id) && !landedBefore.has(id) && !isOthers && !isUnknown) {
    expect(['applied', 'unverified']).not.toContain(result);
  }
  const expectNoMore = (): void => {
    if (isAlone) expect(isNew).toBe(false);
  };
  const judge: Readonly<Record<Outcome['result'], () => void>> = {
    applied: () => expect(isOur || isOthers).toBe(true),
    // Where others had the same wish before, a yes is true and nothing is written.
    unverified: () => expect(isOur || isOthers || liedAbout.has(id) || isUnknown).toBe(true),
    unchanged: () => {
      expect(states.some((state) => shows(change, state))).toBe(true);
      if (isAlone) expect(isNew).toBe(false);
    },
    stale: () => {
      expect(states.every((state) => isAsPlanned(change, state))).toBe(false);
      expectNoMore();
    },
    overlapped: () => expect(isOur && edited.has(id)).toBe(true),
    held: () => expect.unreachable(),
    'landed-in-part': () => expect.unreachable(),
    skipped: expectNoMore,
    failed: expectNoMore,
    // Without a review nothing is refused.
    'not-reviewed': () => expect.unreachable(),
    'not-found': () => expect.unreachable(),
    left: () => expect.unreachable(),
  };
  judge[result]();
}

function shows(change: UpdatePlan, document: JsonObject): boolean {
  const live: LiveContract = liveOf(document);
  return missingFrom(live, change.target, { rules, product: standard }).length === 0;
}
