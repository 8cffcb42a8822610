/** The program of the thread that parses pages, and gives whole contracts only where they are wanted. */

import { parentPort, workerData } from 'node:worker_threads';
import type { Content } from '../http/body.ts';
import type { Fault } from '../catalog/request.ts';
import { createHeadReader } from './heads.ts';

/** `page` is a `PageOfHeads` as JSON: cloning objects from thread to thread takes five times as long. */
export type PageReply = { readonly page: string } | { readonly fault: Fault };

const readHeads = createHeadReader(workerData);

parentPort?.on('message', (content: Content) => {
  const page = readHeads(content);
  const reply: PageReply = 'fault' in page ? page : { page: JSON.stringify(page.value) };
  parentPort?.postMessage(reply, []);
  letGo(content);
});

/** Skimming leaves so little behind that the collector would come too late for the bytes of a page. */
function letGo({ chunks }: Content): void {
  for (const buffer of new Set(chunks.map((chunk) => chunk.buffer))) buffer.transfer(0);
}
