import { test } from 'vitest';
import { type EditCase, expectEdit, text } from './edit-case.ts';

const cases: readonly EditCase[] = [
  {
    name: 'a member comes last',
    before: text`
      name: orders
      version: 1
    `,
    patch: [{ op: 'add', path: '/owner', value: 'sales' }],
    after: text`
      name: orders
      version: 1
      owner: sales
    `,
  },
  {
    name: "an item comes behind the last item's deeper comments",
    before: text`
      columns:
        - name: id
          # More about id.
      owner: sales
    `,
    patch: [{ op: 'add', path: '/columns/-', value: { name: 'unit' } }],
    after: text`
      columns:
        - name: id
          # More about id.
        - name: unit
      owner: sales
    `,
  },
  {
    name: 'an item at an index comes above the comments of the item there',
    before: text`
      columns:
        - a
        # About c.
        - c
    `,
    patch: [{ op: 'add', path: '/columns/1', value: 'b' }],
    after: text`
      columns:
        - a
        - b
        # About c.
        - c
    `,
  },
  {
    name: 'a blank line separates it where one separates most siblings',
    before: text`
      columns:
        - name: a

        - name: b

      owner: sales
    `,
    patch: [{ op: 'add', path: '/columns/-', value: { name: 'c' } }],
    after: text`
      columns:
        - name: a

        - name: b

        - name: c

      owner: sales
    `,
  },
  {
    name: 'a blank line separates it above an item too',
    before: text`
      columns:
        - name: a

        - name: b
    `,
    patch: [{ op: 'add', path: '/columns/0', value: { name: 'c' } }],
    after: text`
      columns:
        - name: c

        - name: a

        - name: b
    `,
  },
  {
    name: 'a flow sequence gets a flow item',
    before: text`
      tags: [pii, daily]
    `,
    patch: [{ op: 'add', path: '/tags/-', value: 'core' }],
    after: text`
      tags: [pii, daily, core]
    `,
  },
  {
    name: 'a flow mapping gets a flow member with its padding',
    before: text`
      sla: { from: 1, to: 2 }
    `,
    patch: [{ op: 'add', path: '/sla/unit', value: { hours: 1 } }],
    after: text`
      sla: { from: 1, to: 2, unit: { hours: 1 } }
    `,
  },
  {
    name: 'a flow collection of one item per line gets a line',
    before: text`
      tags: [
        pii,
        # Each day.
        daily
      ]
    `,
    patch: [{ op: 'add', path: '/tags/1', value: 'core' }],
    after: text`
      tags: [
        pii,
        core,
        # Each day.
        daily
      ]
    `,
  },
  {
    name: 'a flow collection without a last comma gets one in between',
    before: text`
      tags: [
        pii, # a
        daily # b
      ]
    `,
    patch: [{ op: 'add', path: '/tags/-', value: 'core' }],
    after: text`
      tags: [
        pii, # a
        daily, # b
        core
      ]
    `,
  },
  {
    name: "a flow collection that closes on the last item's line gets the item there",
    before: text`
      tags: [
        pii,
        daily]
    `,
    patch: [{ op: 'add', path: '/tags/-', value: 'core' }],
    after: text`
      tags: [
        pii,
        daily, core]
    `,
  },
  {
    name: 'empty brackets become a block sequence',
    before: text`
      tags: [] # none yet
      owner: sales
    `,
    patch: [{ op: 'add', path: '/tags/-', value: 'pii' }],
    after: text`
      tags: # none yet
        - pii
      owner: sales
    `,
  },
  {
    name: 'empty braces stay flow where siblings are flow',
    before: text`
      a: {x: 1}
      b: {}
      c: {x: 3}
    `,
    patch: [{ op: 'add', path: '/b/x', value: 1 }],
    after: text`
      a: {x: 1}
      b: {x: 1}
      c: {x: 3}
    `,
  },
  {
    name: 'indentation follows the siblings',
    before: text`
      a:
        list:
          - 1
      b:
          list2:
          - 1
    `,
    patch: [{ op: 'add', path: '/b/list', value: [1] }],
    after: text`
      a:
        list:
          - 1
      b:
          list2:
          - 1
          list:
          - 1
    `,
  },
  {
    name: "indentation follows the document's majority",
    before: text`
      columns:
          name: x
          tags:
          - y
    `,
    patch: [{ op: 'add', path: '/sla', value: { hours: 24, days: [1, 2] } }],
    after: text`
      columns:
          name: x
          tags:
          - y
      sla:
          hours: 24
          days:
          - 1
          - 2
    `,
  },
  {
    name: 'indentation is 2 where nothing says otherwise',
    before: text`
      name: orders
    `,
    patch: [{ op: 'add', path: '/sla', value: { hours: 24, days: [1, { a: 1, b: [] }] } }],
    after: text`
      name: orders
      sla:
        hours: 24
        days:
          - 1
          - a: 1
            b: []
    `,
  },
  {
    name: 'the gap behind the dash follows the siblings',
    before: text`
      columns:
        -   name: a
            tags:
              -   x
    `,
    patch: [{ op: 'add', path: '/columns/-', value: { name: 'b', tags: ['x'] } }],
    after: text`
      columns:
        -   name: a
            tags:
              -   x
        -   name: b
            tags:
              -   x
    `,
  },
  {
    name: 'a document of empty braces gets a mapping',
    before: text`
      {}
    `,
    patch: [{ op: 'add', path: '/a', value: 1 }],
    after: text`
      a: 1
    `,
  },
  {
    name: 'a sequence that is the document gets an element below the head',
    before: text`
      # Head.
      - b
      - c
    `,
    patch: [{ op: 'add', path: '/0', value: 'a' }],
    after: text`
      # Head.
      - a
      - b
      - c
    `,
  },
  {
    name: 'a new first element slides onto the dash',
    before: text`
      rows:
        - - 1
          - 2
    `,
    patch: [{ op: 'add', path: '/rows/0/0', value: 'x' }],
    after: text`
      rows:
        - - x
          - 1
          - 2
    `,
  },
  {
    name: 'a copy is added like any value',
    before: text`
      a: &x 'v' # why
      b: 2
    `,
    patch: [{ op: 'copy', from: '/a', path: '/c' }],
    after: text`
      a: &x 'v' # why
      b: 2
      c: v
    `,
  },
];

test.each(cases)('$name', expectEdit);
