import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { formatVersion, managedFields } from '../../src/contract/contract.ts';
import { targetDocument } from '../../src/contract/equality.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { blamePlace } from '../../src/history/place.ts';
import {
  changesBetween,
  comparableStates,
  type ContractVersion,
  parseVersions,
  withoutBookkeeping,
} from '../../src/history/version.ts';
import { fieldsToRestore, undoRun, versionBefore } from '../../src/history/rollback.ts';
import type { KeyPath } from '../../src/patch/identity.ts';
import { formatPointer } from '../../src/patch/pointer.ts';
import { meaningAt, placesOf } from './places.ts';
import { type Dialect, dialects, type Step, steps, type Walk } from './walks.ts';

const walks = fc.array(steps, { maxLength: 12 });

describe.each(dialects)('in the dialect $name', (dialect) => {
  const { walk, rules } = dialect;

  test.prop([walks])('each version has its user, and is marked if it was merged', (taken) => {
    const walked = walk(taken);
    const versions = parseVersions(walked.snapshots, rules);
    for (const [index, own] of walked.merged.toReversed().entries()) {
      const { user, mayHoldMore } = requireVersion(versions[index]);
      expect(own.map((step) => walked.users[step])).toContain(user);
      expect(mayHoldMore).toBe(own.length > 1);
    }
    expect(versions).toHaveLength(walked.merged.length);
  });

  test.prop([walks])('blame names the version that changed a place last', (taken) => {
    const walked = walk(taken);
    const versions = parseVersions(walked.snapshots, rules);
    for (const path of placesOf(walked.states)) {
      const blame = blamePlace(versions, { path, of: 'value' }, rules.arrays);
      const at = path.at(-1) ?? '';
      const [now, oldest] = [walked.states.at(-1), walked.states[0]];
      if (blame.kind === 'never-set') expect(meaningAt(now, path)).toBe('');
      const version = 'version' in blame ? blame.version : versions.at(-1);
      expectBlamed(path, walked, versions.length - 1 - versions.indexOf(requireVersion(version)));
      if (blame.kind === 'changed') {
        const earlier = versions[versions.indexOf(blame.version) + 1]?.document;
        expect(meaningAt({ [at]: blame.before ?? null }, [at])).toBe(meaningAt(earlier, path));
      }
      if (blame.kind !== 'changed' && versions.at(-1)?.mayHoldMore === false)
        expect(meaningAt(oldest, path)).toBe(meaningAt(now, path));
    }
  });

  test.prop([walks])('the way back to a version leads just there', (taken) => {
    const versions = parseVersions(walk(taken).snapshots, rules);
    const now = requireVersion(versions[0]);
    for (const then of versions) {
      const restored = applied(
        now,
        fieldsToRestore(then.document, now.document, managedFields),
        dialect,
      );
      const [state = {}, wanted = {}] = comparableStates([restored, then.document], rules);
      expect(changesBetween(onlyManaged(state), onlyManaged(wanted), rules)).toEqual([]);
    }
  });

  test.prop([walks, fc.nat(13)])(
    'the state before a moment is the last one written before it',
    (taken, at) => {
      const { snapshots } = walk(taken);
      const versions = parseVersions(snapshots, rules);
      const time = requireVersion(versions[at % versions.length]).updatedAt ?? 0;
      const expected = snapshots.find(({ updatedAt }) => Number(updatedAt) < time);
      expect(versionBefore(versions, time)?.version.document).toEqual(expected);
    },
  );

  const runs = fc.record<Run>({ before: walks, run: steps, after: walks });
  test.prop([runs])('a run is taken back, and others keep all of theirs', (run) => {
    const { walked, index, versions } = walkRun(run, dialect);
    const live = requireVersion(versions[0]);
    const [before = {}, after = {}, now = {}] = [index - 1, index, -1].map((at) =>
      walked.states.at(at),
    );
    const change = {
      before: onlyManaged(before),
      after: onlyManaged(after),
      version: formatVersion(Number(after['version'])),
      updatedAt: Number(after['updatedAt']),
      updatedBy: 'bot',
    };
    const { fields, conflicts } = undoRun(change, live.document, versions, rules);
    const result = applied(live, fields, dialect);
    const inConflict = conflicts.flatMap(({ of, path }) =>
      of === 'value' ? [formatPointer(path)] : [],
    );
    for (const { of, path } of conflicts) {
      const since = walked.states.slice(index).map((state) => meaningAt(state, path));
      if (of === 'value') expect(new Set(since).size).toBeGreaterThan(1);
    }
    for (const path of placesOf([before, after, now, result]).filter(
      isLeaf([before, after, now]),
    )) {
      const [was, done, is, becomes] = [before, after, now, result].map((state) =>
        meaningAt(state, path),
      );
      const isKept = isBelow(path, inConflict);
      expect(becomes).toBe(done !== is || isKept ? is : was);
    }
  });
});

type Run = {
  readonly before: readonly Step[];
  readonly run: Step;
  readonly after: readonly Step[];
};

function walkRun({ before, run, after }: Run, { walk, rules }: Dialect) {
  const walked = walk([...before, { ...run, user: 'bot', guarded: true }, ...after]);
  const index = before.length + 1;
  return { walked, index, versions: parseVersions(walked.snapshots, rules) };
}

/** Whether a version, counted from the oldest, is to blame for a place, by what truly happened. */
function expectBlamed(path: KeyPath, { states, merged }: Walk, blamed: number): void {
  const meanings = states.map((state) => meaningAt(state, path));
  const last = meanings.findLastIndex((each, step) => step > 0 && each !== meanings[step - 1]);
  const actual = Math.max(
    0,
    merged.findIndex((own) => own.includes(last)),
  );
  if (blamed === actual) return;
  // Only a change that merging took back is in no version: between the two, all is as it is now.
  expect(blamed).toBeLessThan(actual);
  expect(merged[actual]?.length).toBeGreaterThan(1);
  for (const own of merged.slice(blamed, actual))
    expect(meanings[own.at(-1) ?? 0]).toBe(meanings.at(-1));
}

function requireVersion(version: ContractVersion | undefined): ContractVersion {
  if (!version) throw new Error('There is no such version.');
  return version;
}

function applied(live: ContractVersion, fields: JsonObject, { equivalence, rules }: Dialect) {
  return targetDocument(live, fields, equivalence, rules.arrays);
}

function onlyManaged(state: JsonObject): JsonObject {
  const fields = Object.entries(withoutBookkeeping(state));
  return Object.fromEntries(fields.filter(([name]) => managedFields.some((each) => each === name)));
}

function isLeaf(states: readonly JsonObject[]): (path: KeyPath) => boolean {
  return (path) => states.every((state) => !/^[[{]/u.test(meaningAt(state, path)));
}

function isBelow(path: KeyPath, places: readonly string[]): boolean {
  return places.some((place) => `${formatPointer(path)}/`.startsWith(`${place}/`));
}
