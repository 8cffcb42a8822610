import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const program = `
import { getHeapSpaceStatistics } from 'node:v8';
import { prepareProcess } from ${JSON.stringify(join(import.meta.dirname, '../../src/ahead/memory.ts'))};
const megabytes = () => {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return Math.round((space.space_used_size + space.space_available_size) / 2 ** 20);
};
const sizes = [megabytes()];
prepareProcess({});
sizes.push(megabytes());
const outliving = [];
for (let count = 0; count < 5000; count += 1) outliving.push(Array.from({ length: 1000 }, Number));
sizes.push(megabytes());
console.log(JSON.stringify(sizes));`;

test('the space for new objects does not grow, however much outlives collections', () => {
  const args = ['--input-type=module', '--eval', program];
  const sizes: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  expect(sizes).toEqual([1, 1, 1]);
});
