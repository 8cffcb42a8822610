import { expect, test } from 'vitest';
import type { CatalogReader, Page } from '../src/catalog/catalog.ts';
import { postponeListing, startListing } from '../src/listing.ts';

const everything = { fields: [], sieve: { identities: new Set<string>(), names: [] } };

function readerOf(...pages: (Page | Error)[]): CatalogReader {
  const sift: CatalogReader['sift'] = async function* () {
    for (const page of pages) {
      if (page instanceof Error) throw page;
      yield page;
    }
  };
  return { sift } as CatalogReader;
}

test.each([
  [
    'of which many contracts are to come after the first page',
    { contracts: [], total: 10_000 },
    true,
  ],
  ['of which few are to come', { contracts: [], total: 9999 }, false],
  ['that does not say how many they are', { contracts: [] }, false],
  ['that cannot be read', new Error('no catalog'), false],
])('a list %s: is it long?', async (_what, page, isLong) => {
  const listing = startListing(readerOf(page), everything);
  expect(await listing.isLong).toBe(isLong);
});

test('a list that is not begun keeps nobody busy', async () => {
  expect(await startListing(readerOf(), everything).isLong).toBe(false);
  expect(await postponeListing(readerOf()).isLong).toBe(false);
});
