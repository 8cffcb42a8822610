import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { versionBefore, versionNumbered, versionsOfRun } from '../../src/history/rollback.ts';
import { at, versionsOf } from './histories.ts';

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
