import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedMember } from '../../src/catalog/answers.ts';

/** A name in its quotes, as it is or with one letter escaped. */
const written = fc.constantFrom('data', 'paging', 'other').chain((name) =>
  fc.nat(name.length).map((at) => {
    const code = name.charCodeAt(at).toString(16);
    const text = at < name.length ? `${name.slice(0, at)}\\u00${code}${name.slice(at + 1)}` : name;
    return { name, text: `"${text}"` };
  }),
);

/** Values that hold the same names, deeper or as text. */
const value = fc.oneof(
  fc.json(),
  fc.constantFrom(
    '"data"',
    '["data","paging"]',
    '{"data":{"data":[],"data":"}"},"paging":1}',
    String.raw`"\"data\":{"`,
    String.raw`"\\"`,
  ),
);

const member = fc.tuple(written, fc.constantFrom('', ' ', '\n'), value);

test('a page with two members of one name is reported, in any spelling', () => {
  fc.assert(
    fc.property(fc.array(member, { maxLength: 5 }), (members) => {
      const page = `{${members.map(([{ text }, blank, json]) => `${text}${blank}:${json}`).join(',')}}`;
      const counts = Map.groupBy(members, ([{ name }]): string => name);
      const twice = ['data', 'paging'].find((name) => (counts.get(name)?.length ?? 0) > 1);
      expect(() => JSON.parse(page)).not.toThrow();
      expect(repeatedMember(page)).toBe(twice);
    }),
    { numRuns: 2000 },
  );
});

test('a page that is not an object is not searched', () => {
  expect(repeatedMember('["data","data"]')).toBeUndefined();
  expect(repeatedMember('"\\u0064"')).toBeUndefined();
});
