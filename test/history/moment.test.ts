import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { versionBefore, versionNumbered, versionsOfRun } from '../../src/history/moment.ts';
import { startOfStatus, versionsInForce } from '../../src/history/status.ts';
import { at, numbersOf, versionsOf } from './histories.ts';

const merged: JsonObject = {
  changeDescription: { previousVersion: 0.2 },
  incrementalChangeDescription: { previousVersion: 0.3 },
};
const versions = versionsOf([{}, {}, merged, { version: 1 }]);
const restored = versionsOf([{}, {}, { version: 0.1 }, { version: 0.2 }]);

describe('a version by its number', () => {
  test('is found with or without its decimal', () => {
    for (const number of ['1', '1.0'])
      expect(versionNumbered(versions, number)).toMatchObject({ kind: 'found', index: 0 });
  });

  test('is missing where the history does not have it', () => {
    expect(versionNumbered(versions, '0.9')).toEqual({ kind: 'missing' });
  });

  test('is told twice where the catalog gave it twice', () => {
    expect(versionNumbered(restored, '0.1')).toEqual({
      kind: 'repeated',
      versions: [restored[1], restored[3]],
    });
  });
});

describe('a version by a moment', () => {
  test('is the last one that was written before it', () => {
    expect(versionBefore(versions, at(1))?.version).toBe(versions[3]);
    expect(versionBefore(versions, at(1) + 1)).toEqual({
      version: versions[2],
      mergedInto: versions[1],
    });
  });

  test('is unknown before the first', () => {
    expect(versionBefore(versions, at(0))).toBeUndefined();
  });
});

describe('a run', () => {
  test('made its version of the one before, whatever it had planned for', () => {
    for (const versionBefore of ['0.1', '0.2'])
      expect(versionsOfRun(versions, { versionBefore, versionAfter: '0.3' })).toEqual({
        kind: 'found',
        before: versions[2],
        after: versions[1],
      });
  });

  const unknown: readonly (readonly [string, string, string | undefined, string])[] = [
    ['that did not note its versions', '0.1', undefined, 'not-recorded'],
    ['whose version is gone', '0.1', '0.9', 'not-in-history'],
    ['that joined a version', '0.2', '0.2', 'merged'],
    ['whose version was taken back and made anew', '1', '0.2', 'merged'],
  ];
  test.each(unknown)('%s is unknown', (_, versionBefore, versionAfter, reason) => {
    const record = { versionBefore, ...(versionAfter !== undefined && { versionAfter }) };
    expect(versionsOfRun(versions, record)).toEqual({ kind: 'unknown', reason });
  });

  test('whose number was given twice is unknown', () => {
    const record = { versionBefore: '0.1', versionAfter: '0.2' };
    expect(versionsOfRun(restored, record)).toEqual({ kind: 'unknown', reason: 'repeated' });
  });
});

const statuses = ['Draft', 'Active', 'Active', 'Deprecated', 'Deprecated'];
const aged = versionsOf(statuses.map((entityStatus) => ({ entityStatus })));

describe('a status lasts', () => {
  test('since the version that brought it', () => {
    expect(startOfStatus(aged)).toEqual({
      status: 'Deprecated',
      version: aged[1],
      isAtLeast: false,
    });
  });

  test('at least since the first known version where no other status is known', () => {
    expect(startOfStatus(aged.slice(0, 2))).toEqual({
      status: 'Deprecated',
      version: aged[1],
      isAtLeast: true,
    });
  });

  test('since the later time where it ended in between', () => {
    const again = versionsOf(
      ['Deprecated', 'Active', 'Deprecated'].map((entityStatus) => ({ entityStatus })),
    );
    expect(startOfStatus(again)?.version).toBe(again[0]);
  });

  test('since the version that brought it under the field’s earlier name', () => {
    const old = versionsOf([{ status: 'Draft' }, { status: 'Active' }, { entityStatus: 'Active' }]);
    expect(startOfStatus(old)?.version.version).toBe('0.2');
  });

  test('for no time where there is no version', () => {
    expect(startOfStatus([])).toBeUndefined();
  });
});

const windows: readonly (readonly [string, number, readonly string[]])[] = [
  ['the last Active one, which ended in it', at(2.5), ['0.3']],
  ['both, of which one ended in it', at(1.5), ['0.3', '0.2']],
  ['none, once the last had ended', at(3), []],
];

test.each(windows)('in force was %s', (_, since, expected) => {
  expect(numbersOf(versionsInForce(aged, new Set(['Active']), since))).toEqual(expected);
});
