import { test } from 'vitest';
import { type EditCase, expectEdit, text } from './edit-case.ts';

const cases: readonly EditCase[] = [
  {
    name: 'a key is renamed in place',
    before: text`
      a: 1
      # About b.
      "b": 2 # two
      c: 3
    `,
    patch: [{ op: 'move', from: '/b', path: '/z' }],
    after: text`
      a: 1
      # About b.
      "z": 2 # two
      c: 3
    `,
  },
  {
    name: 'a moved item brings its own lines',
    before: text`
      columns:
        # About id.
        - name:   id   # the key
          type: 'string'
        - name: amount
    `,
    patch: [{ op: 'move', from: '/columns/0', path: '/columns/1' }],
    after: text`
      columns:
        - name: amount
        # About id.
        - name:   id   # the key
          type: 'string'
    `,
  },
  {
    name: 'a moved item brings a comment that only looks like a member, and none that is one',
    before: text`
      columns:
        # PII: yes
        # Retention: 30 days
        - name: email
        # - name: old
        #   type: string
        - name: id
        - name: unit
    `,
    patch: [
      { op: 'move', from: '/columns/0', path: '/columns/2' },
      { op: 'move', from: '/columns/0', path: '/columns/2' },
    ],
    after: text`
      columns:
        # - name: old
        #   type: string
        - name: unit
        # PII: yes
        # Retention: 30 days
        - name: email
        - name: id
    `,
  },
  {
    name: 'moved lines are indented anew',
    before: text`
      old:
        deep:
          # About a.
          a:  1
          b: |
            text
        other: 1
      new:
          x:
              y: 1
    `,
    patch: [{ op: 'move', from: '/old/deep', path: '/new/deep' }],
    after: text`
      old:
        other: 1
      new:
          x:
              y: 1
          deep:
            # About a.
            a:  1
            b: |
              text
    `,
  },
  {
    name: 'a moved item keeps what JSON has not',
    before: text`
      columns:
        - name: id
          limits: { 200: a, max: .inf }
          bits: 12345678901234567890
        - name: amount
    `,
    patch: [{ op: 'move', from: '/columns/0', path: '/columns/1' }],
    after: text`
      columns:
        - name: amount
        - name: id
          limits: { 200: a, max: .inf }
          bits: 12345678901234567890
    `,
  },
  {
    name: 'a moved flow item of several lines keeps its lines and quotes',
    before: text`
      columns: [
        { name: 'id',
          tags: ["a", b] },
        { name: "amount" },
      ]
    `,
    patch: [{ op: 'move', from: '/columns/0', path: '/columns/1' }],
    after: text`
      columns: [
        { name: "amount" },
        { name: 'id',
          tags: ["a", b] },
      ]
    `,
  },
  {
    name: 'a path behind the item that leaves a list is that of the shorter list',
    before: text`
      list:
        - a
        - { x: 1 }
        - { z: 2 }
    `,
    patch: [{ op: 'move', from: '/list/0', path: '/list/1/x' }],
    after: text`
      list:
        - { x: 1 }
        - { z: 2, x: a }
    `,
  },
  {
    name: 'a flow item of several lines is indented below nested dashes',
    before: text`
      a: [
        x,
      ]
      b:
        - - { c: 1 }
    `,
    patch: [{ op: 'move', from: '/a', path: '/b/0/0/a' }],
    after: text`
      b:
        - - { c: 1, a: [
                x,
              ] }
    `,
  },
  {
    name: 'a flow item of several lines is indented where it comes to',
    before: text`
      a:
        old: [ # both
          'x', # the first
          "y"
        ]
        b: { c: 1 }
      columns:
        - name: id
          deep: { spare: {
            'k': "v" }, d: 1 }
    `,
    patch: [
      { op: 'move', from: '/a/old', path: '/a/b/old' },
      { op: 'move', from: '/columns/0/deep/spare', path: '/spare' },
    ],
    after: text`
      a:
        b: { c: 1, old: [ # both
            'x', # the first
            "y"
          ] }
      columns:
        - name: id
          deep: { d: 1 }
      spare: {
        'k': "v" }
    `,
  },
  {
    name: 'a moved item out of a flow collection becomes a block item',
    before: text`
      tags: [pii, 'daily']
      list:
      - a
    `,
    patch: [{ op: 'move', from: '/tags/0', path: '/list/-' }],
    after: text`
      tags: ['daily']
      list:
      - a
      - pii
    `,
  },
  {
    name: 'a moved block item becomes a flow item',
    before: text`
      list:
        - 'a' # first
        - b
      tags: [pii]
    `,
    patch: [{ op: 'move', from: '/list/0', path: '/tags/-' }],
    after: text`
      list:
        - b
      # first
      tags: [pii, 'a']
    `,
  },
  {
    name: 'a member becomes an element',
    before: text`
      columns:
        - name: id
      spare: # put aside
        name: amount
        type: string
    `,
    patch: [{ op: 'move', from: '/spare', path: '/columns/-' }],
    after: text`
      columns:
        - name: id
        - # put aside
          name: amount
          type: string
    `,
  },
  {
    name: 'a move replaces what is there',
    before: text`
      a: 'x' # from a
      b: y # from b
      c: z
    `,
    patch: [{ op: 'move', from: '/a', path: '/b' }],
    after: text`
      b: 'x' # from a
      c: z
    `,
    removedComments: [{ line: 2, text: '# from b' }],
  },
];

test.each(cases)('$name', expectEdit);
