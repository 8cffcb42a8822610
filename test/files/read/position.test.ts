import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isScalar, parseDocument, stringify } from 'yaml';
import { placeOf } from '../../../src/files/read/document.ts';
import { formatPointer, parsePointer } from '../../../src/patch/pointer.ts';

const text = `# The first line is a comment.
id: 7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55
description: &text
  Hello
entityStatus: !!str Active
sla: &sla { interval: 1, unit: day }
schema:
  - name: a
    tags: [x, y]
  - *sla
  -
    name: c
owners:
semantics: null
extension:
  base: &base
    one: 1
    two: 2
  over: &over
    two: 22
  <<: *base
  merged:
    <<: [*over, *base]
    three: 3
  note: *text
  "a/b~c": slash
  ? complex
  : value
`;

function place(pointer: string, source: string = text, index = 0): string {
  const { line, column } = placeOf(
    { file: 'a.yaml', text: source, index },
    parsePointer(pointer) ?? [],
  );
  return `${line}:${column}`;
}

describe('the place of a value', () => {
  test.each([
    ['', '2:1', 'the document starts at its first key'],
    ['/id', '2:5', 'a value on the line of its key'],
    ['/description', '4:3', 'a value with an anchor, on the next line'],
    ['/entityStatus', '5:21', 'a value behind its tag'],
    ['/sla', '6:11', 'a flow mapping'],
    ['/sla/unit', '6:32', 'a value in a flow mapping'],
    ['/schema', '8:3', 'a list starts at its first item'],
    ['/schema/0', '8:5', 'an item'],
    ['/schema/0/tags/1', '9:15', 'an item of an inner list'],
    ['/schema/2/name', '12:11', 'a value below an item on the next line'],
    ['/owners', '13:8', 'a value that is left empty'],
    ['/semantics', '14:12', 'a null'],
    ['/extension/a~1b~0c', '26:12', 'a key with characters that a pointer escapes'],
    ['/extension/complex', '28:5', 'an explicit key'],
  ])('%s is at %s: %s', (pointer, expected) => {
    expect(place(pointer)).toBe(expected);
  });

  test.each([
    ['/extension/note', '4:3', 'an alias'],
    ['/schema/1', '6:11', 'an alias in a list'],
    ['/schema/1/interval', '6:23', 'below an alias'],
    ['/extension/one', '17:10', 'a merged key'],
    ['/extension/merged/one', '17:10', 'a key merged from the second of two'],
    ['/extension/merged/two', '20:10', 'a key that both merged mappings have: the first wins'],
    ['/extension/merged/three', '24:12', 'a key beside merged ones'],
  ])('%s is where it is stated, at %s: %s', (pointer, expected) => {
    expect(place(pointer)).toBe(expected);
  });

  test.each([
    ['/nothing', '2:1'],
    ['/sla/nothing/deep', '6:11'],
    ['/schema/9', '8:3'],
    ['/schema/-', '8:3'],
    ['/schema/name', '8:3'],
    ['/id/deeper', '2:5'],
    ['/extension/<<', '16:3'],
  ])('%s, which is not there, is at its nearest ancestor, %s', (pointer, expected) => {
    expect(place(pointer)).toBe(expected);
  });

  test('in a later document counts from the top of the file', () => {
    expect(place('/b/1', 'a: 1\n---\nb: [x, y]\n', 1)).toBe('3:8');
  });

  test('is found in many texts in turns, more than stay parsed', () => {
    const sources = Array.from({ length: 100 }, (_, lines) => `${'\n'.repeat(lines)}a: [x, y]\n`);
    for (const lines of [...sources.keys(), ...sources.keys(), 99, 0, 50]) {
      const source = { file: 'a.yaml', text: sources[lines] ?? '', index: 0 };
      expect(placeOf(source, ['a', '1'])).toEqual({ file: 'a.yaml', line: lines + 1, column: 8 });
    }
  });

  test('counts columns in UTF-16 code units, and takes CRLF as one line break', () => {
    expect(place('/b', 'a: x\r\n"😀é": 1\r\nb: 2\r\n')).toBe('3:4');
    expect(place('/b', '{ "😀": 1, b: 2 }')).toBe('1:15');
  });
});

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(fc.stringMatching(/^[a-z/~ ]{1,8}$/u), tie('value'), { maxKeys: 4 }),
}));

property.prop([json.map, fc.constantFrom('BLOCK_LITERAL', 'QUOTE_DOUBLE', 'PLAIN'), fc.boolean()])(
  'every value of a document is found where the yaml package has it',
  (value, defaultStringType, flow) => {
    const source = stringify(value, { defaultStringType, collectionStyle: flow ? 'flow' : 'any' });
    const document = parseDocument(source);
    for (const pointer of pointersOf(value)) {
      const node = pointer.length === 0 ? document.contents : document.getIn(pointer, true);
      const offset = rangeOf(node);
      const line = source.slice(0, offset).split('\n').length;
      const column = offset - source.lastIndexOf('\n', offset - 1);
      expect(place(formatPointer(pointer.map(String)), source)).toBe(`${line}:${column}`);
    }
  },
);

function pointersOf(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return [[], ...entries.flatMap(([key, item]) => pointersOf(item).map((rest) => [key, ...rest]))];
}

function rangeOf(node: unknown): number {
  const range = (isScalar(node) ? node.range : (node as { range?: number[] }).range) ?? [];
  return range[0] ?? -1;
}
