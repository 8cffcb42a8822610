import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { threadProgram } from '../thread-program.ts';
import { batchCount, claimBatches, readBatch, type SharedFiles } from './batches.ts';
import type { FileReading, ReadRequest } from './reading.ts';

/** Threads beside this one, and the file of their program. */
export type Helpers = { readonly count: number; readonly program: string };

/**
 * Takes part in the reading, unless this thread has something better to do and others read. The
 * readings come in the order of the files.
 */
export type FinishReading = (hasOtherWork?: Promise<boolean>) => Promise<FileReading[]>;

/** Has helping threads read the files, where it is worth their start. */
export function startReading(
  files: readonly string[],
  request: ReadRequest,
  helpers: Helpers | undefined = usefulHelpers(files.length),
): FinishReading {
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const shared: SharedFiles = { ...request, files, next };
  const readings = new Map<number, readonly FileReading[]>();
  const helping = startHelpers(helpers, shared, readings);
  return async (hasOtherWork) => {
    const isSpared = helpers && (await Promise.race([hasOtherWork, helping.then(() => true)]));
    for (const batch of isSpared ? [] : claimBatches(shared)) {
      readings.set(batch, readBatch(batch, shared));
      await setImmediate(); // Answers of the catalog are taken in between.
    }
    await helping;
    return Array.from(
      { length: batchCount(files) },
      // A helper that died has claimed a batch without reading it.
      (_, batch) => readings.get(batch) ?? readBatch(batch, shared),
    ).flat();
  };
}

/** Starting a thread costs 0.2 s, as much as parsing some 500 files. */
const filesWorthAThread = 1000;
const mostHelpers = 3;

function usefulHelpers(fileCount: number): Helpers | undefined {
  if (fileCount < filesWorthAThread || program === undefined) return undefined;
  return { count: Math.min(availableParallelism() - 1, mostHelpers), program };
}

const program = threadProgram('read-worker', import.meta);

async function startHelpers(
  helpers: Helpers | undefined,
  shared: SharedFiles,
  readings: Map<number, readonly FileReading[]>,
): Promise<void> {
  if (!helpers) return;
  const ends = Array.from({ length: helpers.count }, () => {
    const worker = new Worker(helpers.program, { workerData: shared });
    worker.on('message', ([batch, json]: [number, string]) => {
      const batchReadings: FileReading[] = JSON.parse(json);
      readings.set(batch, batchReadings);
    });
    return endOf(worker);
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
