import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { expect, test } from 'vitest';
import {
  prepareForList,
  prepareForReading,
  prepareProcess,
  restoreProcess,
} from '../../src/ahead/memory.ts';

const program = `
import { getHeapSpaceStatistics } from 'node:v8';
import { prepareForList, prepareProcess } from ${JSON.stringify(join(import.meta.dirname, '../../src/ahead/memory.ts'))};
const megabytes = () => {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return Math.round((space.space_used_size + space.space_available_size) / 2 ** 20);
};
const outliving = [];
const fill = () => {
  for (let count = 0; count < 1000; count += 1) outliving.push(Array.from({ length: 1000 }, Number));
};
if (process.env.PREPARED) prepareProcess({});
const sizes = [megabytes()];
fill();
prepareForList();
sizes.push(megabytes());
for (let round = 0; round < 8; round += 1) fill();
sizes.push(megabytes());
console.log(JSON.stringify(sizes));`;

test('the space for new objects grows until a list is read, however much outlives collections', () => {
  const [start, before, after] = sizesOf({ PREPARED: '1' });
  expect(start).toBe(1);
  expect(before).toBeGreaterThan(1);
  expect(after).toBe(before);
});

test('in the process of somebody else it grows as before', () => {
  const [, before = 0, after] = sizesOf({});
  expect(after).toBeGreaterThan(before);
});

test('in the end V8 has the flags that it began with', () => {
  const before = cachedDataVersionTag();
  prepareProcess({});
  prepareForReading();
  prepareForList();
  expect(cachedDataVersionTag()).not.toBe(before);
  restoreProcess();
  expect(cachedDataVersionTag()).toBe(before);
});

/** Megabytes at the start, when a list begins, and in the end. */
function sizesOf(environment: Readonly<Record<string, string>>): readonly number[] {
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(
    execFileSync(process.execPath, args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...environment },
    }),
  );
}
