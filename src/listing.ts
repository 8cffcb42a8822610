/** Listing the catalog while the files are still being parsed. */

import type { CatalogReader, ListQuery, Page } from './catalog/catalog.ts';
import type { Sieve } from './catalog/sieve.ts';
import {
  optionalFields,
  type DesiredContract,
  type ListedContract,
  type OptionalField,
} from './contract/contract.ts';
import { lookupEntity, lookupValue } from './contract/identity.ts';
import type { NamePattern } from './contract/name-pattern.ts';

type Fields = readonly OptionalField[];

/** What to list. */
export type Wanted = Pick<ListQuery, 'entities'> & {
  /** These come, and no others. */
  readonly fields: Fields;
  /** The contracts that have to be whole. */
  readonly sieve: Sieve;
};

type Pages = AsyncIterable<Page<ListedContract>>;

export type Listing = {
  /** How many contracts come behind its first page; 0 where nobody says, or the list fails. */
  readonly toCome: Promise<number>;
  readonly pages: (wanted: Wanted) => Pages;
  /** Nobody wants any more pages: what is under way is given up. */
  readonly abandon: () => void;
};

/**
 * Begins the list at once, with what is likely to be wanted. If it turns out that something else
 * is, the list is begun again: what comes never depends on the guess.
 */
export function startListing(reader: CatalogReader, guess: Wanted): Listing {
  const abandoned = new AbortController();
  const { sieve, ...query } = guess;
  const pages = reader.sift(query, sieve, abandoned.signal)[Symbol.asyncIterator]();
  const abandon = (): void => {
    abandoned.abort();
    pages.return?.().catch(() => undefined);
  };
  const first = pages.next();
  // Whoever takes the pages is told of a failure; until then it must not end the process.
  first.catch(() => undefined);
  return {
    toCome: first.then(
      ({ done, value }) => (done ? 0 : toCome(value)),
      () => 0,
    ),
    pages: (wanted) => {
      if (!wanted.entities && isGuessed(wanted, guess)) return resume(first, pages);
      abandon();
      return siftedPages(reader, wanted);
    },
    abandon,
  };
}

/** Asks for nothing before the files have been read: what they want may take fewer requests. */
export function postponeListing(reader: CatalogReader): Listing {
  return {
    toCome: Promise.resolve(0),
    pages: (wanted) => siftedPages(reader, wanted),
    abandon: () => undefined,
  };
}

function toCome({ contracts, total = 0 }: Page<ListedContract>): number {
  return Math.max(0, total - contracts.length);
}

function siftedPages(reader: CatalogReader, { sieve, ...query }: Wanted): Pages {
  return reader.sift(query, sieve);
}

/** What an iterator gives whose first result has already been asked for. */
async function* resume(
  first: Promise<IteratorResult<Page<ListedContract>>>,
  rest: AsyncIterator<Page<ListedContract>>,
): AsyncGenerator<Page<ListedContract>> {
  try {
    for (let page = await first; !page.done; page = await rest.next()) yield page.value;
  } finally {
    await rest.return?.();
  }
}

function isGuessed({ fields, sieve }: Wanted, guess: Wanted): boolean {
  return (
    fields.length === guess.fields.length &&
    fields.every((field) => guess.fields.includes(field)) &&
    [...sieve.identities].every((identity) => guess.sieve.identities.has(identity)) &&
    sieve.names.every((name) => guess.sieve.names.includes(name))
  );
}

/** What these files want listed, and which of the contracts that they do not declare. */
export function wantedBy(desired: readonly DesiredContract[], others: Others): Wanted {
  const entities = others.listed ? undefined : entitiesToRequest(desired);
  const values = desired.map(({ identity }) => lookupValue(identity));
  const identities = new Set(values.filter((value) => value !== undefined));
  return {
    fields: fieldsToRequest(desired),
    sieve: { identities, names: others.whole },
    ...(entities && { entities }),
  };
}

/** Contracts that no file declares. */
export type Others = {
  readonly listed: boolean;
  /** The names of those of which more than the head is wanted. */
  readonly whole: readonly NamePattern[];
};

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
