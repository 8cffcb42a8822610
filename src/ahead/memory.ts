import { setFlagsFromString } from 'node:v8';
import { useEnvironmentProxy } from '../http/proxy.ts';

/**
 * Fits this process for talking to a catalog. The programs call it once, before anything is
 * fetched; a library must leave its caller's process as it is.
 */
export function prepareProcess(environment: NodeJS.ProcessEnv): void {
  useEnvironmentProxy(environment);
  for (const flag of flagsOfThreads) setFlagsFromString(flag);
  isPrepared = true;
}

let isPrepared = false;

/**
 * Megabytes for new objects in threads yet to be started, of which one reads the pages: what a page
 * takes. A thread heeds them only when it starts.
 */
const flagsOfThreads = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/**
 * Fits a process that is prepared for a list, once the files have been read. What they say stays, so
 * it was good that the space for new objects grew; a long list is much garbage and little that stays,
 * and V8 would let that space grow by it to 128 MB.
 */
export function prepareForList(): void {
  if (isPrepared) setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Fits this process for reading many files, on all of its cores. Of what a parser allocates next to
 * nothing outlives a collection: V8's own threads, which would share that out, only take turns with
 * those that parse.
 */
export function prepareForReading(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
