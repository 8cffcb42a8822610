/** The program of the thread that parses pages, and gives whole contracts only where they are wanted. */

import { parentPort, workerData } from 'node:worker_threads';
import { headOf } from '../contract/live.ts';
import { readPage } from './answer.ts';
import type { Fault } from './fault.ts';
import type { Content } from './request.ts';
import { passes, type Sieve } from './sieve.ts';

/** `page` is a `ListedPage` as JSON: cloning objects from thread to thread takes five times as long. */
export type PageReply = { readonly page: string } | { readonly fault: Fault };

const sieve: Sieve = workerData;

parentPort?.on('message', (content: Content) => parentPort?.postMessage(read(content), []));

function read(content: Content): PageReply {
  const parsed = readPage(content);
  if ('fault' in parsed) return parsed;
  const contracts = parsed.value.contracts.map((contract) =>
    passes(sieve, contract) ? contract : headOf(contract),
  );
  return { page: JSON.stringify({ ...parsed.value, contracts }) };
}
