import { expect, onTestFinished, test, vi } from 'vitest';
import { Lexer } from 'yaml';
import { editYaml } from '../../../src/files/edit/edit.ts';
import type { Operation } from '../../../src/patch/evaluate.ts';
import { expectEdit, text } from './edit-case.ts';

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

test('of the changes of one patch, the one that cannot be is refused with its line', () => {
  const before = `${tables(3)}? odd\n`;
  const patch = [...changesOf(0), { op: 'replace', path: '/odd', value: 1 } as const];
  expect(editYaml(before, patch)).toMatchObject({ kind: 'refused', line: 11 });
});

test('lines of removed comments are those of the first text, however many lines are alike', () => {
  expectEdit({
    name: 'twice',
    before: text`
      a:
        x: 1
        # of y
        y: 2
      b:
        x: 1
        # of y
        y: 2
      c:
        x: 1
        # of y
        y: 2
    `,
    patch: [
      { op: 'remove', path: '/a/y' },
      { op: 'remove', path: '/c/y' },
      { op: 'remove', path: '/b/y' },
    ],
    after: text`
      a:
        x: 1
      b:
        x: 1
      c:
        x: 1
    `,
    removedComments: [
      { line: 3, text: '# of y' },
      { line: 7, text: '# of y' },
      { line: 11, text: '# of y' },
    ],
  });
});

test('changes to one collection are made one after the other', () => {
  expectEdit({
    name: 'shifted',
    before: 'a: [1, 2, 3]\nb: { x: 1 }\n',
    patch: [
      { op: 'remove', path: '/a/0' },
      { op: 'replace', path: '/a/0', value: 9 },
      { op: 'add', path: '/b/z', value: 2 },
      { op: 'remove', path: '/b/x' },
    ],
    after: 'a: [9, 3]\nb: { z: 2 }\n',
  });
});
