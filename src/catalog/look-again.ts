import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { attachedTo } from '../contract/identity.ts';
import type { CatalogReader, Page } from './catalog.ts';
import { fieldsToRequest, queryAgain } from './query.ts';

/**
 * A second look for contracts that a list of so many pages did not show: a row slips from a page to
 * the one before while the list is read, and nothing in the list tells. Each contract is asked for
 * by itself, or all by one more walk, whichever takes fewer requests; others may come too.
 */
export async function* lookAgain(
  reader: CatalogReader,
  missing: readonly DesiredContract[],
  pages: number,
): AsyncGenerator<Page> {
  if (missing.length === 0) return;
  const attached = missing.filter(({ identity }) => attachedTo(identity) !== undefined);
  const loose = missing.filter((contract) => !attached.includes(contract));
  if (loose.length === 0 || !reader.find || missing.length > pages) {
    yield* reader.list(queryAgain(missing));
    return;
  }
  yield { contracts: await findEach(reader.find, loose) };
  if (attached.length > 0) yield* reader.list(queryAgain(attached));
}

async function findEach(
  find: NonNullable<CatalogReader['find']>,
  contracts: readonly DesiredContract[],
): Promise<LiveContract[]> {
  const found: LiveContract[] = [];
  for (const contract of contracts) {
    const live = await find(contract.identity, fieldsToRequest([contract]));
    if (live) found.push(live);
  }
  return found;
}
