/**
 * Lists the whole catalog as `plan` does, then fetches each of its pages and does nothing with it.
 * Tells both times in milliseconds.
 */
import { createReader } from '../../src/catalog/client.ts';

const baseUrl = new URL(process.env['CONTRACT_SYNC_URL'] ?? '');
const connection = {
  baseUrl,
  token: async () => 'token',
  pageSize: 1000,
  timeoutMs: 30_000,
  version: 'bench',
};
const reader = createReader(connection);

let pages = 0;
const listing = await timeOf(async () => {
  for await (const _page of reader.list()) pages += 1;
});
const roundTrips = await timeOf(async () => {
  for (let page = 0; page < pages; page += 1) {
    const answer = await fetch(`${baseUrl.href}/v1/dataContracts?limit=1000&after=${page}`);
    await answer.text();
  }
});
process.stdout.write(JSON.stringify({ listing, roundTrips }));

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
