import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { type FileReading, parseSource, type ReadingRules } from '../files/read/reading.ts';
import { readSources, type SourceFile } from '../files/read/text.ts';
import type { OpenedFiles } from '../files/files.ts';
import { startThread, threadProgram } from './thread.ts';

/** Threads beside this one, and the file of their program. */
type Helpers = { readonly count: number; readonly program: string };

/** Sources that several threads share out among themselves, batch by batch. */
export type SharedSources = {
  readonly sources: readonly SourceFile[];
  readonly rules: ReadingRules;
  /** One number, in shared memory: the next batch that nobody has claimed. */
  readonly next: Int32Array;
};

/** Files that are read at once, and parsed by helping threads too where it is worth their start. */
export function openFilesAhead(
  files: readonly string[],
  root: string,
  helpers: Helpers | undefined = usefulHelpers(files.length),
): OpenedFiles {
  // They start while the files are read.
  const threads = helpers ? startThreads(helpers) : [];
  const sources = readSources(files, root);
  return {
    sources,
    parse: async (rules) => {
      const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const shared: SharedSources = { sources, rules, next };
      const readings = new Map<number, readonly FileReading[]>();
      const parseHere = async (batches: Iterable<number>): Promise<void> => {
        for (const batch of batches) {
          const batchSources = sourcesOf(batch, shared);
          readings.set(
            batch,
            batchSources.map((source) => parseSource(source, rules)),
          );
          await setImmediate(); // Parsing is deaf to everything else.
        }
      };
      const helping = shareWith(threads, shared, readings);
      await parseHere(claimBatches(shared));
      await helping;
      const batches = [...Array(batchCount(sources)).keys()];
      // What was left to helpers that have died, some of it claimed and not parsed.
      await parseHere(batches.filter((batch) => !readings.has(batch)));
      return batches.flatMap((batch) => readings.get(batch) ?? []);
    },
  };
}

/** Starting a thread costs 30 MB, and as much time as parsing some 1000 files. */
const filesWorthAThread = 2000;
const mostHelpers = 3;

function usefulHelpers(fileCount: number): Helpers | undefined {
  if (fileCount < filesWorthAThread) return undefined;
  const program = threadProgram('files-worker');
  const count = Math.min(availableParallelism() - 1, mostHelpers);
  return count > 0 && program !== undefined ? { count, program } : undefined;
}

function startThreads({ count, program }: Helpers): Worker[] {
  return Array.from({ length: count }, () => startThread(program, {})).filter(
    (worker) => worker !== undefined,
  );
}

/** Resolves when all threads have ended, well or not: what they leave undone is done here. */
async function shareWith(
  threads: readonly Worker[],
  shared: SharedSources,
  readings: Map<number, readonly FileReading[]>,
): Promise<void> {
  const ends = threads.map((worker) => {
    worker.on('message', ([batch, json]: [number, string]) => {
      const batchReadings: FileReading[] = JSON.parse(json);
      readings.set(batch, batchReadings);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.on('error', () => resolve());
    worker.on('exit', () => resolve());
    worker.postMessage(shared, []);
    return promise;
  });
  await Promise.all(ends);
}

/** Some 10 ms of parsing: how long a thread is deaf to everything else. */
const batchSize = 16;

function batchCount(sources: readonly SourceFile[]): number {
  return Math.ceil(sources.length / batchSize);
}

/** Batches as they are claimed: each goes to one thread. */
export function* claimBatches({ sources, next }: SharedSources): Generator<number> {
  for (;;) {
    const batch = Atomics.add(next, 0, 1);
    if (batch >= batchCount(sources)) return;
    yield batch;
  }
}

export function sourcesOf(batch: number, { sources }: SharedSources): readonly SourceFile[] {
  return sources.slice(batch * batchSize, (batch + 1) * batchSize);
}
