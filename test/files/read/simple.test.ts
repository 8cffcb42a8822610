import { test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseSimple } from '../../../src/files/read/simple.ts';
import { agreementOn } from './agreement.ts';
import { suite, textsOf, yamlTexts } from './yaml-texts.ts';

describe('what is read quickly is read as the yaml package reads it', () => {
  const texts = { ...suite, ...textsOf('test/files/hostile/*.yaml') };
  test.each(Object.entries(texts))('%s', (_name, text) => {
    expect(agreementOn(text)).toMatch(/^(?:agree|slow)$/u);
  });

  property.prop([yamlTexts], { numRuns: 1000 })('whatever the text', (text) => {
    expect(agreementOn(text)).toMatch(/^(?:agree|slow)$/u);
  });
});

test.each(Object.entries(textsOf('{examples,test/scenarios}/**/*.{yaml,yml}')))(
  '%s is read quickly',
  (_name, text) => {
    expect(agreementOn(text)).toBe('agree');
  },
);

describe('left to the yaml package', () => {
  test.each([
    ['a mistake', 'a: [\n'],
    ['an empty file', '# nothing\n'],
    ['an empty document', 'a: 1\n---\n'],
    ['a text alone', 'a\n'],
    ['a text alone in a later document', 'a: 1\n---\n|\n a\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a directive', '%YAML 1.2\n---\na: 1\n'],
    ['a directive that nobody knows', '%FOO\n---\na: 1\n'],
    ['an anchor', 'a: &a 1\n'],
    ['an alias', 'a: *a\n'],
    ['a merge key', '<<: {}\n'],
    ['a complex key', '? a\n: b\n'],
    ['a complex key in a mapping in braces', '{? a : b}\n'],
    ['a list as a key', '[a]: b\n'],
    ['an empty key', ': a\n'],
    ['a key that is a number', '1: a\n'],
    ['a key that is null', '~: a\n'],
    ['a forbidden key', '__proto__: a\n'],
    ['a key that is there twice', 'a: 1\n"a": 2\n'],
    ['a key that is longer than a key may be', `${'a'.repeat(1100)}: 1\n`],
    ['a key that is far from its colon', `a${' '.repeat(1100)}: 1\n`],
    ['an octal number', 'a: 0o17\n'],
    ['a hexadecimal number', 'a: 0x1F\n'],
    ['an infinity', 'a: -.Inf\n'],
    ['no number', 'a: .nan\n'],
    ['a leading zero', 'a: 012\n'],
    ['an exponent', 'a: 1e3\n'],
    ['a number with a plus', 'a: +1\n'],
    ['a number that begins with a point', 'a: .5\n'],
    ['a number that ends with a point', 'a: 5.\n'],
    ['-0', 'a: -0\n'],
    ['-0.0', 'a: -0.0\n'],
    ['a number of many digits', 'a: 1234567890123456\n'],
    ['a list item that is left empty', '- a\n-\n'],
    ['a value in braces that is left empty', '{a: }\n'],
    ['a key in braces alone', '{a}\n'],
    ['a pair without braces in a list', '[a: b]\n'],
    ['a comment in brackets over several lines', '[a, # b\n c]\n'],
    ['a key behind a closed list', 's:\n- []k: 1\n'],
    ['a key behind a closed quote', "s:\n- 'a'k: 1\n"],
    ['a tab', 'a:\tb\n'],
    ['a byte order mark', '\ufeffa: b\n'],
    ['an old line break', 'a: b\u2028\n'],
    ['a space at the start', ' a: b\n'],
    ['a space at the end', 'a: |+\n\n '],
    ['a value on the line of a document mark', '--- a\n'],
    ["a document's end mark", 'a: 1\n...\n'],
    ['a backslash at the end of a line', 'a: "b\\\n  c"\n'],
    ['an escape of eight digits', 'a: "\\U00110000"\n'],
    ['a block text that tells its indentation', 'a: |2\n   b\n'],
    ['a block text with a comment', 'a: | # b\n  c\n'],
    ['a text nested deep', `${'['.repeat(51)}${']'.repeat(51)}\n`],
    ['a long text', `a: |\n${'  line\n'.repeat(15_000)}`],
  ])('is %s', (_what, text) => {
    expect(parseSimple(text)).toBeUndefined();
  });
});
