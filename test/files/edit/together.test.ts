import { expect, onTestFinished, test, vi } from 'vitest';
import { Lexer } from 'yaml';
import { editYaml } from '../../../src/files/edit/edit.ts';
import type { TextChange } from '../../../src/files/edit/state.ts';

/** The tab keeps the file from being read as a simple one, by another parser. */
const tables = (count: number): string =>
  `#\tTables\n${Array.from({ length: count }, (_, at) => `t${at}:\n  - a: 1 # first\n    b: 'yes'\n`).join('')}`;

const changesOf = (at: number): readonly TextChange[] => [
  { op: 'replace', path: `/t${at}/0/a`, value: [at] },
  { op: 'remove', path: `/t${at}/0/b` },
  { op: 'add', path: `/t${at}/1`, value: { a: 'new' } },
];

/** The edit, and how often the text is read for it. */
function editCounted(text: string, patch: readonly TextChange[]) {
  const lex = vi.spyOn(Lexer.prototype, 'lex');
  onTestFinished(() => lex.mockRestore());
  lex.mockClear();
  const edit = editYaml(text, patch);
  return { edit, readings: lex.mock.calls.length };
}

test('a text is read as often for many changes apart from each other as for few', () => {
  const [few, many] = [2, 40].map((count) => {
    const patch = Array.from({ length: count }, (_, at) => changesOf(at)).flat();
    const { edit, readings } = editCounted(tables(count), patch);
    expect(edit).toMatchObject({ text: expect.stringContaining(`t${count - 1}:`) });
    return readings;
  });
  expect(many).toBe(few);
});

test('and for many elements that are added to a list, at the same places too; no comment goes', () => {
  const [few, many] = [2, 90].map((count) => {
    const names = Array.from({ length: count }, (_, at) => `c${at}`);
    const text = names.map((name) => `  - name: ${name} # of ${name}\n`).join('');
    const patch = names.flatMap((name, at): TextChange[] => [
      { op: 'add', path: `/schema/${3 * at}`, value: { name: `before ${name}` } },
      { op: 'add', path: `/schema/${3 * at + 1}`, value: { name: `right before ${name}` } },
    ]);
    const { edit, readings } = editCounted(`#\tList\nschema:\n${text}`, patch);
    const after = text.replaceAll(
      /^  - name: (c\d+)/gmu,
      '  - name: before $1\n  - name: right before $1\n  - name: $1',
    );
    expect(edit).toMatchObject({ text: `#\tList\nschema:\n${after}` });
    return readings;
  });
  expect(many).toBe(few);
});

test.each([
  ['on one line', (items: readonly string[]) => `[${items.join(', ')}]`],
  ['on lines of their own', (items: readonly string[]) => `[\n  ${items.join(',\n  ')}\n]`],
  [
    'with a last comma',
    (items: readonly string[]) => `[\n${items.map((item) => `  ${item},\n`).join('')}]`,
  ],
])('and for many elements that are added to a flow list %s', (_, write) => {
  const [few, many] = [2, 90].map((count) => {
    const items = Array.from({ length: count }, (_each, at) => `{ name: c${at} }`);
    const patch = items.map((_each, at): TextChange => ({
      op: 'add',
      path: `/schema/${at + 1}`,
      value: { name: `c${at}` },
    }));
    const { edit, readings } = editCounted(`#\tList\nschema: ${write(['{ name: id }'])}\n`, patch);
    expect(edit).toMatchObject({ text: `#\tList\nschema: ${write(['{ name: id }', ...items])}\n` });
    return readings;
  });
  expect(many).toBe(few);
});

test('of the changes of one patch, the one that cannot be is refused with its line', () => {
  const before = `${tables(3)}? odd\n`;
  const patch = [...changesOf(0), { op: 'replace', path: '/odd', value: 1 } as const];
  expect(editYaml(before, patch)).toMatchObject({ kind: 'refused', line: 11 });
});
