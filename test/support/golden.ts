import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';

/**
 * Compares a whole output with the golden file at `path`. `UPDATE_GOLDEN=1` rewrites the file;
 * without it a missing one fails, so that no output is expected unread.
 */
export function expectGolden(path: string, actualText: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeGolden(path, actualText);
    return;
  }
  if (!existsSync(path)) {
    expect.fail(`There is no golden file ${path}; UPDATE_GOLDEN=1 writes it.`);
  }
  expect(actualText).toBe(readFileSync(path, 'utf8'));
}

function writeGolden(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
