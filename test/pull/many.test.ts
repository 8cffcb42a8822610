import { expect, onTestFinished, test, vi } from 'vitest';
import { Lexer } from 'yaml';
import type { JsonObject } from '../../src/core/json.ts';
import { declaredIn } from '../../src/files/files.ts';
import type { Divergence, FormatRules } from '../../src/files/formats/format.ts';
import { defaultOdcsSettings, parseTemplate } from '../../src/files/formats/odcs/settings.ts';
import { restateFile } from '../../src/pull/restate.ts';
import { lenientRules as rules } from '../support/rules.ts';

const parsed = parseTemplate('shop.{object.name}');
const template = 'template' in parsed ? parsed.template : [];
const formats: FormatRules = {
  odcs: {
    settings: { ...defaultOdcsSettings, entity: [{ when: {}, is: template }] },
    run: { today: '2026-01-01', takesAnyUnit: true },
  },
};

/** The tab keeps a file from being read as a simple one, by another parser. */
const native = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `#\tTable ${at}\nname: c${at}\nentity: { fullyQualifiedName: shop.c${at} }\ndescription: Wording # kept ${at}\nschema:\n  - name: a\n    dataType: INT\n`,
  ).join('---\n');

const odcs = (count: number): string =>
  `apiVersion: v3.1.0\nkind: DataContract\nid: x #\tours\nschema:\n${Array.from(
    { length: count },
    (_, at) =>
      `  - name: o${at}\n    properties:\n      - name: a # kept ${at}\n        physicalType: INT\n        description: Wording\n`,
  ).join('')}`;

function divergencesIn(text: string): readonly Divergence[] {
  const source = { file: 'a.yaml', text };
  return declaredIn(source, formats).contracts.map((desired, at) => {
    const columns = [
      { name: 'a', dataType: 'INT', description: `Edited ${at}` },
      { name: 'b', dataType: 'INT' },
    ];
    const document: JsonObject = { ...desired.managed, id: `x${at}`, schema: columns };
    const live = { id: `x${at}`, name: `c${at}`, document };
    return { live, desired, rules };
  });
}

function turn(text: string) {
  const inFile = divergencesIn(text);
  const lex = vi.spyOn(Lexer.prototype, 'lex');
  onTestFinished(() => lex.mockRestore());
  lex.mockClear();
  const turned = restateFile({ file: 'a.yaml', text }, inFile, { ...formats, inFile });
  const read = lex.mock.calls.reduce((sum, [source]) => sum + source.length, 0);
  return { turned, times: read / text.length };
}

test.each([
  { format: 'native', write: native },
  { format: 'ODCS', write: odcs },
])('a $format file of many contracts is read as often as one of few', ({ write }) => {
  const [few, many] = [turn(write(3)), turn(write(60))];
  expect(many.turned.problems).toEqual([]);
  expect(many.turned.pulled).toHaveLength(60);
  expect(many.turned.after.match(/# kept \d+/gu)).toHaveLength(60);
  expect(many.turned.after.match(/description: Edited \d+/gu)).toHaveLength(60);
  expect(many.times).toBeLessThan(few.times * 1.2);
});

test('a contract of a native file that cannot be edited keeps back itself alone, with its line', () => {
  const text = native(9).replace('name: c5\n', 'name: c5\n? sla\n');
  const { turned } = turn(text);
  expect(turned.pulled).toHaveLength(9);
  const inFile = divergencesIn(text).map((each, at) =>
    at === 5
      ? { ...each, live: { ...each.live, document: { ...each.live.document, sla: { a: 1 } } } }
      : each,
  );
  const { pulled, problems, after } = restateFile({ file: 'a.yaml', text }, inFile, {
    ...formats,
    inFile,
  });
  expect(pulled.map(({ live }) => live.name)).not.toContain('c5');
  expect(pulled).toHaveLength(8);
  expect(problems).toMatchObject([{ code: 'edit-refused', source: { line: 43 } }]);
  expect(after.match(/description: Edited \d+/gu)).toHaveLength(8);
});

test.each([
  {
    what: 'a comment below a key',
    lines: ['description:', '          # why', '          Wording'],
  },
  { what: 'an anchor', lines: ['description: &said Wording', '        businessName: *said'] },
  { what: 'a key without a colon', lines: ['description: Wording', '        ? businessName'] },
])('with $what in it an ODCS file is as after one pull for each contract', ({ lines }) => {
  const parts = odcs(9).split('description: Wording');
  const text =
    parts.slice(0, 5).join('description: Wording') +
    lines.join('\n') +
    parts.slice(5).join('description: Wording');
  let alone = text;
  for (const at of parts.slice(1).keys()) {
    const inFile = divergencesIn(alone);
    const own = inFile.slice(at, at + 1);
    alone = restateFile({ file: 'a.yaml', text: alone }, own, { ...formats, inFile }).after;
  }
  expect(turn(text).turned.after).toBe(alone);
  expect(alone).not.toBe(text);
});

test('a text in which `---` divides no documents is edited as a whole', () => {
  const text = `%YAML 1.2\n# Ours.\n---\n${native(2)}...\n# The end.\n`;
  const { turned } = turn(text);
  expect(turned.problems).toEqual([]);
  expect(turned.after).toContain('%YAML 1.2\n# Ours.\n---\n');
  expect(turned.after.match(/Edited \d+/gu)).toHaveLength(2);
});
