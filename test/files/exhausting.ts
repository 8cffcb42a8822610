import { largestFile } from '../../src/files/find/walk.ts';

export const id = 'id: 7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55\n';

const odcs = 'apiVersion: v3.1.0\nkind: DataContract\nid: x\n';

/** A text of nearly the largest size that is read, of many equal pieces. */
export function filled(head: string, piece: string, tail = ''): string {
  const count = Math.floor((largestFile - head.length - tail.length) / piece.length);
  return `${head}${piece.repeat(count)}${tail}`;
}

function numbered(count: number, head: string, tail: string): string {
  return Array.from({ length: count }, (_, line) => `${head}${line}${tail}\n`).join('');
}

function aliasing(items: string, uses: string): string {
  return `${id}extension: { a: &a [${items}], b: [${uses}] }\n`;
}

/** Texts that would take a program's time or memory, by what they are made of. */
export const exhausting: Readonly<Record<string, readonly [text: string, code: string]>> = {
  'open lists': ['['.repeat(60_000), 'nesting-too-deep'],
  'open mappings': ['{'.repeat(60_000), 'nesting-too-deep'],
  'closing brackets': [']'.repeat(60_000), 'yaml-syntax'],
  'list indicators': ['- '.repeat(60_000), 'nesting-too-deep'],
  'key indicators': ['? '.repeat(60_000), 'nesting-too-deep'],
  'empty lists': [filled(`${id}extension: { a: [`, '[],', ']}'), 'file-too-complex'],
  numbers: [filled(`${id}extension: { a: [`, '1,', ']}'), 'file-too-complex'],
  'equal keys': [filled(`${id}extension:\n`, ' k: 1\n'), 'file-too-complex'],
  aliases: [filled(`${id}extension: { b: &a x, c: [`, '*a,', ']}'), 'file-too-complex'],
  'aliases of a long list': [
    aliasing('1,'.repeat(60_000), '*a,'.repeat(35_000)),
    'file-too-complex',
  ],
  'merges of a long list': [
    aliasing('{},'.repeat(30_000), '{<<: *a},'.repeat(9000)),
    'file-too-complex',
  ],
  anchors: ['&a '.repeat(60_000), 'yaml-syntax'],
  'unknown keys': [`${id}${numbered(25_000, 'k', ': 1')}`, 'too-many-problems'],
  'unknown keys of ODCS': [`${odcs}${numbered(20_000, 'k', ': 1')}`, 'not-synced'],
  'unknown keys of a column': [
    `${odcs}schema:\n  - name: t\n    properties:\n      - name: c\n${numbered(20_000, '        logicalType', ': 1')}`,
    'too-many-problems',
  ],
  documents: [filled('', '---\n'), 'file-too-complex'],
  directives: [filled('', '%FOO a\n'), 'file-too-complex'],
  'wrong escapes': [filled(`${id}description: "`, '\\q', '"'), 'yaml-syntax'],
  'quotes without a text': [filled('', "'"), 'not-a-mapping'],
  'open quotes': [filled(`${id}a: "`, '\\\\ '), 'yaml-syntax'],
  'brackets that close below their keys': [filled('', 'a: [\n]\n'), 'file-too-complex'],
  spaces: [filled('', ' '), 'no-contract'],
  'conflict markers': [filled(id, '<<<<<<< a\n'), 'merge-conflict'],
};
