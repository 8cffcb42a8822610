import { availableParallelism } from 'node:os';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { startThread, threadProgram } from '../thread-program.ts';
import { batchCount, claimBatches, readBatch, type SharedFiles } from './batches.ts';
import type { FileReading, ReadRequest } from './read/reading.ts';

/** Threads beside this one, and the file of their program. */
export type Helpers = { readonly count: number; readonly program: string };

/**
 * Takes part in the reading, as far as this thread has nothing better to do. The readings come in
 * the order of the files.
 *
 * @param contracts of the catalog that this thread has to fetch meanwhile; known once the first
 * have come. Never rejects.
 */
export type FinishReading = (contracts?: Promise<number>) => Promise<FileReading[]>;

/** Has helping threads read the files, where it is worth their start. */
export function startReading(
  files: readonly string[],
  request: ReadRequest,
  helpers: Helpers | undefined = usefulHelpers(files.length),
): FinishReading {
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const shared: SharedFiles = { ...request, files, next };
  const readings = new Map<number, readonly FileReading[]>();
  const helping = helpers && startHelpers(helpers, shared, readings);
  const readHere = async (
    batches: Iterable<number>,
    between?: () => Promise<unknown>,
  ): Promise<void> => {
    for (const batch of batches) {
      readings.set(batch, readBatch(batch, shared));
      await setImmediate(); // Answers of the catalog are taken in between.
      await between?.();
    }
  };
  return async (contracts) => {
    const whenFree = helping && contracts && leaveTimeToFetch(contracts, helping);
    await whenFree?.();
    await readHere(claimBatches(shared), whenFree);
    await helping;
    const batches = [...Array(batchCount(files)).keys()];
    // What was left to helpers that have died, some of it claimed and not read.
    await readHere(batches.filter((batch) => !readings.has(batch)));
    return batches.flatMap((batch) => readings.get(batch) ?? []);
  };
}

/**
 * Resolves whenever this thread is free to parse: once it is known how many contracts it has to
 * fetch and they should have come, or as long as that is not known; at once where nobody helps any
 * more.
 */
function leaveTimeToFetch(contracts: Promise<number>, helping: Promise<void>): () => Promise<void> {
  const learn = async (): Promise<void> => {
    const milliseconds = (await contracts) * millisecondsPerContract;
    busy = unhurried(Math.min(milliseconds, longestFetch));
  };
  let busy = Promise.race([learn(), unhurried(patience)]);
  return async () => {
    let waited: Promise<void> | undefined;
    while (waited !== busy) {
      waited = busy;
      await Promise.race([waited, helping]);
    }
  };
}

/**
 * Milliseconds to wait for the first page of a list, which parsing keeps from coming and which
 * tells whether to parse at all.
 */
const patience = 200;

/** What fetching takes while helpers parse: for so long this thread leaves the parsing to them. */
const millisecondsPerContract = 0.015;
const longestFetch = 10_000;

/** Such a wait does not keep the process. */
async function unhurried(milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { ref: false });
}

/** Starting a thread costs 0.2 s, as much as parsing some 500 files. */
const filesWorthAThread = 1000;
const mostHelpers = 3;

function usefulHelpers(fileCount: number): Helpers | undefined {
  if (fileCount < filesWorthAThread || program === undefined) return undefined;
  const count = Math.min(availableParallelism() - 1, mostHelpers);
  return count > 0 ? { count, program } : undefined;
}

const program = threadProgram('read-worker', import.meta);

async function startHelpers(
  { count, program: ofHelpers }: Helpers,
  shared: SharedFiles,
  readings: Map<number, readonly FileReading[]>,
): Promise<void> {
  const ends = Array.from({ length: count }, async () => {
    const worker = startThread(ofHelpers, shared);
    if (!worker) return;
    worker.on('message', ([batch, json]: [number, string]) => {
      const batchReadings: FileReading[] = JSON.parse(json);
      readings.set(batch, batchReadings);
    });
    await endOf(worker);
  });
  await Promise.all(ends);
}

/** Resolves when a thread has ended, well or not: what it leaves undone is done here. */
function endOf(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.on('error', () => resolve());
  worker.on('exit', () => resolve());
  return promise;
}
