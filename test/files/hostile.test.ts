import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContracts } from '../../src/files/files.ts';
import { expectGolden } from '../support/golden.ts';
import { describeReading } from './describe.ts';

/** Byte for byte as they were made: no formatter may touch them. */
const folder = join(import.meta.dirname, 'hostile');

test('a hostile file gives its diagnostics and nothing else', async () => {
  const readings: string[] = [];
  for (const file of readdirSync(folder).toSorted()) {
    // Each alone: two of them may claim one contract.
    const reading = await readContracts({ root: folder, include: [file], exclude: [] });
    expect(reading.diagnostics.filter(({ hint }) => hint === undefined)).toEqual([]);
    readings.push(describeReading(reading));
  }
  expectGolden(join(import.meta.dirname, 'golden', 'hostile.txt'), readings.join(''));
});
