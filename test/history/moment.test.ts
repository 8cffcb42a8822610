import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { versionBefore, versionsNumbered } from '../../src/history/rollback.ts';
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
      expect(versionsNumbered(versions, number)).toEqual([versions[0]]);
  });

  test('is missing where the history does not have it', () => {
    expect(versionsNumbered(versions, '0.9')).toEqual([]);
  });

  test('is listed twice where the catalog gave it twice', () => {
    expect(versionsNumbered(restored, '0.1')).toEqual([restored[1], restored[3]]);
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
