import { type FileReading, type ReadRequest, readFile } from './read/reading.ts';

/** Files that several threads share out among themselves, batch by batch. */
export type SharedFiles = ReadRequest & {
  readonly files: readonly string[];
  /** One number, in shared memory: the next batch that nobody has claimed. */
  readonly next: Int32Array;
};

/** Some 10 ms of parsing: how long a thread is deaf to everything else. */
const batchSize = 16;

export function batchCount(files: readonly string[]): number {
  return Math.ceil(files.length / batchSize);
}

/** Batches as they are claimed: each goes to one thread. */
export function* claimBatches({ files, next }: SharedFiles): Generator<number> {
  for (;;) {
    const batch = Atomics.add(next, 0, 1);
    if (batch >= batchCount(files)) return;
    yield batch;
  }
}

export function readBatch(batch: number, shared: SharedFiles): FileReading[] {
  return shared.files
    .slice(batch * batchSize, (batch + 1) * batchSize)
    .map((file) => readFile(file, shared));
}
