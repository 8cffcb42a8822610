import { test } from 'vitest';
import { type EditCase, expectEdit, text } from './edit-case.ts';

const cases: readonly EditCase[] = [
  {
    name: 'a byte order mark and Windows line breaks stay',
    before: '\uFEFFa: 1\r\nb: 2\r\n',
    patch: [{ op: 'add', path: '/c', value: [1] }],
    after: '\uFEFFa: 1\r\nb: 2\r\nc:\r\n  - 1\r\n',
  },
  {
    name: 'a move that takes away the only Windows line break writes new ones',
    before: "name:\r\n  columns: '{brace}'",
    patch: [{ op: 'move', from: '/name/columns', path: '/sla' }],
    after: "name: {}\r\nsla: '{brace}'",
  },
  {
    name: 'a last line without a break stays without',
    before: 'a: 1\nb: 2',
    patch: [{ op: 'add', path: '/c', value: 3 }],
    after: 'a: 1\nb: 2\nc: 3',
  },
  {
    name: 'a last line without a break goes with its break',
    before: 'a: 1\nb: 2',
    patch: [{ op: 'remove', path: '/b' }],
    after: 'a: 1',
  },
  {
    name: 'tabs behind text stay',
    before: 'a: 1\t\t# tabs\nb: "x"\t\n',
    patch: [{ op: 'replace', path: '/a', value: 2 }],
    after: 'a: 2\t\t# tabs\nb: "x"\t\n',
  },
  {
    name: 'document marks and other documents stay',
    before: text`
      %YAML 1.2
      ---
      a: 1
      ... # end
      ---
      a:   2 # second
      ---
      a: 1
    `,
    patch: [{ op: 'replace', path: '/a', value: 3 }],
    document: 1,
    after: text`
      %YAML 1.2
      ---
      a: 1
      ... # end
      ---
      a:   3 # second
      ---
      a: 1
    `,
  },
  {
    name: 'trailing spaces and odd spacing stay elsewhere',
    before: 'a :   1   \nb:    2\nc:  [ 1,2 ,3]   \n',
    patch: [{ op: 'replace', path: '/b', value: 3 }],
    after: 'a :   1   \nb:    3\nc:  [ 1,2 ,3]   \n',
  },
];

test.each(cases)('$name', expectEdit);
