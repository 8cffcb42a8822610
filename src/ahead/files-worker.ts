/** The program of a helping thread: parses batches until none is left. */

import { parentPort } from 'node:worker_threads';
import { parseSource } from '../files/read/reading.ts';
import { claimBatches, type SharedSources, sourcesOf } from './files.ts';

parentPort?.once('message', (shared: SharedSources) => {
  for (const batch of claimBatches(shared)) {
    const readings = sourcesOf(batch, shared).map((source) => parseSource(source, shared.rules));
    // As text: cloning objects from thread to thread takes five times as long.
    parentPort?.postMessage([batch, JSON.stringify(readings)], []);
  }
});
