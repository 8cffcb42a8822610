import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepEqual, type JsonValue } from '../../src/core/json.ts';
import { diff } from '../../src/patch/diff.ts';
import type { DiffOptions } from '../../src/patch/identity.ts';
import { valueAt } from '../../src/patch/pointer.ts';
import { type Patch, prove } from '../../src/patch/evaluate.ts';
import {
  contracts,
  documents,
  keylessDocuments,
  pairsOf,
  withArraysReversed,
  withMembersReversed,
} from './documents.ts';
import { compareByIndex, evaluatorsFor } from './evaluators.ts';
import { rounds } from '../support/rounds.ts';

function patchOf(live: JsonValue, desired: JsonValue, options?: DiffOptions): Patch {
  return diff(live, desired, options).map(({ operation }) => operation);
}

// A shared machine may need far longer than the few seconds that each of these takes.
const timeout = 300_000;

describe('a patch brings live to desired in three independent evaluators', { timeout }, () => {
  const ways: Readonly<Record<string, DiffOptions>> = {
    'by default': {},
    'with keys of its own': {
      keys: { schema: ['value'], tags: ['id'], children: ['text', 'name'] },
    },
  };
  for (const [way, options] of Object.entries(ways)) {
    for (const [kind, source] of Object.entries({ documents, contracts })) {
      it(`${way}, for ${kind}`, () => {
        const property = fc.property(pairsOf(source), ([live, desired]) => {
          const before = structuredClone([live, desired]);
          const patch = patchOf(live, desired, options);
          return (
            deepEqual([live, desired], before) &&
            evaluatorsFor(patch).every((run) => deepEqual(run(live, patch), desired))
          );
        });
        fc.assert(property, { numRuns: rounds(800) });
      });
    }
  }
});

describe('a patch', { timeout }, () => {
  it('is empty for two equal documents, in any order of their members', () => {
    const property = fc.property(documents, (document) => {
      const reversed = withMembersReversed(document);
      return diff(document, document).length === 0 && diff(document, reversed).length === 0;
    });
    fc.assert(property, { numRuns: rounds(1500) });
  });

  it('does not depend on the order of members', () => {
    const property = fc.property(pairsOf(fc.oneof(documents, contracts)), ([live, desired]) => {
      const reversed = patchOf(withMembersReversed(live), withMembersReversed(desired));
      return deepEqual(reversed, patchOf(live, desired));
    });
    fc.assert(property, { numRuns: rounds(1500) });
  });

  it('never has more operations than a comparison by index, where elements have no key', () => {
    const property = fc.property(
      pairsOf(keylessDocuments),
      ([live, desired]) => diff(live, desired).length <= compareByIndex(live, desired).length,
    );
    fc.assert(property, { numRuns: rounds(5000) });
  });

  it('never sends the root, unless its type changes', () => {
    const property = fc.property(pairsOf(contracts), ([live, desired]) => {
      expect(patchOf(live, desired).filter(({ path }) => path === '')).toEqual([]);
    });
    fc.assert(property, { numRuns: rounds(600) });
  });

  it('has the place of each value in both documents', () => {
    const property = fc.property(pairsOf(documents), ([live, desired]) => {
      for (const edit of diff(live, desired)) {
        const { operation } = edit;
        expect(edit.live === undefined).toBe(operation.op === 'add');
        expect(edit.desired === undefined).toBe(operation.op === 'remove');
        if (edit.live) expect(valueAt(live, edit.live)).toBeDefined();
        if (edit.desired && 'value' in operation)
          expect(valueAt(desired, edit.desired)).toEqual(operation.value);
      }
    });
    fc.assert(property, { numRuns: rounds(800) });
  });

  it('leaves the order of unordered arrays alone, and is proved all the same', () => {
    const unordered = ['owners', 'tags'];
    const property = fc.property(pairsOf(contracts), ([live, desired]) => {
      const patch = patchOf(live, desired, { unordered });
      expect(() => prove(live, desired, patch, { unordered })).not.toThrow();
      const moved = patch.filter(({ op }) => op === 'move');
      expect(moved.filter(({ path }) => /^\/(?:owners|tags)\/\d+$/u.test(path))).toEqual([]);
    });
    fc.assert(property, { numRuns: rounds(800) });
  });

  it('is empty where nothing but the order of unordered arrays differs, at any depth', () => {
    const unordered = ['owners', 'children', 'tags'];
    const property = fc.property(contracts, (live) => {
      const desired = withArraysReversed(live, unordered);
      expect(patchOf(live, desired, { unordered })).toEqual([]);
    });
    fc.assert(property, { numRuns: rounds(600) });
  });
});
