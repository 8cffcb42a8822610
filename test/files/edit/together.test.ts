import { expect, onTestFinished, test, vi } from 'vitest';
import { Lexer } from 'yaml';
import { editYaml } from '../../../src/files/edit/edit.ts';
import type { Operation } from '../../../src/patch/evaluate.ts';

/** The tab keeps the file from being read as a simple one, by another parser. */
const tables = (count: number): string =>
  `#\tTables\n${Array.from({ length: count }, (_, at) => `t${at}:\n  - a: 1 # first\n    b: 'yes'\n`).join('')}`;

const changesOf = (at: number): readonly Operation[] => [
  { op: 'replace', path: `/t${at}/0/a`, value: [at] },
  { op: 'remove', path: `/t${at}/0/b` },
  { op: 'add', path: `/t${at}/1`, value: { a: 'new' } },
];

function readings(count: number): number {
  const lex = vi.spyOn(Lexer.prototype, 'lex');
  onTestFinished(() => lex.mockRestore());
  lex.mockClear();
  const patch = Array.from({ length: count }, (_, at) => changesOf(at)).flat();
  const edit = editYaml(tables(count), patch);
  expect(edit).toMatchObject({ kind: 'edited', text: expect.stringContaining(`t${count - 1}:`) });
  return lex.mock.calls.length;
}

test('a text is read as often for many changes apart from each other as for few', () => {
  expect(readings(40)).toBe(readings(2));
});

test('elements that are added at many places of a list are written at once, and no comment goes', () => {
  const names = Array.from({ length: 90 }, (_, at) => `c${at}`);
  const text = `schema:\n${names.map((name) => `  - name: ${name} # of ${name}\n`).join('')}`;
  const patch = names.flatMap((name, at): Operation[] => [
    { op: 'add', path: `/schema/${3 * at}`, value: { name: `before ${name}` } },
    { op: 'add', path: `/schema/${3 * at + 1}`, value: { name: `right before ${name}` } },
  ]);
  const after = names.map(
    (name) =>
      `  - name: before ${name}\n  - name: right before ${name}\n  - name: ${name} # of ${name}\n`,
  );
  const edit = editYaml(text, patch);
  expect(edit).toEqual({ kind: 'edited', text: `schema:\n${after.join('')}`, removedComments: [] });
});

test('of the changes of one patch, the one that cannot be is refused with its line', () => {
  const before = `${tables(3)}? odd\n`;
  const patch = [...changesOf(0), { op: 'replace', path: '/odd', value: 1 } as const];
  expect(editYaml(before, patch)).toMatchObject({ kind: 'refused', line: 11 });
});
