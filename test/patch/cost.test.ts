import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsInto, jsonBytes } from '../../src/patch/diff.ts';
import { documents } from './documents.ts';
import { rounds } from '../support/rounds.ts';

describe('whether a value fits into so many bytes', () => {
  it('is told exactly, for any text in it', () => {
    const property = fc.property(documents, fc.integer({ min: -3, max: 3 }), (value, more) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect(jsonBytes(value)).toBe(bytes);
      expect(fitsInto(bytes + more, value)).toBe(more >= 0);
    });
    fc.assert(property, { numRuns: rounds(1500) });
  });
});
