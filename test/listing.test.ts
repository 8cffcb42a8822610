import { expect, test } from 'vitest';
import type { CatalogReader, Page } from '../src/catalog/catalog.ts';
import { postponeListing, startListing } from '../src/listing.ts';

const everything = { fields: [], sieve: { identities: new Set<string>(), names: [] } };

const contract = { id: 'a', document: {} };

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
  ['that says how many they are', { contracts: [], total: 10_000 }, 10_000],
  ['that says that there are fewer than have come', { contracts: [contract], total: 0 }, 0],
  ['that does not say how many they are', { contracts: [] }, 0],
  ['that cannot be read', new Error('no catalog'), 0],
])('of a list %s, so many contracts are to come: %#', async (_what, page, toCome) => {
  expect(await startListing(readerOf(page), everything).toCome).toBe(toCome);
});

test('of a list that is empty, or has not begun, no contracts are to come', async () => {
  expect(await startListing(readerOf(), everything).toCome).toBe(0);
  expect(await postponeListing(readerOf()).toCome).toBe(0);
});
