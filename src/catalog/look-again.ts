import pLimit from 'p-limit';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { CatalogReader, Page } from './catalog.ts';
import type { Product } from './products/product.ts';
import { fieldsToRequest, queryAgain } from './query.ts';

/** A list that was read, and what it leaves to be looked for. */
export type FirstLook = {
  readonly missing: readonly DesiredContract[];
  readonly pages: number;
  readonly dialect: Product;
};

/**
 * A second look for contracts that a list of so many pages did not show: a row slips from a page to
 * the one before while the list is read, and nothing in the list tells. Each contract is asked for
 * by itself, or all by one more walk, whichever takes fewer requests; others may come too, and where
 * the catalog keeps what is deleted, that comes as well.
 */
export async function* lookAgain(
  reader: CatalogReader,
  { missing, pages, dialect }: FirstLook,
): AsyncGenerator<Page> {
  if (missing.length === 0) return;
  const isAlone = ({ identity }: DesiredContract): boolean =>
    dialect.addressOf(identity) !== undefined;
  if (missing.length <= Math.max(pages, fewest) && missing.every(isAlone)) {
    yield { contracts: await fetchEach(reader, missing, dialect) };
    return;
  }
  yield* reader.list({
    ...queryAgain(missing),
    ...(missing.some(isAlone) && { include: 'all' as const }),
  });
}

/** So many small answers are sooner there than a page of a list. */
const fewest = 10;

/** As many at once as are ever sent; how many really, the connection says. */
const atOnce = 10;

async function fetchEach(
  reader: CatalogReader,
  contracts: readonly DesiredContract[],
  { addressOf }: Product,
): Promise<LiveContract[]> {
  const found = await pLimit(atOnce).map(contracts, async (contract) => {
    const address = addressOf(contract.identity);
    return address && reader.fetchContract(address, { fields: fieldsToRequest([contract]) });
  });
  return found.filter((live) => live !== undefined);
}
