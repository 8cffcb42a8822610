import { expect, test } from 'vitest';
import { editYaml } from '../../../src/files/edit/edit.ts';
import type { Patch } from '../../../src/patch/evaluate.ts';
import { text } from './edit-case.ts';

type RefusalCase = {
  readonly name: string;
  readonly before: string;
  readonly patch: Patch;
  readonly line: number;
  readonly reason: string;
};

const cases: readonly RefusalCase[] = [
  {
    name: 'a mapping with a key that is a number is not rewritten',
    before: text`
      limits:
        x: 1
        200: a
    `,
    patch: [{ op: 'replace', path: '/limits', value: { x: 2 } }],
    line: 3,
    reason:
      'The key 200 is a number. Keys must be text. A rewrite would lose it: edit it yourself.',
  },
  {
    name: 'a list with an infinity is not rewritten',
    before: text`
      a: 1
      range: [1, .inf]
    `,
    patch: [
      { op: 'replace', path: '/a', value: 2 },
      { op: 'replace', path: '/range', value: [2, 3] },
    ],
    line: 2,
    reason: 'JSON can\'t represent the number ".inf". A rewrite would lose it: edit it yourself.',
  },
  {
    name: 'a mapping with a tag that has no meaning is not rewritten',
    before: text`
      a: { b: !secret x, c: 1 }
    `,
    patch: [{ op: 'replace', path: '/a', value: { c: 2 } }],
    line: 1,
    reason:
      'The tag "!secret" has no meaning for this value. A rewrite would lose it: edit it yourself.',
  },
  {
    name: 'an integer that JSON would round is not copied',
    before: text`
      a: 12345678901234567890
    `,
    patch: [{ op: 'copy', from: '/a', path: '/b' }],
    line: 1,
    reason:
      'The integer "12345678901234567890" is beyond 2^53 - 1, so JSON readers would round it. A rewrite would lose it: edit it yourself.',
  },
  {
    name: 'what a copy or an addition replaces is not lost either',
    before: text`
      a: 1
      limits: { x: 1, 200: a }
    `,
    patch: [{ op: 'copy', from: '/a', path: '/limits' }],
    line: 2,
    reason:
      'The key 200 is a number. Keys must be text. A rewrite would lose it: edit it yourself.',
  },
  {
    name: 'an alias of a value that JSON has not is not expanded',
    before: text`
      a: &a { x: .inf, y: 1 }
      b: *a
    `,
    patch: [{ op: 'replace', path: '/b/y', value: 2 }],
    line: 1,
    reason: 'JSON can\'t represent the number ".inf". A rewrite would lose it: edit it yourself.',
  },
  {
    name: 'a pair whose key is a number gets no second key',
    before: text`
      a: [200: x]
    `,
    patch: [{ op: 'add', path: '/a/0/k', value: 1 }],
    line: 1,
    reason: "contract-sync can't write this change here: make it yourself.",
  },
  {
    name: 'an anchor that others use is not changed',
    before: text`
      a: 1
      b: &shared { c: 1 }
      d: *shared
    `,
    patch: [{ op: 'replace', path: '/b/c', value: 2 }],
    line: 2,
    reason: 'Line 3 also uses the anchor "&shared": edit both yourself.',
  },
  {
    name: 'an anchor that others use is not removed, nor what is around it',
    before: text`
      a:
        b: &shared 1
      c: *shared
    `,
    patch: [{ op: 'remove', path: '/a' }],
    line: 2,
    reason: 'Line 3 also uses the anchor "&shared": edit both yourself.',
  },
  {
    name: 'a merged key is not removed',
    before: text`
      a: &base
        x: 1
      b:
        <<: *base
    `,
    patch: [{ op: 'remove', path: '/b/x' }],
    line: 4,
    reason: 'The key "x" comes from this merge (<<): remove it there yourself.',
  },
  {
    name: 'a merged key is not renamed',
    before: text`
      a: &base
        x: 1
      b:
        <<: *base
    `,
    patch: [{ op: 'move', from: '/b/x', path: '/b/y' }],
    line: 4,
    reason: 'The key "x" comes from this merge (<<): remove it there yourself.',
  },
  {
    name: 'a key without a colon gets no value',
    before: text`
      b: 1
      ? a
    `,
    patch: [{ op: 'replace', path: '/a', value: 1 }],
    line: 2,
    reason: 'The key "a" has no colon: write "key:" instead of "? key".',
  },
  {
    name: 'a value below a comment is not replaced',
    before: text`
      b: 1
      a:
        # About the text.
        text
    `,
    patch: [{ op: 'replace', path: '/a', value: 'other' }],
    line: 4,
    reason: 'A comment between the key "a" and its value is in the way: move it above.',
  },
  {
    name: 'an element below a comment is not replaced',
    before: text`
      -
        # About the text.
        text
    `,
    patch: [{ op: 'replace', path: '/0', value: 'other' }],
    line: 3,
    reason: 'A comment between the dash and its value is in the way: move it above.',
  },
  {
    name: 'a key that JSON cannot hold is not written anew',
    before: text`
      a: 1
      b:
        200: ok
    `,
    patch: [{ op: 'add', path: '/b/200', value: 'other' }],
    line: 3,
    reason: "contract-sync can't write this change here: make it yourself.",
  },
  {
    name: 'a patch that does not apply names the nearest line',
    before: text`
      a: 1
      b:
        c: 1
    `,
    patch: [{ op: 'remove', path: '/b/d' }],
    line: 2,
    reason: 'Operation 0 (remove /b/d) does not apply: nothing stands at "/b/d".',
  },
  {
    name: 'a test that fails refuses the whole patch',
    before: text`
      a: 1
      b: 2
    `,
    patch: [
      { op: 'replace', path: '/a', value: 3 },
      { op: 'test', path: '/b', value: 1 },
    ],
    line: 2,
    reason: 'Operation 1 (test /b) does not apply: another value stands there.',
  },
  {
    name: 'one operation that cannot be written refuses the whole patch',
    before: text`
      a: 1
      ? b
    `,
    patch: [
      { op: 'remove', path: '/a' },
      { op: 'replace', path: '/b', value: 1 },
    ],
    line: 2,
    reason: 'The key "b" has no colon: write "key:" instead of "? key".',
  },
  {
    name: 'text that is no YAML is refused where it breaks off',
    before: text`
      a: 1
      b: [
    `,
    patch: [{ op: 'replace', path: '/a', value: 2 }],
    line: 2,
    reason: 'This bracket is not closed, or its content is not indented enough.',
  },
  {
    name: 'a key that stands twice is refused',
    before: text`
      a: 1
      a: 2
    `,
    patch: [{ op: 'replace', path: '/a', value: 3 }],
    line: 2,
    reason: 'Duplicate key "a": the first is on line 1.',
  },
  {
    name: 'a text of comments alone has no document',
    before: text`
      # Nothing yet.
    `,
    patch: [{ op: 'replace', path: '', value: {} }],
    line: 1,
    reason: 'The text has no document 1.',
  },
];

test.each(cases)('$name', ({ before, patch, line, reason }) => {
  expect(editYaml(before, patch)).toEqual({ kind: 'refused', line, reason });
});

test('a document that is not there is refused', () => {
  const patch: Patch = [{ op: 'replace', path: '/a', value: 2 }];
  const reason = 'The text has no document 2.';
  expect(editYaml('a: 1\n', patch, { document: 1 })).toEqual({ kind: 'refused', line: 1, reason });
});

test('lines are those of the first text, whatever came before', () => {
  const before = 'a: 1\nb: 2\n# About c.\nc: 3\nd: &x 4\ne: *x\n';
  const edit = editYaml(before, [
    { op: 'remove', path: '/a' },
    { op: 'remove', path: '/c' },
    { op: 'add', path: '/b', value: ['long', 'list'] },
  ]);
  expect(edit).toMatchObject({ removedComments: [{ line: 3, text: '# About c.' }] });
  expect(
    editYaml(before, [
      { op: 'remove', path: '/a' },
      { op: 'remove', path: '/d' },
    ]),
  ).toMatchObject({ kind: 'refused', line: 5 });
});
