/**
 * What reading the pages takes at the least: `fetch` and `JSON.parse`, one page after the other. With
 * the name of a folder, also what its YAML files take: js-yaml reads them.
 */
import { readdirSync, readFileSync } from 'node:fs';

const baseUrl = process.env['CONTRACT_SYNC_URL'] ?? '';
const folder = process.argv[2];
let after = '0';
let contracts = 0;
const started = performance.now();
while (after !== '') {
  const response = await fetch(`${baseUrl}/v1/dataContracts?limit=1000&after=${after}`);
  const page = JSON.parse(await response.text());
  contracts += page.data.length;
  after = page.paging.after ?? '';
}
if (folder !== undefined) {
  const { load } = await import('js-yaml');
  for (const file of readdirSync(folder)) load(readFileSync(`${folder}/${file}`, 'utf8'));
}
process.stdout.write(`${contracts} contracts in ${Math.round(performance.now() - started)} ms\n`);
