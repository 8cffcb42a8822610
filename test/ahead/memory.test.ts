import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const memory = JSON.stringify(join(import.meta.dirname, '../../src/ahead/memory.ts'));

const program = `
import { getHeapSpaceStatistics } from 'node:v8';
import { prepareForList, prepareProcess } from ${memory};
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
  const [before, meanwhile, after] = numbersFrom(`
    import { cachedDataVersionTag } from 'node:v8';
    import * as memory from ${memory};
    const tags = [cachedDataVersionTag()];
    memory.prepareProcess({});
    memory.prepareForReading();
    memory.prepareForList();
    tags.push(cachedDataVersionTag());
    memory.restoreProcess();
    tags.push(cachedDataVersionTag());
    console.log(JSON.stringify(tags));`);
  expect(meanwhile).not.toBe(before);
  expect(after).toBe(before);
});

/** Megabytes at the start, when a list begins, and in the end. */
function sizesOf(environment: Readonly<Record<string, string>>): readonly number[] {
  return numbersFrom(program, environment);
}

/** Of a process of its own: flags are the process's. */
function numbersFrom(
  module: string,
  environment: Readonly<Record<string, string>> = {},
): readonly number[] {
  const args = ['--input-type=module', '--eval', module];
  return JSON.parse(
    execFileSync(process.execPath, args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...environment },
    }),
  );
}
