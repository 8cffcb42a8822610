import { test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { checkYaml } from '../../../src/files/read/document.ts';
import { agreementOn } from './agreement.ts';
import { suite, textsOf, yamlTexts } from './yaml-texts.ts';

describe('no text is read as one value here and as another elsewhere', () => {
  const texts = { ...suite, ...textsOf('test/files/hostile/*.yaml') };
  test.each(Object.entries(texts))('%s', (_name, text) => {
    expect(agreementOn(text)).toMatch(/^(?:agree|refused)$/u);
  });

  property.prop([yamlTexts], { numRuns: 1000 })('whatever the text', (text) => {
    expect(agreementOn(text)).toMatch(/^(?:agree|refused)$/u);
  });
});

test.each(Object.entries(textsOf('{examples,test/scenarios}/**/*.{yaml,yml}')))(
  '%s is read alike',
  (_name, text) => {
    expect(agreementOn(text)).toBe('agree');
  },
);

describe('what readers would read as different values is refused at its place', () => {
  test.each([
    ['a comment without a space, between a dash and its text', '-\n#x\n  abc\n- def\n', '3:3'],
    ['such a comment below a key', 'a:\n  - b:\n  #x\n\n      c\n  - d\n', '5:7'],
    ['such a comment, and a tab', '-\n#x\n  \tabc\n- def\n', '3:4'],
    ['a backslash above a blank line', 'a: "b\\\n\n  c"\n', '1:5'],
    ['a last line of spaces', 'a:\n- |+\n\n   ', '3:1'],
    ['a text that says its indentation, and ends in spaces', 'a: |1-\n  b\n  \n', '2:1'],
    ['a mark with spaces before it', ' ---\na: 1\n', '1:1'],
    ['a carriage return alone', 'a: 1\r\nb: 2\rc: 3\r\n', '2:5'],
    ['the end of no document', '# none\n...\na: 1\n', '2:1'],
    ['the end of no second document', 'a: 1\n...\n# none\n\n...\nb: 1\n', '5:1'],
    ['an invisible character', 'a: 1\n\n\ufeffb: 2\n', '3:1'],
    ['a handle of tags', '%TAG !! tag:example.com,2000:\n---\na: !!int 3\n', '1:1'],
  ])('%s', (_what, text, place) => {
    const { documents, findings, lines } = checkYaml(text, () => []);
    expect(documents).toEqual([]);
    expect(findings).toMatchObject([{ code: 'yaml-ambiguous', hint: expect.any(String) }]);
    const { line, column } = lines.place(findings[0]?.offset ?? 0);
    expect(`${line}:${column}`).toBe(place);
  });

  test.each([
    ['a comment with a space', '-\n# x\n  abc\n- def\n'],
    ['a comment without one above keys', 'a:\n#x\n  b: 1\n#y\n  "c": 2\n'],
    ['a comment without one above items', 'a:\n  #x\n  - b\n  #y\n  - c: 1\n    #z\n    d: 2\n'],
    ['a backslash at the end of a line', 'a: "b\\\n  c\\\\\n\n  d"\n'],
    ['a text of several lines that ends in spaces', 'a: |\n  b\n    \nc: 1\n'],
    ['a text that says its indentation', 'a: |2\n    b\n\n  c\n'],
    ['ends of documents', 'a: |\n  ...\n...\n---\nb: 1\n...\n'],
    ['a mark within a text', 'a: |\n  ---\n  b\n---\nc: 1\n'],
  ])('but not %s', (_what, text) => {
    expect(agreementOn(text)).toBe('agree');
  });
});
