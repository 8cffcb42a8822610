/** What the patches take at the least: lists the contracts, and sends a guarded patch to each, 8 at once. */
const baseUrl = `${process.env['CONTRACT_SYNC_URL']}/v1/dataContracts`;
const headers = {
  authorization: `Bearer ${process.env['CONTRACT_SYNC_TOKEN']}`,
  'content-type': 'application/json-patch+json',
};
const { data } = await (await fetch(`${baseUrl}?limit=1000`, { headers })).json();
const left = data.values();
await Promise.all(Array.from({ length: 8 }, send));

async function send() {
  for (const { id, updatedAt } of left) {
    const body = JSON.stringify([
      { op: 'test', path: '/updatedAt', value: updatedAt },
      { op: 'replace', path: '/description', value: 'As it is to be.' },
      { op: 'add', path: '/schema/-', value: { name: 'added', dataType: 'TEXT' } },
    ]);
    const answer = await fetch(`${baseUrl}/${id}`, { method: 'PATCH', headers, body });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.json();
  }
}
