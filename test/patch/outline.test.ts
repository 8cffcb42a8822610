import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import {
  drawOutline,
  elementMembers,
  formatPointer,
  isInOutline,
  nearestPointer,
  type Outline,
  parsePattern,
  type Pattern,
} from '../../src/patch/pointer.ts';
import { preserve } from '../../src/patch/preserve.ts';
import { rounds } from '../support/rounds.ts';

function outlineOf(...documents: readonly JsonValue[]): Outline {
  const outline = drawOutline(documents);
  if (!outline) throw new Error('too much');
  return outline;
}

function patternOf(text: string): Pattern {
  const pattern = parsePattern(text);
  if (!pattern) throw new Error('no pattern');
  return pattern;
}

const outline = outlineOf(
  {
    schema: [
      { name: 'a', tags: [] },
      { name: 'b', children: [{ name: 'c', tags: [] }] },
    ],
  },
  { sla: { refreshFrequency: { unit: 'day' } }, '*': 1 },
);

test.for([
  { text: '/schema', isThere: true },
  { text: '/schema/*/tags', isThere: true },
  { text: '/schema/**/tags', isThere: true },
  { text: '/**/unit', isThere: true },
  { text: '/sla/*/unit', isThere: true },
  { text: '/schema/*/children/*/tags', isThere: true },
  { text: '/schema/0/tags', isThere: false },
  { text: '/schema/*/tag', isThere: false },
  { text: '/schema/*/children/tags', isThere: false },
  { text: '/semantics', isThere: false },
])('$text: $isThere', ({ text, isThere }) => {
  expect(isInOutline(patternOf(text), outline)).toBe(isThere);
});

test.for([
  ['/schema/*/tag', '/schema/*/tags'],
  ['/schema/0/tags', '/schema/*/tags'],
  ['/shema/*/tags', '/schema/*/tags'],
  ['/sla/refreshFrequncy/**', '/sla/refreshFrequency/**'],
  ['/extension/cost', undefined],
  ['/schema/*/tags/*/name', undefined],
])('instead of %s, %s was meant', ([text = '', meant]) => {
  const near = nearestPointer(patternOf(text), outline);
  expect(near && formatPointer(near)).toBe(meant);
});

test('the members of elements are known by the name of their array, at any depth', () => {
  const members = elementMembers(outline);
  expect([...(members.get('schema') ?? [])]).toEqual(['name', 'tags', 'children']);
  expect([...(members.get('children') ?? [])]).toEqual(['name', 'tags']);
  expect(members.has('sla')).toBe(false);
});

test('a pattern that is not in the outline ignores nothing', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const { value } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(1, 'x', null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  }));
  const document = fc.dictionary(name, value, { maxKeys: 3 });
  const pattern = fc.array(fc.oneof(name, fc.constantFrom('*', '**', '0')), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(document, document, pattern, (live, desired, ignored) => {
      fc.pre(!isInOutline(ignored, outlineOf(live, desired)));
      expect(preserve(live, desired, { ignore: [ignored] })).toEqual(desired);
    }),
    { numRuns: rounds(1000) },
  );
});

test('what is too much to keep is no outline, and takes no time to speak of', () => {
  const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`m${index}`, 1]));
  let deep: JsonValue = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  for (const document of [wide, deep]) expect(drawOutline([document])).toBeUndefined();
});
