import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseContractFile } from '../../src/files/files.ts';
import { exhausting, filled, id } from './exhausting.ts';
import { makeFolder } from './folder.ts';
import { outputOf } from '../support/process.ts';

test.each(Object.entries(exhausting))(
  'a file of a megabyte is given up in time: of %s',
  (_what, [text, code]) => {
    const { contracts, diagnostics } = parseContractFile({ file: 'a.yaml', text });
    expect(contracts).toEqual([]);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(diagnostics.length).toBeLessThanOrEqual(101);
  },
  10_000,
);

test('a file of a megabyte is read where it is one long text', () => {
  const { contracts, diagnostics } = parseContractFile({
    file: 'a.yaml',
    text: filled(`${id}description: |\n`, `  ${'word '.repeat(20)}\n`),
  });
  expect(diagnostics).toEqual([]);
  expect(contracts).toHaveLength(1);
});

test.each([
  ['empty lists', 2, 200_004],
  ['equal keys', 33_335, 1],
  ['documents', 100_001, 1],
])('a file of %s is refused where its tokens pass the bound', (what, line, column) => {
  const [text = ''] = exhausting[what] ?? [];
  const { diagnostics } = parseContractFile({ file: 'a.yaml', text });
  expect(diagnostics).toMatchObject([{ source: { line, column } }]);
});

test('a process that reads all hostile files stays small', () => {
  const tooComplex = Object.entries(exhausting).filter(
    ([, [, code]]) => code === 'file-too-complex',
  );
  const root = makeFolder(
    Object.fromEntries(tooComplex.map(([what, [text]]) => [`${what}.yaml`, text])),
  );
  cpSync(join(import.meta.dirname, 'hostile'), root, { recursive: true });
  const program = join(import.meta.dirname, 'peak-memory.ts');
  const output = outputOf(process.execPath, [program, root]);
  const { fileCount, codes, peakMegabytes } = JSON.parse(output);
  expect(fileCount).toBeGreaterThan(160);
  expect(codes).toContain('empty lists.yaml file-too-complex');
  expect(peakMegabytes).toBeLessThan(300);
});
