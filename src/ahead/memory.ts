import { setFlagsFromString } from 'node:v8';
import { useEnvironmentProxy } from '../http/proxy.ts';

/**
 * Fits this process for talking to a catalog. The programs call it once, before anything is
 * fetched; a library must leave its caller's process as it is.
 */
export function prepareProcess(environment: NodeJS.ProcessEnv): void {
  useEnvironmentProxy(environment);
  // For threads yet to be started, of which one reads the pages: megabytes for new objects, what a page takes.
  setFlag('--min-semi-space-size=16', '--min-semi-space-size=0');
  setFlag('--max-semi-space-size=16', '--max-semi-space-size=0');
  isPrepared = true;
}

let isPrepared = false;

/**
 * Fits a process that is prepared for a list, once the files have been read. What they say stays, so
 * it was good that the space for new objects grew; a long list is much garbage and little that stays,
 * and V8 would let that space grow by it to 128 MB.
 */
export function prepareForList(): void {
  if (isPrepared) setFlag('--semi-space-growth-factor=1', '--semi-space-growth-factor=2');
}

/**
 * Fits this process for reading many files, on all of its cores. Of what a parser allocates next to
 * nothing outlives a collection: V8's own threads, which would share that out, only take turns with
 * those that parse.
 */
export function prepareForReading(): void {
  setFlag('--no-parallel-scavenge', '--parallel-scavenge');
}

/** Once all is done: what V8 has compiled is good for another process with the same flags alone. */
export function restoreProcess(): void {
  for (const flag of changed) setFlagsFromString(flag);
  changed.clear();
}

/** As V8 has them of itself. */
const changed = new Set<string>();

function setFlag(flag: string, usual: string): void {
  setFlagsFromString(flag);
  changed.add(usual);
}
