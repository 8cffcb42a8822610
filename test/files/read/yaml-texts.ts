import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc } from '@fast-check/vitest';
import { stringify } from 'yaml';
import { parseText } from '../../../src/files/read/events.ts';
import { decodeText } from '../../../src/files/text.ts';
import { root } from '../../support/root.ts';

/** Cases of github.com/yaml/yaml-test-suite (MIT licence), by their identifiers. */
export const suite: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'yaml-test-suite.json'), 'utf8'),
);

/** YAML files of the repository, by their paths; those that are no text are left out. */
export function textsOf(pattern: string): Readonly<Record<string, string>> {
  const files = globSync(pattern, { cwd: root }).toSorted();
  const texts = files.flatMap((file) => {
    const text = textOf(readFileSync(join(root, file)));
    return text === undefined ? [] : [[file, text] as const];
  });
  return Object.fromEntries(texts);
}

function textOf(bytes: Uint8Array): string | undefined {
  const decoded = decodeText('a.yaml', bytes);
  return 'text' in decoded ? decoded.text : undefined;
}

const originals = [
  ...Object.values(suite),
  ...Object.values(textsOf('test/files/hostile/*.yaml')),
  ...Object.values(textsOf('examples/**/*.{yaml,yml}')),
].filter(({ length }) => length < 4000);
const valid = originals.filter((text) => !parseText(text).error);

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.lorem({ maxCount: 30 }),
  fc.constantFrom(
    '|',
    '- a',
    'a: b',
    'no',
    '1_000',
    '0x1',
    'a #b',
    '  x\n y\n',
    '\n',
    '---',
    'é\nb',
  ),
  fc.integer(),
  fc.integer({ min: -100_000, max: 100_000 }).map((thousandths) => thousandths / 1000),
  fc.boolean(),
  fc.constant(null),
);
const key = fc.oneof(
  { weight: 9, arbitrary: fc.stringMatching(/^[a-z/~ ]{1,8}$/u) },
  { weight: 1, arbitrary: fc.string() },
);
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'medium' }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
}));

/** What the yaml package writes of any value, in any of its styles. */
const written = fc
  .tuple(
    json.map,
    fc.record({
      defaultStringType: fc.constantFrom(
        ...(['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const),
      ),
      collectionStyle: fc.constantFrom('any', 'any', 'flow' as const),
      indent: fc.constantFrom(1, 2, 4),
      indentSeq: fc.boolean(),
      lineWidth: fc.constantFrom(0, 20, 80),
      nullStr: fc.constantFrom('', 'null', '~'),
    }),
  )
  .map(([value, options]) => stringify(value, { ...options, aliasDuplicateObjects: false }));

/** What means something in YAML, or might. */
// oxfmt-ignore
const pieces = [
  '\n', '\n', '\n  ', '\n    ', '\n\n', '\n   \n', '\r\n', ' ', '  ', '\u00a0', '\t', '\ufeff',
  '- ', '-', ': ', ':', ',', '[', ']', '{', '}', '#', ' # c', '\n# c\n', '|', '>', '|-', '>+',
  "'", '"', "''", '\\', '\\n', '\\\n', '\\x41', '\\ud83d\\ude00', '\\_', '\\/', '\\U0001F600',
  '---\n', '\n---\n', '\n...\n', '\n--- ', '? ', '!', '!!str ', '&a ', '*a', '<<: ', '%', '@',
  '~', 'null', 'True', 'no', '1.5', '0', '-0', '-1', '.5', '5.', '+1', '1e3', '0x1f', '012',
  '9007199254740993', '.inf', '.nan', '12:30', '2024-01-01', 'a', 'é', '😀', '__proto__',
  'key: v', '\nkey:', '{a: b, c}', '[a, b: c]', '{a: }', '[]', '{}', '- - x', '"a" : b', '|2',
  "'a: b'", '"a\n  b"', '[a,\n  b]', '{a: 1,\n b: 2}', '{ "a":1 }', '["a":1]', '>-\n  x\n',
];

/** Replaces what is between two places (as parts of a million), or moves, indents or drops lines. */
const mutation = fc.oneof(
  fc.tuple(fc.constant('insert'), fc.nat(999_999), fc.nat(20), fc.constantFrom(...pieces)),
  fc.tuple(fc.constant('insert'), fc.nat(999_999), fc.constant(0), fc.constantFrom(...pieces)),
  fc.tuple(fc.constantFrom('copy', 'swap', 'indent', 'drop'), fc.nat(999_999), fc.nat(999_999)),
);
type Mutation = readonly [kind: string, from: number, to: number, insert?: string];

function mutate(text: string, [kind, from, to, insert = '']: Mutation): string {
  const start = partOf(from, text.length);
  if (kind === 'insert') return text.slice(0, start) + insert + text.slice(start + to);
  const lines = text.split('\n');
  const line = partOf(from, lines.length);
  const other = partOf(to, lines.length);
  if (kind === 'drop') return lines.toSpliced(line, 1).join('\n');
  if (kind === 'copy') return lines.toSpliced(other, 0, lines[line] ?? '').join('\n');
  if (kind === 'indent') return lines.with(line, reindented(lines[line] ?? '', to % 5)).join('\n');
  return lines
    .with(line, lines[other] ?? '')
    .with(other, lines[line] ?? '')
    .join('\n');
}

function partOf(millionths: number, whole: number): number {
  return Math.floor((millionths / 1_000_000) * whole);
}

function reindented(line: string, by: number): string {
  return by < 2 ? line.slice(line.startsWith(' ') ? by + 1 : 0) : `${' '.repeat(by - 1)}${line}`;
}

// oxfmt-ignore
const shortLines = [
  '-', '- abc', '- - x', 'abc', 'def', '#x', '# c', 'a:', 'a: 1', 'b: c d', '', ' ', '- a:', '- a: 1',
  '"x', 'y"', "'q'", '|', '- |', 'a: |', 'a: >-', '- >+', '- |2', 'b: |1-', '[', ']', '[a,', 'b]',
  '{a: 1,', 'b: 2}', '? k', ': v', '&a', '- &a', 'a: &a', '*a', '- *a', '!!str', 'b: !!str', '"k": v',
  'a: x #y', '<<: *a', 'b: &a {b: c}', '---', '...', 'a: "b\\', '\\ c"', 'a:  # c', '- # c', '\tx',
];

/** Few lines, indented at random: most are no YAML, but those that are have odd shapes. */
const shortTexts = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 1, 2, 2, -1, -2, -4), fc.constantFrom(...shortLines)), {
    minLength: 2,
    maxLength: 6,
  })
  .map((lines) => {
    let column = 0;
    return lines.map(([by, line]) => {
      column = Math.max(0, column + by);
      return `${' '.repeat(column)}${line}\n`;
    });
  })
  .map((lines) => lines.join(''));

/** Texts that are valid YAML, or were before they were changed here and there. */
export const yamlTexts = fc
  .tuple(
    // Most changes of a text that is not valid make it no better.
    fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...originals) },
      { weight: 4, arbitrary: fc.constantFrom(...valid) },
      { weight: 2, arbitrary: written },
      { weight: 3, arbitrary: shortTexts },
    ),
    fc.array(mutation, { maxLength: 3, size: 'max' }),
  )
  .map(([text, mutations]) => textOf(Buffer.from(mutations.reduce(mutate, text))) ?? '');
