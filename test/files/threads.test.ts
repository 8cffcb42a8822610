import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles } from '../../src/files/threads.ts';
import { makeFolder } from './folder.ts';

// Enough that a helper has started long before all are read, too few to get one unasked.
const names = Array.from({ length: 900 }, (_, file) => `${file}.yaml`);
const program = join(import.meta.dirname, '../../src/files/read-worker.ts');

function makeContracts(): string {
  return makeFolder({
    ...Object.fromEntries(names.map((name) => [name, `fullyQualifiedName: a."${name}"\n`])),
    '3.yaml': 'fullyQualifiedName: ☃\nversion: 1\n',
    '77.yaml': 'entityStatus: Nonsense\nfullyQualifiedName: a.77\n',
  });
}

test('helping threads change nothing about what is read', async () => {
  const request = { root: makeContracts(), statuses: ['Draft'] };
  const alone = await readFiles(names, request);
  expect(alone).toHaveLength(900);
  expect(alone[77]?.diagnostics).toMatchObject([{ code: 'unknown-status' }]);
  expect(await readFiles(names, request, { count: 2, program })).toEqual(alone);
});

test.each([
  ['throws', 'throw new Error("broken")'],
  ['ends', 'process.exit(1)'],
  ['does not parse', '(('],
])('a helping thread that claims files and then %s loses none', async (_how, code) => {
  const root = makeContracts();
  const broken = makeFolder({
    'broken.mjs': `import { workerData } from 'node:worker_threads'; Atomics.add(workerData.next, 0, 1); ${code};`,
  });
  const helpers = { count: 2, program: join(broken, 'broken.mjs') };
  expect(await readFiles(names, { root }, helpers)).toEqual(await readFiles(names, { root }));
});
