/** The program of a helping thread: reads batches until none is left. */

import { parentPort, workerData } from 'node:worker_threads';
import { claimBatches, readBatch, type SharedFiles } from './batches.ts';

const shared: SharedFiles = workerData;

for (const batch of claimBatches(shared)) {
  // As text: cloning objects from thread to thread takes five times as long.
  const message = [batch, JSON.stringify(readBatch(batch, shared))];
  parentPort?.postMessage(message, []);
}
