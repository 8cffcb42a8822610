import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseContractFile } from '../../src/files/contract-file.ts';
import { largestFile } from '../../src/files/obstacle.ts';
import { makeFolder } from './folder.ts';

const id = 'id: 7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55\n';

/** A text of nearly the largest size that is read, of many equal pieces. */
function filled(head: string, piece: string, tail = ''): string {
  const count = Math.floor((largestFile - head.length - tail.length) / piece.length);
  return `${head}${piece.repeat(count)}${tail}`;
}

function numbered(count: number, head: string, tail: string): string {
  return Array.from({ length: count }, (_, line) => `${head}${line}${tail}\n`).join('');
}

const exhausting: Readonly<Record<string, readonly [text: string, code: string]>> = {
  'open lists': [filled('', '['), 'nesting-too-deep'],
  'open mappings': [filled('', '{'), 'nesting-too-deep'],
  'closing brackets': [filled('', ']'), 'too-many-problems'],
  'list indicators': [filled('', '- '), 'nesting-too-deep'],
  'key indicators': [filled('', '? '), 'nesting-too-deep'],
  'empty lists': [filled(`${id}extension: { a: [`, '[],', ']}'), 'file-too-complex'],
  numbers: [filled(`${id}extension: { a: [`, '1,', ']}'), 'file-too-complex'],
  'equal keys': [filled(`${id}extension:\n`, ' k: 1\n'), 'file-too-complex'],
  aliases: [filled(`${id}extension: { b: &a x, c: [`, '*a,', ']}'), 'file-too-complex'],
  anchors: [filled('', '&a '), 'file-too-complex'],
  'unknown keys': [`${id}${numbered(25_000, 'k', ': 1')}`, 'too-many-problems'],
  documents: [filled('', '---\n'), 'file-too-complex'],
  directives: [filled('', '%FOO a\n'), 'file-too-complex'],
  'wrong escapes': [filled(`${id}description: "`, '\\q', '"'), 'too-many-problems'],
  'quotes without a text': [filled('', "'"), 'not-a-mapping'],
  spaces: [filled('', ' '), 'no-contract'],
  'conflict markers': [filled(id, '<<<<<<< a\n'), 'merge-conflict'],
};

describe('a file of a megabyte is given up in time', () => {
  test.each(Object.entries(exhausting))('of %s', (_what, [text, code]) => {
    const { contracts, diagnostics } = parseContractFile('a.yaml', text, undefined);
    expect(contracts).toEqual([]);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(diagnostics.length).toBeLessThanOrEqual(101);
  });
});

test('a file of a megabyte is read where it is one long text', () => {
  const { contracts, diagnostics } = parseContractFile(
    'a.yaml',
    filled(`${id}description: |\n`, `  ${'word '.repeat(20)}\n`),
    undefined,
  );
  expect(diagnostics).toEqual([]);
  expect(contracts).toHaveLength(1);
});

test('a process that reads all hostile files stays small', () => {
  const root = makeFolder({
    'lists.yaml': exhausting['empty lists']?.[0] ?? '',
    'keys.yaml': exhausting['equal keys']?.[0] ?? '',
  });
  cpSync(join(import.meta.dirname, 'golden', 'hostile'), root, { recursive: true });
  const program = join(import.meta.dirname, 'peak-memory.ts');
  const output = execFileSync(process.execPath, [program, root], { encoding: 'utf8' });
  const { fileCount, codes, peakMegabytes } = JSON.parse(output);
  expect(fileCount).toBeGreaterThan(160);
  expect(codes).toContain('lists.yaml file-too-complex');
  expect(peakMegabytes).toBeLessThan(300);
});
