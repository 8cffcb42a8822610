import { test } from 'vitest';
import { type EditCase, expectEdit, text } from './edit-case.ts';

const cases: readonly EditCase[] = [
  {
    name: 'a tag that means something else goes with its value',
    before: text`
      password: !secret db
      path: !!binary aGk=
      name: !!str x # kept
      list: [!include a.yaml, b]
    `,
    patch: [
      { op: 'replace', path: '/password', value: 'none' },
      { op: 'replace', path: '/path', value: 'a/b' },
      { op: 'replace', path: '/name', value: 'z' },
      { op: 'replace', path: '/list/0', value: 'a' },
    ],
    after: text`
      password: none
      path: a/b
      name: !!str z # kept
      list: [a, b]
    `,
  },
  {
    name: 'the old quotes stay',
    before: text`
      a: 'x'
      b: "x"
      c: x
    `,
    patch: [
      { op: 'replace', path: '/a', value: 'z' },
      { op: 'replace', path: '/b', value: 'z' },
      { op: 'replace', path: '/c', value: 'z' },
    ],
    after: text`
      a: 'z'
      b: "z"
      c: z
    `,
  },
  {
    name: 'the comment on the line stays, and the space in front of it',
    before: text`
      a: 1     # count
      b: 22    # count
    `,
    patch: [{ op: 'replace', path: '/a', value: 12 }],
    after: text`
      a: 12     # count
      b: 22    # count
    `,
  },
  {
    name: 'plain text gets quotes where YAML 1.1 or 1.2 reads something else',
    before: text`
      a:
        - x
    `,
    patch: [
      {
        op: 'replace',
        path: '/a',
        value: [
          'no',
          'on',
          '1e3',
          '2024-01-01',
          '<<',
          'y',
          '0x1F',
          '12:30:45',
          'null',
          '~',
          '',
          'a: b',
          'a #b',
          '- x',
          '*x',
          '@x',
          ' pad',
          'x:',
          'true',
          'text',
        ],
      },
    ],
    after: text`
      a:
        - "no"
        - "on"
        - "1e3"
        - "2024-01-01"
        - "<<"
        - "y"
        - "0x1F"
        - "12:30:45"
        - "null"
        - "~"
        - ""
        - "a: b"
        - "a #b"
        - "- x"
        - "*x"
        - "@x"
        - " pad"
        - "x:"
        - "true"
        - text
    `,
  },
  {
    name: "new quotes are the document's majority",
    before: text`
      x: 'no'
      y: 'yes'
      z: "on"
      a: 1
    `,
    patch: [{ op: 'add', path: '/b', value: 'no' }],
    after: text`
      x: 'no'
      y: 'yes'
      z: "on"
      a: 1
      b: 'no'
    `,
  },
  {
    name: 'single quotes are doubled inside',
    before: text`
      a: 'x'
    `,
    patch: [{ op: 'replace', path: '/a', value: "it's" }],
    after: text`
      a: 'it''s'
    `,
  },
  {
    name: 'control characters go in double quotes',
    before: text`
      a: 'x'
    `,
    patch: [{ op: 'replace', path: '/a', value: 'bell\u0007' }],
    after: text`
      a: "bell\u0007"
    `,
  },
  {
    name: 'several line breaks at the end go in double quotes',
    before: text`
      b: 1
    `,
    patch: [{ op: 'add', path: '/a', value: 'x\n\n' }],
    after: text`
      b: 1
      a: "x\n\n"
    `,
  },
  {
    name: 'new text of several lines is a literal block',
    before: text`
      b:
          c: 1
    `,
    patch: [{ op: 'add', path: '/a', value: 'one\n\ntwo\n' }],
    after: text`
      b:
          c: 1
      a: |
          one

          two
    `,
  },
  {
    name: 'new text of several lines without a last break is stripped',
    before: text`
      b: one # why
      c: 1
    `,
    patch: [{ op: 'replace', path: '/b', value: 'one\ntwo' }],
    after: text`
      b: |- # why
        one
        two
      c: 1
    `,
  },
  {
    name: 'a plain date stays plain for another date',
    before: text`
      a: 2024-01-01
      b: x
    `,
    patch: [
      { op: 'replace', path: '/a', value: '2024-12-31' },
      { op: 'replace', path: '/b', value: '2024-12-31' },
    ],
    after: text`
      a: 2024-12-31
      b: "2024-12-31"
    `,
  },
  {
    name: 'a literal stays a literal and its indentation',
    before: text`
      a: | # why
          one
          two
      b: 1
    `,
    patch: [{ op: 'replace', path: '/a', value: 'three\nfour\n' }],
    after: text`
      a: | # why
          three
          four
      b: 1
    `,
  },
  {
    name: 'the chomping follows the value',
    before: text`
      a: |
        one

      b: 1
    `,
    patch: [{ op: 'replace', path: '/a', value: 'three' }],
    after: text`
      a: |-
        three

      b: 1
    `,
  },
  {
    name: 'a text that has one line now stands on the line of its key',
    before: text`
      a: | # why
        one
        two

      # about b
      b: 1
    `,
    patch: [{ op: 'replace', path: '/a', value: 'three' }],
    after: text`
      a: three # why

      # about b
      b: 1
    `,
  },
  {
    name: 'a folded scalar stays folded, and paragraphs keep their lines',
    before: text`
      a: >
        The first paragraph
        is long.

        The second.
      b: 1
    `,
    patch: [{ op: 'replace', path: '/a', value: 'The first paragraph is long.\nAnother.\n' }],
    after: text`
      a: >
        The first paragraph
        is long.

        Another.
      b: 1
    `,
  },
  {
    name: 'a literal that begins with a space says its indentation',
    before: text`
      a: |
        x
    `,
    patch: [{ op: 'replace', path: '/a', value: '  one\ntwo\n' }],
    after: text`
      a: |2
          one
        two
    `,
  },
  {
    name: 'a block scalar that says its indentation keeps it',
    before: text`
      a: |2
          one
        two
    `,
    patch: [{ op: 'replace', path: '/a', value: ' three\nfour\n' }],
    after: text`
      a: |2
         three
        four
    `,
  },
  {
    name: 'a plain text over several lines becomes one line',
    before: text`
      a: a long
        text
      b: 1
    `,
    patch: [{ op: 'replace', path: '/a', value: 'short' }],
    after: text`
      a: short
      b: 1
    `,
  },
  {
    name: 'a scalar becomes a mapping',
    before: text`
      a: 1 # why
      d: 2
    `,
    patch: [{ op: 'replace', path: '/a', value: { b: 1, c: ['x'] } }],
    after: text`
      a: # why
        b: 1
        c:
          - x
      d: 2
    `,
  },
  {
    name: 'a mapping becomes a scalar',
    before: text`
      a: # why
        b: 1
        c: 2
      d: 2
    `,
    patch: [{ op: 'replace', path: '/a', value: 1 }],
    after: text`
      a: 1 # why
      d: 2
    `,
  },
  {
    name: 'a collection is edited item by item',
    before: text`
      columns:
        # About id.
        - name: 'id' # key
          type: string
        # About amount.
        - name: amount
        # About unit.
        - name: unit
    `,
    patch: [
      { op: 'replace', path: '/columns', value: [{ name: 'id', type: 'int' }, { name: 'unit' }] },
    ],
    after: text`
      columns:
        # About id.
        - name: 'id' # key
          type: int
        # About unit.
        - name: unit
    `,
    removedComments: [{ line: 5, text: '# About amount.' }],
  },
  {
    name: 'null is written out',
    before: text`
      a: 1
      b: ~
    `,
    patch: [{ op: 'replace', path: '/a', value: null }],
    after: text`
      a: null
      b: ~
    `,
  },
  {
    name: 'an empty value gets one',
    before: text`
      a: # why
      b:
        -
        - 2
    `,
    patch: [
      { op: 'replace', path: '/a', value: 'x' },
      { op: 'replace', path: '/b/0', value: 1 },
    ],
    after: text`
      a: x # why
      b:
        - 1
        - 2
    `,
  },
  {
    name: 'large numbers keep their value',
    before: text`
      a: 1
      b: 2
    `,
    patch: [
      { op: 'replace', path: '/a', value: 1e21 },
      { op: 'replace', path: '/b', value: 0.1 },
    ],
    after: text`
      a: 1.0e+21
      b: 0.1
    `,
  },
  {
    name: 'a tag that the new value does not fit goes',
    before: text`
      a: !!int 1
      b: 2
    `,
    patch: [{ op: 'replace', path: '/a', value: 'x' }],
    after: text`
      a: x
      b: 2
    `,
  },
  {
    name: 'an anchor stays with its value',
    before: text`
      a: &count 1
      b: 2
    `,
    patch: [{ op: 'replace', path: '/a', value: 3 }],
    after: text`
      a: &count 3
      b: 2
    `,
  },
  {
    name: 'keys are quoted where they must be',
    before: text`
      name: orders
    `,
    patch: [
      { op: 'add', path: '/yes', value: 1 },
      { op: 'add', path: '/a~1b', value: 2 },
      { op: 'add', path: '/x:~0y', value: 3 },
    ],
    after: text`
      name: orders
      "yes": 1
      a/b: 2
      x:~y: 3
    `,
  },
  {
    name: 'keys have quotes where all others have',
    before: text`
      "a": "y"
      "c": "z"
    `,
    patch: [{ op: 'add', path: '/b', value: 'x' }],
    after: text`
      "a": "y"
      "c": "z"
      "b": x
    `,
  },
];

test.each(cases)('$name', expectEdit);
