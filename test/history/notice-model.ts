/** Histories of a column that gets and loses its mark, and since when it counts as announced. */

import fc from 'fast-check';
import { expect } from 'vitest';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { parseLiveContract } from '../../src/contract/contract.ts';
import { defaultLifecycle } from '../../src/contract/conventions.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { findAnnouncement } from '../../src/history/notice.ts';
import { parseVersions } from '../../src/history/version.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { answerOfVersion } from '../../src/sandbox/openmetadata/contract.ts';
import { patchContract } from '../../src/sandbox/openmetadata/patch-contract.ts';
import { sow } from '../../src/sandbox/openmetadata/seed.ts';
import { makeWorld, requireContract } from '../../src/sandbox/openmetadata/world.ts';
import { at } from './histories.ts';

export const fax = (more: JsonObject = {}) => ({
  schema: [{ name: 'fax', dataType: 'TEXT', ...more }],
});
export const marked = fax({ description: 'Deprecated: use email.' });

const minute = 60_000;
const id = '0a000000-0000-4000-8000-000000000001';

const edits = fc.record({
  edit: fc.constantFrom('mark', 'unmark', 'describe', 'restore', 'mark and describe'),
  user: fc.constantFrom('ada', 'mira'),
  minutes: fc.constantFrom(1, 4, 9, 11, 3000),
});

type Edit = typeof edits extends fc.Arbitrary<infer Each> ? Each : never;

/** An OpenMetadata with sessions, and since when the live column truly has had the mark. */
function walk(taken: readonly Edit[]) {
  let now = at(0);
  const world = makeWorld(() => now);
  const entity = { fullyQualifiedName: 'shop.sales.web.orders' };
  const users = ['ada', 'mira'].map((name) => ({ name }));
  sow(world, { users, contracts: [{ id, name: 'orders', description: 'One.', ...fax(), entity }] });
  let since: number | undefined;
  let before: number | undefined;
  let isMerged = false;
  for (const { edit, user, minutes } of taken) {
    now += minutes * minute;
    isMerged ||= minutes < 11;
    // What is merged into one version has no gaps: a mark that comes back in its session stayed.
    if (minutes >= 11) before = since;
    const fields = {
      ...(edit.startsWith('mark') ? marked : edit === 'unmark' ? fax() : {}),
      ...(edit.endsWith('describe') && { description: 'Two.' }),
      ...(edit === 'restore' && { description: 'One.' }),
    };
    const caller = { name: user, isAdmin: true, isBot: false, roles: [] };
    const text = JSON.stringify(
      Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    );
    patchContract(world, { id, caller, text, ifMatch: undefined });
    const isMarked = JSON.stringify(requireContract(world, id).current).includes('Deprecated:');
    since = isMarked ? (since ?? before ?? now) : undefined;
    before ??= since;
  }
  const { current, history } = requireContract(world, id);
  const snapshots = [current, ...history].map((version): JsonObject =>
    JSON.parse(JSON.stringify(answerOfVersion(version))),
  );
  return { snapshots, since, isMerged };
}

export const walks = fc.array(edits, { maxLength: 10 });

export function tellWalk(taken: readonly Edit[]): void {
  const { snapshots, since, isMerged } = walk(taken);
  const equivalence = { ...openmetadata.equivalence, ignore: [] };
  const versions = parseVersions(snapshots, { ...defaultRules, equivalence });
  const live = parseLiveContract(snapshots[0] ?? {});
  if (!live) throw new Error('There is no live contract');
  const found = findAnnouncement(versions, live, ['fax'], openmetadata.lifecycle);
  if (since === undefined) expect(found).toBeUndefined();
  else if (found) expect(found.since).toBeGreaterThanOrEqual(since);
  // Without sessions nothing lengthens it either.
  if (!isMerged) expect(found?.since).toBe(since);
}

/** Oldest first; a version that is not kept is missing in the history. */
export const histories = fc.array(
  fc.record({
    isMarked: fc.constantFrom(true, true, true, false),
    isKept: fc.constantFrom(true, true, true, true, false),
    // By how much the catalog's clock was wrong.
    skew: fc.constantFrom(0, 0, 0, 0, -5, 5),
    saysBefore: fc.constantFrom(true, true, false),
  }),
  { minLength: 1, maxLength: 8 },
);

type History = typeof histories extends fc.Arbitrary<infer Each> ? Each : never;

/** Tries every version as the first announcement. */
export function tellHistory(history: History): void {
  const all = history.map((each, index) => ({
    ...each,
    isKept: each.isKept || index === history.length - 1,
    index,
    time: 100 + 2 * index + each.skew,
  }));
  const known = all.filter(({ isKept }) => isKept);
  const snapshots = known
    .map(({ index, time, isMarked, saysBefore }) => ({
      id: 'c1',
      version: (index + 1) / 10,
      updatedAt: time,
      ...(isMarked ? marked : fax()),
      ...(saysBefore && index > 0 && { changeDescription: { previousVersion: index / 10 } }),
    }))
    .toReversed();
  const versions = parseVersions(snapshots, defaultRules);
  const [live] = versions;
  if (!live) throw new Error('There is no live contract');
  const found = findAnnouncement(versions, live, ['fax'], defaultLifecycle);

  // Every version from there on is marked, and none is known to be missing.
  const isWhole = (from: number) =>
    known.slice(from).every(({ isMarked }) => isMarked) &&
    known.slice(from + 1).every((each, place) => {
      const before = known[from + place];
      return !each.saysBefore || before?.index === each.index - 1;
    });
  const first = known.findIndex((_, place) => isWhole(place));
  const own = known[first];
  if (!own) {
    expect(found).toBeUndefined();
    return;
  }
  const wrong = known.filter((each, place) =>
    known.slice(place + 1).some(({ time }) => time < each.time),
  );
  expect(found?.since).toBe(Math.max(own.time, ...wrong.map(({ time }) => time)));
  expect(found?.version).toBe(String((own.index + 1) / 10));
}
