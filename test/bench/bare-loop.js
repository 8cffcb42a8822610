/** What reading the pages takes at the least: `fetch` and `JSON.parse`, one page after the other. */

const baseUrl = process.env['CONTRACT_SYNC_URL'] ?? '';
let after = '0';
let contracts = 0;
const started = performance.now();
while (after !== '') {
  const response = await fetch(`${baseUrl}/v1/dataContracts?limit=1000&after=${after}`);
  const page = JSON.parse(await response.text());
  contracts += page.data.length;
  after = page.paging.after ?? '';
}
process.stdout.write(`${contracts} contracts in ${Math.round(performance.now() - started)} ms\n`);
