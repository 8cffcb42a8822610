import { test } from 'vitest';
import { type EditCase, expectEdit, text } from './edit-case.ts';

const cases: readonly EditCase[] = [
  {
    name: 'an item takes along the comments right above it at its column',
    before: text`
      a: 1
      # About b,
      # in two lines.
      b: 2
      c: 3
    `,
    patch: [{ op: 'remove', path: '/b' }],
    after: text`
      a: 1
      c: 3
    `,
    removedComments: [
      { line: 2, text: '# About b,' },
      { line: 3, text: '# in two lines.' },
    ],
  },
  {
    name: 'an item takes along deeper comments right below it',
    before: text`
      columns:
        - name: id
          # More about id.
        - name: amount
    `,
    patch: [{ op: 'remove', path: '/columns/0' }],
    after: text`
      columns:
        - name: amount
    `,
    removedComments: [{ line: 3, text: '# More about id.' }],
  },
  {
    name: 'an item takes along the comment on its line',
    before: text`
      a: 1
      b: 2 # two
      c: 3
    `,
    patch: [{ op: 'remove', path: '/b' }],
    after: text`
      a: 1
      c: 3
    `,
    removedComments: [{ line: 2, text: '# two' }],
  },
  {
    name: 'comments past a blank line stay',
    before: text`
      a: 1
      # About the file's second half.

      # About b.
      b: 2

      # About c.
      c: 3
    `,
    patch: [{ op: 'remove', path: '/b' }],
    after: text`
      a: 1
      # About the file's second half.

      # About c.
      c: 3
    `,
    removedComments: [{ line: 4, text: '# About b.' }],
  },
  {
    name: 'the head of the file stays',
    before: text`
      # Who may change this file.
      a: 1
      b: 2
    `,
    patch: [{ op: 'remove', path: '/a' }],
    after: text`
      # Who may change this file.
      b: 2
    `,
  },
  {
    name: 'comments below the head belong to the first item',
    before: text`
      # Who may change this file.

      # About a.
      a: 1
      b: 2
    `,
    patch: [{ op: 'remove', path: '/a' }],
    after: text`
      # Who may change this file.

      b: 2
    `,
    removedComments: [{ line: 3, text: '# About a.' }],
  },
  {
    name: 'banners stay',
    before: text`
      a: 1
      # ---------
      # b: the second
      # ---------
      b: 2
      c: 3
    `,
    patch: [{ op: 'remove', path: '/b' }],
    after: text`
      a: 1
      # ---------
      # b: the second
      # ---------
      c: 3
    `,
  },
  {
    name: 'YAML that is commented out stays',
    before: text`
      columns:
        - name: id
        # - name: old
        #   type: string
        - name: amount
        - name: unit
    `,
    patch: [{ op: 'remove', path: '/columns/1' }],
    after: text`
      columns:
        - name: id
        # - name: old
        #   type: string
        - name: unit
    `,
  },
  {
    name: 'prose with a colon is no YAML that is commented out',
    before: text`
      columns:
        - name: id
        # PII: yes
        - name: email
        # The amount: in cents.
        # name: as in the source
        - name: amount
        - name: unit
    `,
    patch: [
      { op: 'remove', path: '/columns/2' },
      { op: 'remove', path: '/columns/1' },
    ],
    after: text`
      columns:
        - name: id
        - name: unit
    `,
    removedComments: [
      { line: 5, text: '# The amount: in cents.' },
      { line: 6, text: '# name: as in the source' },
      { line: 3, text: '# PII: yes' },
    ],
  },
  {
    name: 'a block of comments that only begins like an item goes whole',
    before: text`
      columns:
        - name: id
        # - name: old
        # The amount in cents, see "units".
        - name: amount
        - name: unit
    `,
    patch: [{ op: 'remove', path: '/columns/1' }],
    after: text`
      columns:
        - name: id
        - name: unit
    `,
    removedComments: [
      { line: 3, text: '# - name: old' },
      { line: 4, text: '# The amount in cents, see "units".' },
    ],
  },
  {
    name: 'several items that are commented out stay, with all their members',
    before: text`
      columns:
        - name: id
        # - name: old
        #   type: string
        #
        # - name: older
        #   tags:
        #     - pii
        - name: amount
    `,
    patch: [{ op: 'remove', path: '/columns/1' }],
    after: text`
      columns:
        - name: id
        # - name: old
        #   type: string
        #
        # - name: older
        #   tags:
        #     - pii
    `,
  },
  {
    name: 'a member that is commented out stays where it could be put back',
    before: text`
      name: orders
      # description: Each order.
      sla: { hours: 24 }
      columns:
        - name: id
          unit: none
        - name: amount
          # unit: cents
          type: int
    `,
    patch: [
      { op: 'remove', path: '/sla' },
      { op: 'remove', path: '/columns/1/type' },
    ],
    after: text`
      name: orders
      # description: Each order.
      columns:
        - name: id
          unit: none
        - name: amount
          # unit: cents
    `,
  },
  {
    name: 'a member that is commented out goes with its item',
    before: text`
      columns:
        - name: id
          # description: The key.
        - name: amount
    `,
    patch: [{ op: 'remove', path: '/columns/0' }],
    after: text`
      columns:
        - name: amount
    `,
    removedComments: [{ line: 3, text: '# description: The key.' }],
  },
  {
    name: 'a word of a list that is commented out stays, a list in prose goes',
    before: text`
      tags:
        - core
        # - daily
        - pii
        # - see the handbook
        # - ask the owner
        - raw
    `,
    patch: [
      { op: 'remove', path: '/tags/2' },
      { op: 'remove', path: '/tags/1' },
    ],
    after: text`
      tags:
        - core
        # - daily
    `,
    removedComments: [
      { line: 5, text: '# - see the handbook' },
      { line: 6, text: '# - ask the owner' },
    ],
  },
  {
    name: 'a block below a banner stays whole',
    before: text`
      columns:
        - name: id
        # ------ money
        # All in cents.
        - name: amount
        - name: tax
    `,
    patch: [{ op: 'remove', path: '/columns/1' }],
    after: text`
      columns:
        - name: id
        # ------ money
        # All in cents.
        - name: tax
    `,
  },
  {
    name: 'a comment at another column stays',
    before: text`
      a:
        x: 1
      # About b or what comes.
        y: 2
      b: 3
    `,
    patch: [{ op: 'remove', path: '/a/y' }],
    after: text`
      a:
        x: 1
      # About b or what comes.
      b: 3
    `,
  },
  {
    name: 'no doubled blank line is left',
    before: text`
      a: 1

      b: 2

      c: 3
    `,
    patch: [{ op: 'remove', path: '/b' }],
    after: text`
      a: 1

      c: 3
    `,
  },
  {
    name: 'the last item takes along the blank line above it',
    before: text`
      a: 1

      b: 2

      c: 3
    `,
    patch: [{ op: 'remove', path: '/c' }],
    after: text`
      a: 1

      b: 2
    `,
  },
  {
    name: "the last item removed leaves brackets on the key's line",
    before: text`
      name: orders
      tags: # none yet
        # About pii.
        - pii
      owner: sales
    `,
    patch: [{ op: 'remove', path: '/tags/0' }],
    after: text`
      name: orders
      tags: [] # none yet
      owner: sales
    `,
    removedComments: [{ line: 3, text: '# About pii.' }],
  },
  {
    name: "the last member removed leaves braces on the key's line",
    before: text`
      sla:
        hours: 24
    `,
    patch: [{ op: 'remove', path: '/sla/hours' }],
    after: text`
      sla: {}
    `,
  },
  {
    name: 'the next key slides onto the dash',
    before: text`
      columns:
        - name: id
          type: string
          unit: none
        - name: amount
    `,
    patch: [{ op: 'remove', path: '/columns/0/name' }],
    after: text`
      columns:
        - type: string
          unit: none
        - name: amount
    `,
  },
  {
    name: 'the next element slides onto the dash',
    before: text`
      rows:
        - - 1
          - 2
    `,
    patch: [{ op: 'remove', path: '/rows/0/0' }],
    after: text`
      rows:
        - - 2
    `,
  },
  {
    name: 'blank lines after a clipped block scalar separate',
    before: text`
      a: |
        text

      b: 2

      c: 3
    `,
    patch: [{ op: 'remove', path: '/b' }],
    after: text`
      a: |
        text

      c: 3
    `,
  },
  {
    name: 'blank lines after a kept block scalar are content',
    before: text`
      a: |+
        text

      b: 2
      c: 3
    `,
    patch: [{ op: 'remove', path: '/b' }],
    after: text`
      a: |+
        text

      c: 3
    `,
  },
  {
    name: 'a flow item goes with its comma',
    before: text`
      tags: [pii, daily, core] # three
    `,
    patch: [{ op: 'remove', path: '/tags/1' }],
    after: text`
      tags: [pii, core] # three
    `,
  },
  {
    name: 'the last flow item goes with the comma before it',
    before: text`
      tags: [pii, daily, core]
    `,
    patch: [{ op: 'remove', path: '/tags/2' }],
    after: text`
      tags: [pii, daily]
    `,
  },
  {
    name: 'a flow item on its own line goes with the line',
    before: text`
      tags: [
        pii,
        daily, # each day
        core
      ]
    `,
    patch: [{ op: 'remove', path: '/tags/1' }],
    after: text`
      tags: [
        pii,
        core
      ]
    `,
    removedComments: [{ line: 3, text: '# each day' }],
  },
  {
    name: 'the only flow item leaves brackets',
    before: text`
      tags: [ pii ]
    `,
    patch: [{ op: 'remove', path: '/tags/0' }],
    after: text`
      tags: []
    `,
  },
];

test.each(cases)('$name', expectEdit);
