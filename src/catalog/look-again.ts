import pLimit from 'p-limit';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { CatalogReader, Page } from './catalog.ts';
import type { Product } from './products/product.ts';
import { fieldsToRequest, queryAgain } from './query.ts';

export type FirstLook = {
  readonly missing: readonly DesiredContract[];
  readonly pages: number;
  readonly dialect: Product;
};

/**
 * Looks again for contracts that a list did not show: a row may slip to the page before while the
 * list is read. Asks for each by itself, or walks the list once more, whichever takes fewer
 * requests; other and deleted contracts may come too.
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

/** So many small answers take less time than a page of a list. */
const fewest = 10;

/** The connection limits it further. */
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
