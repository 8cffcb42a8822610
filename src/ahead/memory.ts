import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { useEnvironmentProxy } from '../http/proxy.ts';

/**
 * Fits this process for talking to a catalog. The programs call it once, before anything is
 * fetched; a library must leave its caller's process as it is.
 */
export function prepareProcess(environment: NodeJS.ProcessEnv): void {
  useEnvironmentProxy(environment);
  growNewSpace();
  for (const flag of memoryFlags) setFlagsFromString(flag);
}

/**
 * A long list is much garbage and little that stays. V8 would let the space for new objects grow by
 * it to 128 MB: in this thread it grows once, from 1 MB to 4, and in threads yet to be started, of
 * which one reads the pages, it has what a page takes. The flags for sizes are heeded only when a
 * thread starts.
 */
const memoryFlags = [
  '--semi-space-growth-factor=1',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
];

/** It grows once as much as it holds has outlived a collection: in a few milliseconds, this does. */
function growNewSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=4');
  const outliving: number[][] = [];
  while (newSpaceCapacity() < grown && outliving.length < plenty)
    outliving.push(Array.from({ length: 1000 }, Number));
}

/** Bytes: more than at the start of a process, less than after it has grown. */
const grown = 3_000_000;

/** Eight times as many as it takes: another release of V8 may have other rules. */
const plenty = 800;

function newSpaceCapacity(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return space ? space.space_used_size + space.space_available_size : 0;
}

/**
 * Fits this process for reading many files, on all of its cores. Of what a parser allocates next to
 * nothing outlives a collection: V8's own threads, which would share that out, only take turns with
 * those that parse.
 */
export function prepareForReading(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
