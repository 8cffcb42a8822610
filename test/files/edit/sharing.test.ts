import { test } from 'vitest';
import { type EditCase, expectEdit, text } from './edit-case.ts';

const cases: readonly EditCase[] = [
  {
    name: 'an alias on the way is written out',
    before: text`
      a: &base
        # About x.
        x: 1
        y: [1, 2]
      b: *base
    `,
    patch: [{ op: 'replace', path: '/b/x', value: 2 }],
    after: text`
      a: &base
        # About x.
        x: 1
        y: [1, 2]
      b:
        x: 2
        y: [1, 2]
    `,
    notices: [
      {
        line: 5,
        message: 'The alias "*base" is expanded, because only this use of it changes.',
      },
    ],
  },
  {
    name: 'an alias is written out beside a value that JSON has not',
    before: text`
      range: [0, .inf]
      a: &base { x: 1 }
      b: *base
    `,
    patch: [{ op: 'replace', path: '/b/x', value: 2 }],
    after: text`
      range: [0, .inf]
      a: &base { x: 1 }
      b: { x: 2 }
    `,
    notices: [
      {
        line: 3,
        message: 'The alias "*base" is expanded, because only this use of it changes.',
      },
    ],
  },
  {
    name: 'an alias itself is replaced where it stands',
    before: text`
      a: &base {x: 1}
      b: *base
    `,
    patch: [{ op: 'replace', path: '/b', value: 2 }],
    after: text`
      a: &base {x: 1}
      b: 2
    `,
  },
  {
    name: 'a merged key is overridden',
    before: text`
      base: &base
        x: 1
      b:
        <<: *base
        y: 2
    `,
    patch: [{ op: 'replace', path: '/b/x', value: 2 }],
    after: text`
      base: &base
        x: 1
      b:
        <<: *base
        y: 2
        x: 2
    `,
    notices: [{ line: 4, message: 'The key "x" overrides the value from this merge (<<).' }],
  },
  {
    name: 'a merged key is overridden in an element too',
    before: text`
      base: &base
        x: 1
      list:
        - <<: *base
        - *base
    `,
    patch: [{ op: 'replace', path: '/list/0/x', value: 2 }],
    after: text`
      base: &base
        x: 1
      list:
        - <<: *base
          x: 2
        - *base
    `,
    notices: [{ line: 4, message: 'The key "x" overrides the value from this merge (<<).' }],
  },
  {
    name: 'a key of its own goes from a mapping with a merge',
    before: text`
      base: &base
        x: 1
      b:
        <<: *base
        y: 2
    `,
    patch: [{ op: 'remove', path: '/b/y' }],
    after: text`
      base: &base
        x: 1
      b:
        <<: *base
    `,
  },
];

test.each(cases)('$name', expectEdit);
