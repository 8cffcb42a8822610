import fc from 'fast-check';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { hostileText as hostile } from '../support/hostile-text.ts';
import { run } from '../support/process.ts';
import { editYaml } from '../../src/files/edit/edit.ts';
import { renderConfiguration } from '../../src/init/files.ts';
import { writeDocument } from '../../src/files/edit/body.ts';
import { rounds } from '../support/rounds.ts';

/** Texts and numbers, how they are written, and what PyYAML and libyaml (with PyYAML) make of them without quotes or escapes. */
const cases: readonly {
  readonly value: string | number;
  readonly block: string;
  readonly flow?: string;
  readonly bare: string;
}[] = [
  { value: 'a\tb', block: String.raw`"a\tb"`, bare: 'PyYAML refuses it, libyaml reads it' },
  { value: 'a?? b', block: 'a?? b', flow: '"a?? b"', bare: 'PyYAML refuses it in braces' },
  { value: '??', block: '"??"', bare: 'both refuse it in braces' },
  { value: '=', block: '"="', bare: 'both refuse it' },
  { value: '<<', block: '"<<"', bare: 'both refuse it' },
  { value: 'it\u0092s', block: String.raw`"it\u0092s"`, bare: 'both refuse it' },
  { value: 'a\u007fb', block: String.raw`"a\u007fb"`, bare: 'both refuse it' },
  { value: '\uffff', block: String.raw`"\uffff"`, bare: 'both refuse it' },
  { value: '\ufffe', block: String.raw`"\ufffe"`, bare: 'both refuse it' },
  { value: 'a\u0085b', block: String.raw`"a\u0085b"`, bare: 'both refuse it; a space in braces' },
  { value: 'a\u0085', block: String.raw`"a\u0085"`, bare: 'both read `a`' },
  { value: 'a\u2028b', block: String.raw`"a\u2028b"`, bare: 'both refuse it outside of braces' },
  { value: 'a\u2029b', block: String.raw`"a\u2029b"`, bare: 'both refuse it outside of braces' },
  { value: 'b\u0085\nc', block: String.raw`"b\u0085\nc"`, bare: 'both refuse it in a block' },
  { value: 'a\r\nb', block: String.raw`"a\r\nb"`, bare: 'both read a line feed' },
  { value: 'no', block: '"no"', bare: 'both read false' },
  { value: '12:30', block: '"12:30"', bare: 'both read 750' },
  { value: '012', block: '"012"', bare: 'both read 10' },
  { value: '1_0', block: '"1_0"', bare: 'both read 10' },
  { value: '2024-01-01', block: '"2024-01-01"', bare: 'both read a date' },
  { value: '.inf', block: '".inf"', bare: 'both read a number' },
  { value: 'e5', block: '"e5"', bare: 'both read the text; `yaml` as YAML 1.1 no number' },
  { value: 'a,b', block: 'a,b', flow: '"a,b"', bare: 'both read `a` in braces' },
  { value: 'a: b', block: '"a: b"', bare: 'both refuse it' },
  { value: '{"a": 1}', block: `'{"a": 1}'`, bare: 'both read a mapping' },
  { value: '\u{1f600}\u200b', block: '\u{1f600}\u200b', bare: 'both read the text' },
  { value: 1e21, block: '1.0e+21', bare: 'of 1e+21 both read a text' },
  { value: 1e-7, block: '1.0e-7', bare: 'of 1e-7 both read a text' },
  { value: 2 ** 53 + 2, block: '9.007199254740994e+15', bare: 'both read an integer' },
];

test.for(cases)(
  '$value is written so that all parsers read it',
  ({ value, block, flow = block }) => {
    const fields = { id: 'x', a: value, b: { [String(value)]: value }, c: [{ d: value }] };
    const text = writeDocument(fields);
    expect(text.split('\n')[1]).toBe(`a: ${block}`);
    expect(text).toContain(` d: ${flow}`);
    expect(readings(text)).toEqual(sameFor(fields));
  },
);

test('PyYAML and libyaml read the written files alike', async ({ skip }) => {
  const written = cases.map(({ value }) => writeDocument({ a: value, c: [{ d: value }, [value]] }));
  const script = `
import json, sys, yaml
texts = json.load(sys.stdin)
print(json.dumps([[yaml.load(text.encode(), Loader=loader) for text in texts]
                  for loader in (yaml.SafeLoader, yaml.CSafeLoader)]))`;
  const { code, stdout } = await run('python3', ['-c', script], { input: JSON.stringify(written) });
  if (code !== 0) skip('PyYAML with libyaml is not installed');
  const wanted = cases.map(({ value }) => ({ a: value, c: [{ d: value }, [value]] }));
  expect(JSON.parse(stdout)).toEqual([wanted, wanted]);
});

const key = hostile.filter((text) => text !== '__proto__');
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      hostile,
      fc.boolean(),
      fc.constant(null),
      fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => number + 0),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

test('`yaml` and js-yaml read the files of an import alike, by YAML 1.1 too', () => {
  const anyFields = fc.record({ id: hostile, description: hostile, extension: anyValue });
  fc.assert(
    fc.property(anyFields, (fields) => {
      expect(readings(writeDocument(fields))).toEqual(sameFor(fields));
    }),
    { numRuns: rounds(750) },
  );
});

test('so are the files of a pull', () => {
  const files = ['a: x\nb: y\n', "a: 'x'\nb: 'y'\n", '{ a: "x", b: "y" }\n', 'a: |\n  x\nb: y\n'];
  fc.assert(
    fc.property(fc.constantFrom(...files), anyValue, hostile, (before, value, text) => {
      const edit = editYaml(before, [
        { op: 'replace', path: '/a', value: text },
        { op: 'replace', path: '/b', value },
      ]);
      expect(edit.kind).toBe('edited');
      expect(readings('text' in edit ? edit.text : '')).toEqual(sameFor({ a: text, b: value }));
    }),
    { numRuns: rounds(250) },
  );
});

test('so are the names of folders that init writes', () => {
  const folders = fc.array(hostile, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(folders, (include) => {
      const text = renderConfiguration({ include, hasOdcs: false, dialects: [] });
      expect(readings(text)).toEqual(sameFor({ contracts: { include } }));
    }),
    { numRuns: rounds(150), examples: [[['on', 'no', '1e5', 'a\tb', 'y']]] },
  );
});

function readings(text: string): readonly unknown[] {
  return [
    parse(text),
    parse(text, { version: '1.1' }),
    load(text),
    load(text, { schema: YAML11_SCHEMA }),
  ];
}

function sameFor(value: JsonObject): readonly unknown[] {
  return [value, value, value, value];
}
