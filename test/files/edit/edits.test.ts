import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editYaml } from '../../../src/files/edit/edit.ts';
import type { TextChange } from '../../../src/files/edit/state.ts';

/**
 * `edits.txt` has a title, the patch, a refusal, and the diff of the text for each edit;
 * the pointer `#` is the whole document.
 */
const cases = readFileSync(join(import.meta.dirname, 'edits.txt'), 'utf8')
  .split(/^# /mu)
  .slice(1)
  .map(parseCase);

function parseCase(section: string) {
  const [title = '', ...lines] = section.replace(/\n+(?:=.*\n*)?$/u, '').split('\n');
  const start = lines.findIndex((line) => /^[ +-]/u.test(line));
  const head = lines.slice(0, start);
  const diff = lines.slice(start).map((line) => ({ sign: line[0] ?? ' ', line: line.slice(1) }));
  const without = (sign: string) =>
    diff.filter((each) => each.sign !== sign).map(({ line }) => line);
  return {
    title,
    patch: head.flatMap(parseChange),
    refusal: head.flatMap(parseRefusal)[0],
    before: `${without('+').join('\n')}\n`,
    after: `${without('-').join('\n')}\n`,
  };
}

function parseChange(line: string): TextChange[] {
  const [, op, pointer, rest = ''] = /^(add|remove|replace|move) (\S+) ?(.*)$/u.exec(line) ?? [];
  if (pointer === undefined) return [];
  const path = pointer === '#' ? '' : pointer;
  if (op === 'move') return [{ op, from: path, path: rest }];
  if (op === 'remove') return [{ op, path }];
  return [{ op, path, value: JSON.parse(rest) } as TextChange];
}

function parseRefusal(text: string) {
  const [, line, message = ''] = /^refused (\d+): (.*)$/u.exec(text) ?? [];
  return line === undefined ? [] : [{ line: Number(line), message }];
}

test.each(cases)('$title', ({ patch, before, after, refusal }) => {
  const edit = editYaml(before, patch);
  if (refusal || edit.kind === 'refused') {
    expect(edit).toEqual({ kind: 'refused', line: refusal?.line, reason: refusal?.message });
    return;
  }
  expect(edit.text).toBe(after);
});

type TextCase = readonly [title: string, before: string, change: TextChange, after: string];

const texts: readonly TextCase[] = [
  [
    'a byte order mark and Windows line breaks stay',
    '\uFEFFa: 1\r\nb: 2\r\n',
    { op: 'add', path: '/c', value: [1] },
    '\uFEFFa: 1\r\nb: 2\r\nc:\r\n  - 1\r\n',
  ],
  [
    'a last line without a break stays without',
    'a: 1\nb: 2',
    { op: 'add', path: '/c', value: 3 },
    'a: 1\nb: 2\nc: 3',
  ],
  [
    'a last line without a break goes with its break',
    'a: 1\nb: 2',
    { op: 'remove', path: '/b' },
    'a: 1',
  ],
  [
    'tabs behind text stay',
    'a: 1\t\t# tabs\nb: "x"\t\n',
    { op: 'replace', path: '/a', value: 2 },
    'a: 2\t\t# tabs\nb: "x"\t\n',
  ],
  [
    'trailing spaces and odd spacing stay elsewhere',
    'a :   1   \nb:    2\nc:  [ 1,2 ,3]   \n',
    { op: 'replace', path: '/b', value: 3 },
    'a :   1   \nb:    3\nc:  [ 1,2 ,3]   \n',
  ],
];

test.each(texts)('%s', (_, before, change, after) => {
  expect(editYaml(before, [change])).toMatchObject({ kind: 'edited', text: after });
});

test('document marks and other documents stay', () => {
  const before = '%YAML 1.2\n---\na: 1\n... # end\n---\na:   2 # second\n---\na: 1\n';
  const edit = editYaml(before, [{ op: 'replace', path: '/a', value: 3 }], 1);
  expect(edit).toMatchObject({ kind: 'edited', text: before.replace('2 # second', '3 # second') });
});

test.each([
  ['a: 1\n', 1],
  ['# Nothing yet.\n', 0],
])('a document that is not there is refused: %j, %d', (text, document) => {
  const reason = `The text has no document ${document + 1}.`;
  const edit = editYaml(text, [{ op: 'replace', path: '', value: {} }], document);
  expect(edit).toEqual({ kind: 'refused', line: 1, reason });
});
