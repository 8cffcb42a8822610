/** Listing the catalog while the files are still being parsed. */

import type { CatalogReader, ListQuery, Page } from './catalog/catalog.ts';
import { optionalFields, type DesiredContract, type OptionalField } from './contract/contract.ts';
import { lookupEntity } from './contract/identity.ts';

type Fields = readonly OptionalField[];

/** What to list, once the files have been read. */
export type Wanted = Pick<ListQuery, 'entities'> & {
  /** These come, and no others. */
  readonly fields: Fields;
};

export type Listing = {
  readonly pages: (wanted: Wanted) => AsyncIterable<Page>;
  /** Nobody wants any more pages: what is under way is given up. */
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
    pages: (wanted) => {
      if (!wanted.entities && isSame(guess, wanted.fields)) return resume(first, early);
      abandon();
      return reader.list(wanted);
    },
    abandon,
  };
}

/** Asks for nothing before the files have been read: what they want may take fewer requests. */
export function postponeListing(reader: CatalogReader): Listing {
  return { pages: reader.list, abandon: () => undefined };
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

/** What these files want listed, and whether with all the contracts that they do not declare. */
export function wantedBy(desired: readonly DesiredContract[], withOthers: boolean): Wanted {
  const entities = withOthers ? undefined : entitiesToRequest(desired);
  return { fields: fieldsToRequest(desired), ...(entities && { entities }) };
}

/** The catalog sends these only when asked, and asking costs it: only those that a file manages. */
function fieldsToRequest(desired: readonly DesiredContract[]): OptionalField[] {
  return optionalFields.filter((field) =>
    desired.some(({ managed }) => Object.hasOwn(managed, field)),
  );
}

/**
 * The assets of the contracts, if by them alone all are found. One that is looked up by another
 * identity may be attached elsewhere than its file says: only the whole list shows it.
 */
function entitiesToRequest(desired: readonly DesiredContract[]): string[] | undefined {
  const entities = desired.map(({ identity }) => lookupEntity(identity));
  return entities.every((entity) => entity !== undefined) ? [...new Set(entities)] : undefined;
}
