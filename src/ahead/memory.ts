import { setFlagsFromString } from 'node:v8';
import { useEnvironmentProxy } from '../http/proxy.ts';

/**
 * Fits this process for talking to a catalog. The programs call it once, before anything is
 * fetched; a library must leave its caller's process as it is.
 */
export function prepareProcess(environment: NodeJS.ProcessEnv): void {
  useEnvironmentProxy(environment);
  for (const flag of memoryFlags) setFlagsFromString(flag);
}

/**
 * A long list is much garbage and little that stays. V8 would let the space for new objects grow by
 * it to 128 MB: in this thread it stays as it is, and in threads yet to be started, of which one reads
 * the pages, it has what a page takes. The flags for sizes are heeded only when a thread starts.
 */
const memoryFlags = [
  '--semi-space-growth-factor=1',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
];

/**
 * Fits this process for reading many files, on all of its cores. Of what a parser allocates next to
 * nothing outlives a collection: V8's own threads, which would share that out, only take turns with
 * those that parse.
 */
export function prepareForReading(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
