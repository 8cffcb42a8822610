import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readContracts } from '../../src/files/files.ts';
import { expectGolden } from '../support/golden.ts';
import { describeReading } from './describe.ts';

/** Each `x.yaml` here has an `x.txt` that says what is read from it; the bytes are as they are. */
const folder = join(import.meta.dirname, 'golden', 'hostile');

describe('a hostile file gives its diagnostics and nothing else', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  test.each(files)('%s', async (file) => {
    const reading = await readContracts({ root: folder, include: [file], exclude: [] });
    expect(reading.diagnostics.filter(({ hint }) => hint === undefined)).toEqual([]);
    expectGolden(join(folder, file.replace(/\.yaml$/u, '.txt')), describeReading(reading));
  });
});
