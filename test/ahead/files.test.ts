import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFilesAhead } from '../../src/ahead/files.ts';
import type { FileReading } from '../../src/files/read/reading.ts';
import { makeFolder } from '../files/folder.ts';

// Enough that a helper has started long before all are read, too few to get one unasked.
const names = Array.from({ length: 900 }, (_, file) => `${file}.yaml`);
const program = join(import.meta.dirname, '../../src/ahead/files-worker.ts');

const odcsFile = `apiVersion: v3.1.0
kind: DataContract
id: 0a000000-0000-4000-8000-000000000001
version: 1.0.0
status: draft
schema: [{ name: orders, properties: [{ name: id, logicalType: integer, required: false }] }]
`;

function makeContracts(): string {
  return makeFolder({
    ...Object.fromEntries(names.map((name) => [name, `fullyQualifiedName: a."${name}"\n`])),
    '3.yaml': 'fullyQualifiedName: ☃\nversion: 1\n',
    '5.yaml': odcsFile,
    '77.yaml': 'entityStatus: Nonsense\nfullyQualifiedName: a.77\n',
  });
}

type Opened = Parameters<typeof openFilesAhead>;

/** What the files come to; without helpers, in this thread alone. */
async function read(root: string, helpers?: Opened[2]): Promise<readonly FileReading[]> {
  return openFilesAhead(names, root, helpers).parse({ statuses: ['Draft'] });
}

test('helping threads change nothing about what is read', async () => {
  const root = makeContracts();
  const alone = await read(root);
  expect(alone).toHaveLength(900);
  expect(alone[5]?.contracts).toMatchObject([{ odcs: { pointer: ['schema', '0'] } }]);
  expect(alone[77]?.diagnostics).toMatchObject([{ code: 'unknown-status' }]);
  expect(await read(root, { count: 2, program })).toEqual(alone);
});

test.each([
  ['throws', 'throw new Error("broken")'],
  ['ends', 'process.exit(1)'],
])('a helping thread that claims files and then %s loses none', async (_how, code) => {
  const root = makeContracts();
  const broken = makeFolder({
    'broken.mjs': `import { parentPort } from 'node:worker_threads';
      parentPort.once('message', ({ next }) => { Atomics.add(next, 0, 1); ${code}; });`,
  });
  const helpers = { count: 2, program: join(broken, 'broken.mjs') };
  expect(await read(root, helpers)).toEqual(await read(root));
});

test('a helping thread whose program cannot be read loses none', async () => {
  const root = makeContracts();
  const broken = makeFolder({ 'broken.mjs': '((' });
  const helpers = { count: 2, program: join(broken, 'broken.mjs') };
  expect(await read(root, helpers)).toEqual(await read(root));
});

/** A helper that gives files without parsing them. */
const marking = `import { parentPort } from 'node:worker_threads';
parentPort.once('message', ({ next, sources }) => {
  for (let batch; (batch = Atomics.add(next, 0, 1)) < 900 / 16;) {
    const shared = sources.slice(batch * 16, (batch + 1) * 16);
    const readings = shared.map(() => ({ contracts: [], diagnostics: [{ code: 'helped' }] }));
    parentPort.postMessage([batch, JSON.stringify(readings)], []);
  }
});`;

test('this thread parses with a helping one', async () => {
  const folder = makeFolder({ 'marking.mjs': marking });
  const helpers = { count: 1, program: join(folder, 'marking.mjs') };
  const readings = await read(makeContracts(), helpers);
  const helped = readings.filter(({ diagnostics }) => diagnostics[0]?.code === 'helped').length;
  expect(helped).toBeLessThan(names.length);
});

test('what dying threads were left with is parsed in pieces, between which others get their turn', async () => {
  const root = makeContracts();
  const broken = makeFolder({ 'broken.mjs': 'process.exit(1);' });
  const helpers = { count: 1, program: join(broken, 'broken.mjs') };
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const readings = await read(root, helpers);
  clearInterval(timer);
  expect(readings).toHaveLength(names.length);
  expect(turns).toBeGreaterThan(5);
});
