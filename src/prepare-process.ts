import { setFlagsFromString } from 'node:v8';
import { useEnvironmentProxy } from './catalog/proxy.ts';

/**
 * Fits this process for talking to a catalog. The programs call it once, before anything is
 * fetched; a library must leave its caller's process as it is.
 */
export function prepareProcess(environment: NodeJS.ProcessEnv): void {
  useEnvironmentProxy(environment);
  for (const flag of memoryFlags) setFlagsFromString(flag);
}

/**
 * A long list is much garbage and little that stays. These keep V8 from letting the heap grow by it:
 * a third less memory at 100,000 contracts, for more work of the threads that collect. The flags
 * for sizes, --max-semi-space-size and others, are heeded only before the process starts.
 */
const memoryFlags = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'];

/**
 * Fits this process for reading many files, on all of its cores. Of what a parser allocates next to
 * nothing outlives a collection: V8's own threads, which would share that out, only take turns with
 * those that parse.
 */
export function prepareForReading(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
