/**
 * A catalog of pages made beforehand, in a process of its own, so that it is not what is measured.
 * Arguments: how many contracts, and the milliseconds that are added to each answer. Tells its
 * parent its URL.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveContract } from './live-contracts.ts';

const pageSize = 1000;
const [total = 0, latencyMs = 0] = process.argv.slice(2).map(Number);
const pages = Array.from({ length: Math.ceil(total / pageSize) }, (_, index) => pageText(index));

const server = createServer((request, response) => {
  void (async () => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://any');
    if (latencyMs > 0) await sleep(latencyMs);
    if (!pathname.endsWith('/dataContracts')) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(pages[Number(searchParams.get('after') ?? '0')]);
  })();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
// Its parent may be interrupted.
process.once('disconnect', () => process.exit());
const { port } = server.address() as AddressInfo;
process.send?.(`http://127.0.0.1:${port}/api`);

function pageText(index: number): Buffer {
  const start = index * pageSize;
  const end = Math.min(total, start + pageSize);
  const data = Array.from({ length: end - start }, (_, offset) => liveContract(start + offset));
  const paging = { total, ...(end < total && { after: String(index + 1) }) };
  return Buffer.from(JSON.stringify({ data, paging }));
}
