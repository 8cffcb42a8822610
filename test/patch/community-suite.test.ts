import specCases from 'json-patch-test-suite/spec_tests.json' with { type: 'json' };
import cases from 'json-patch-test-suite/tests.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import { evaluate, type Patch, PatchError } from '../../src/patch/evaluate.ts';

type Case = {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: Patch;
  readonly expected?: JsonValue;
  readonly error?: string;
};

const suite = [...cases, ...specCases] as readonly Case[];

describe('the community suite of RFC 6902, cases that the suite disables included', () => {
  it('has not become smaller', () => {
    expect(suite.length).toBeGreaterThanOrEqual(95);
  });

  for (const [number, { comment, doc, patch, expected, error }] of suite.entries()) {
    // A parsed document cannot show the duplicate members that these two cases are about.
    if (error?.includes("two 'op' members")) continue;
    // The type of a patch excludes these.
    if (/^missing '(?:value|from)' parameter$|^Unrecognized op /u.test(error ?? '')) continue;

    it(`${number}: ${comment ?? error ?? JSON.stringify(patch)}`, () => {
      const before = structuredClone(doc);
      if (error === undefined) expect(evaluate(doc, patch)).toEqual(expected ?? doc);
      else expect(() => evaluate(doc, patch)).toThrow(PatchError);
      expect(doc).toEqual(before);
    });
  }
});
