/** Listing the catalog while the files are still being parsed. */

import type { CatalogReader, Page } from './catalog/catalog.ts';
import type { OptionalField } from './contract/contract.ts';

type Fields = readonly OptionalField[];

export type Listing = {
  /** The pages, with these fields in them and no others. */
  readonly pages: (fields: Fields) => AsyncIterable<Page>;
  /** Nobody wants the pages: what is under way is given up. */
  readonly abandon: () => void;
};

/**
 * Asks for the first page at once, with the fields that are likely to be wanted. If it turns out
 * that others are, the list is begun again: which fields come never depends on the guess.
 */
export function startListing(reader: CatalogReader, guess: Fields): Listing {
  const abandoned = new AbortController();
  const abandon = (): void => abandoned.abort();
  const early = reader.list({ fields: guess }, abandoned.signal)[Symbol.asyncIterator]();
  const first = early.next();
  // Whoever takes the pages is told of a failure; until then it must not end the process.
  first.catch(() => undefined);
  return {
    pages: (fields) => {
      if (isSame(guess, fields)) return resume(first, early);
      abandon();
      return reader.list({ fields });
    },
    abandon,
  };
}

/** What an iterator gives whose first result has already been asked for. */
async function* resume(
  first: Promise<IteratorResult<Page>>,
  rest: AsyncIterator<Page>,
): AsyncGenerator<Page> {
  try {
    for (let page = await first; !page.done; page = await rest.next()) yield page.value;
  } finally {
    await rest.return?.();
  }
}

function isSame(a: Fields, b: Fields): boolean {
  return a.length === b.length && a.every((field) => b.includes(field));
}
