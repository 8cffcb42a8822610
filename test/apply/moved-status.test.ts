import { expect, test } from 'vitest';
import type { CatalogReader, CatalogWriter } from '../../src/catalog/catalog.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { openOrders } from './openmetadata-world.ts';
import { clientOf, liveOf } from './world.ts';

type Status = string | null;

/** A draft is approved; the answer to the patch has one status, and what is read later another. */
async function approve(answered: Status, read: Status) {
  const orders = await openOrders({ entityStatus: 'Draft' });
  const plan = await orders.plan({ entityStatus: 'Approved' });
  const { reader, writer } = clientOf(await orders.connect('admin'));
  let isSent = false;
  const patch: CatalogWriter['patch'] = async (...given) => {
    const live = await writer.patch(...given);
    isSent = true;
    return withStatus(live, answered);
  };
  const fetchContract: CatalogReader['fetchContract'] = async (...given) => {
    const live = await reader.fetchContract(...given);
    return live && isSent ? withStatus(live, read) : live;
  };
  return orders.run(plan, { reader: { ...reader, fetchContract }, writer: { ...writer, patch } });
}

function withStatus({ document }: LiveContract, status: Status): LiveContract {
  const { entityStatus: _, ...rest } = document;
  const moved: JsonObject = status === null ? rest : { ...rest, entityStatus: status };
  return liveOf(moved);
}

test('a status that the catalog moves after it has taken it is no failure', async () => {
  expect(await approve('Approved', 'In Review')).toMatchObject({
    result: 'applied',
    note: 'Changed after: admin moved the status from Approved to In Review right after the write.',
  });
});

test.each<[Status, Status]>([
  ['In Review', 'In Review'],
  ['In Review', 'Draft'],
  ['Draft', 'In Review'],
  [null, 'Draft'],
])('one that it never took, but answered %s before it had %s, is', async (answered, read) => {
  const outcome = await approve(answered, read);
  expect(outcome).toMatchObject({ result: 'unverified', differences: ['entityStatus'] });
  expect(outcome.note).toBeUndefined();
});
