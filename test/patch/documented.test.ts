import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { diff } from '../../src/patch/diff.ts';
import type { Operation } from '../../src/patch/operation.ts';
import { contracts, pairsOf } from './documents.ts';

const long = 'a text that is long enough not to be sent for nothing, neither once nor twice';

function patchOf(
  live: JsonObject,
  desired: JsonObject,
  unordered: readonly string[] = [],
): Operation[] {
  const edits = diff(live, desired, { operations: 'documented', unordered });
  return edits.map(({ operation }) => operation);
}

function rules(...names: readonly string[]): JsonObject[] {
  return names.map((name) => ({ name, rule: `${long} ${name}` }));
}

function tagged(...tags: readonly string[]): JsonObject {
  return { name: 'a', note: long, tags };
}

describe('in the documented dialect', () => {
  it('a section is replaced whole', () => {
    const sla = { interval: 2, unit: 'day', note: long };
    expect(patchOf({ sla: { ...sla, interval: 1 } }, { sla })).toEqual([
      { op: 'replace', path: '/sla', value: sla },
    ]);
  });

  it('elements are removed by index, the last one first, and appended', () => {
    const [x] = rules('x');
    expect(
      patchOf({ semantics: rules('a', 'b', 'c', 'd') }, { semantics: rules('a', 'c', 'x') }),
    ).toEqual([
      { op: 'remove', path: '/semantics/3' },
      { op: 'remove', path: '/semantics/1' },
      { op: 'add', path: '/semantics/-', value: x },
    ]);
  });

  it('an array is replaced whole where an unchanged element would be sent again', () => {
    const schema = rules('a', 'x', 'b');
    expect(patchOf({ schema: rules('a', 'b') }, { schema })).toEqual([
      { op: 'replace', path: '/schema', value: schema },
    ]);
  });

  it('an unordered array needs no replacement for its order', () => {
    const live = { owners: rules('a', 'b', 'c') };
    expect(patchOf(live, { owners: rules('c', 'b', 'a') }, ['owners'])).toEqual([]);
    expect(patchOf(live, { owners: rules('c', 'a') }, ['owners'])).toEqual([
      { op: 'remove', path: '/owners/1' },
    ]);
  });

  it('an unordered array within an element or a section is no reason to send it', () => {
    const live = { extension: { tags: ['x', 'y'] }, schema: [tagged('x', 'y'), ...rules('b')] };
    const desired = { extension: { tags: ['y', 'x'] }, schema: [tagged('y', 'x')] };
    expect(patchOf(live, { ...live, extension: desired.extension }, ['tags'])).toEqual([]);
    expect(patchOf(live, desired, ['tags'])).toEqual([{ op: 'remove', path: '/schema/1' }]);
  });

  it('every operation is one that the interface shows, or is for a whole field', () => {
    const shown = [/^(?:add|remove|replace) \/\w+$/u, /^remove \/\w+\/\d+$/u, /^add \/\w+\/-$/u];
    const property = fc.property(pairsOf(contracts), ([live, desired]) => {
      for (const { op, path } of patchOf(live as JsonObject, desired as JsonObject))
        if (/^(?:\/\w+)+(?:\/-)?$/u.test(path))
          expect(shown.some((form) => form.test(`${op} ${path}`))).toBe(true);
    });
    fc.assert(property, { numRuns: 2000 });
  });
});
