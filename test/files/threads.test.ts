import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startReading } from '../../src/files/threads.ts';
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
  const alone = await startReading(names, request)();
  expect(alone).toHaveLength(900);
  expect(alone[77]?.diagnostics).toMatchObject([{ code: 'unknown-status' }]);
  expect(await startReading(names, request, { count: 2, program })()).toEqual(alone);
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
  expect(await startReading(names, { root }, helpers)()).toEqual(
    await startReading(names, { root })(),
  );
});

/** A helper that gives files without reading them. */
const marking = `import { parentPort, workerData } from 'node:worker_threads';
for (let batch; (batch = Atomics.add(workerData.next, 0, 1)) < 900 / 16;) {
  const files = workerData.files.slice(batch * 16, (batch + 1) * 16);
  const readings = files.map(() => ({ contracts: [], diagnostics: [], text: 'helped' }));
  parentPort.postMessage([batch, JSON.stringify(readings)], []);
}`;

const many = 1e12;

test.each([
  ['reads with a helping thread', undefined, false],
  ['reads with one where it has no contracts to fetch meanwhile', 0, false],
  ['leaves the files to one where it has many', many, true],
])('this thread %s', async (_what, contracts, isSpared) => {
  const folder = makeFolder({ 'marking.mjs': marking });
  const helpers = { count: 1, program: join(folder, 'marking.mjs') };
  const finish = startReading(names, { root: makeContracts() }, helpers);
  const readings = await finish(contracts === undefined ? undefined : Promise.resolve(contracts));
  const helped = readings.filter(({ text }) => text === 'helped').length;
  expect(helped === names.length).toBe(isSpared);
});

test('this thread does not wait for ever to know how many contracts it has to fetch', async () => {
  const root = makeContracts();
  const { promise: never } = Promise.withResolvers<number>();
  const alone = await startReading(names, { root })();
  expect(await startReading(names, { root })(never)).toEqual(alone);
  expect(await startReading(names, { root }, { count: 1, program })(never)).toEqual(alone);
});

test('what dying threads were left with is read in pieces, between which others get their turn', async () => {
  const root = makeContracts();
  const broken = makeFolder({ 'broken.mjs': 'process.exit(1);' });
  const helpers = { count: 1, program: join(broken, 'broken.mjs') };
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const readings = await startReading(names, { root }, helpers)(Promise.resolve(many));
  clearInterval(timer);
  expect(readings).toHaveLength(names.length);
  expect(turns).toBeGreaterThan(5);
});
