/** Reads files and pages ahead of need: the same plan, sooner. */

import type { CatalogReader, ListQuery, Page } from '../catalog/catalog.ts';
import { reviewedStatuses } from '../catalog/dialects/choose.ts';
import type { OpenPages } from '../catalog/walk.ts';
import { optionalFields, type DesiredContract } from '../contract/contract.ts';
import { composed } from '../contract/canonical-name.ts';
import { lookupValue } from '../contract/identity.ts';
import { nameInCatalog } from '../contract/rename.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { findContracts, type ContractFiles } from '../files/files.ts';
import type { Rules } from '../plan/rules.ts';
import { namesToRetire } from '../plan/unmanaged.ts';
import type { Sync } from '../sync.ts';
import { openFilesAhead } from './files.ts';
import { guess, guessesStatus, looksLikeOdcs } from './guess.ts';
import type { Wanted } from './heads.ts';
import { pagesAhead } from './pages.ts';

/** A run whose catalog can be opened to be read in another way. */
export type AheadRun = Sync & { readonly openReader: (openPages: OpenPages) => CatalogReader };

/**
 * The run, begun: the files are read on several threads where that pays, and meanwhile pages travel
 * that by a guess are wanted. `sync` comes to the same plan without all this, later.
 */
export function readAhead(run: AheadRun): Sync {
  const { promise: toCome, resolve: tellToCome } = Promise.withResolvers<number>();
  const files = findContracts(run.files, (names, root) => openFilesAhead(names, root, toCome));
  const listing = startListing(run, files);
  listing.toCome.then(tellToCome, () => tellToCome(0));
  let declared: readonly DesiredContract[] = [];
  return {
    ...run,
    readContracts: async (_selection, options) => {
      try {
        const result = await files.read(options ?? {});
        // However this ends, no page that still travels may keep the process.
        if (hasErrors(result.diagnostics)) listing.abandon();
        declared = result.contracts;
        return result;
      } catch (error) {
        listing.abandon();
        throw error;
      }
    },
    reader: { ...run.reader, list: (query = {}) => listing.pages(query, wantedOf(declared, run)) },
  };
}

/** Contracts without a file are wanted whole where they are to be retired. */
function wantedOf(declared: readonly DesiredContract[], { rules }: Sync): Wanted {
  const values = declared.flatMap(({ identity, movedFrom = [] }) => [
    lookupValue(identity),
    ...movedFrom.flatMap(wholeAndAsset),
  ]);
  return {
    identities: new Set(values.filter((value) => value !== undefined)),
    names: namesToRetire(rules),
  };
}

/** An old name may be made of an asset's and a contract's; heads show them apart. */
function wholeAndAsset(name: string): string[] {
  return [composed(name), composed(name.slice(0, Math.max(0, name.lastIndexOf('.'))))];
}

type Listing = {
  /** How many contracts come behind its first page; 0 where nobody says, or the list fails. */
  readonly toCome: Promise<number>;
  /** The list that was begun, once; after that, others. */
  readonly pages: (query: ListQuery, wanted: Wanted) => AsyncIterable<Page>;
  /** Nobody wants any more pages: what is under way is given up. */
  readonly abandon: () => void;
};

/** What is written in files, as the catalog calls it. */
function namesOf(written: ReadonlySet<string>, { names }: Rules): ReadonlySet<string> {
  if (names.length === 0) return written;
  return new Set([...written].map((name) => composed(nameInCatalog(name, names))));
}

/**
 * Begins the list at once, with what is likely to be wanted, unless that may be a few contracts
 * alone. If it turns out that something else is wanted, the list is begun again: what comes never
 * depends on the guess.
 */
export function startListing(run: AheadRun, files: Pick<ContractFiles, 'sources'>): Listing {
  const listAfresh: Listing['pages'] = (query, wanted) =>
    run.openReader(pagesAhead(wanted)).list(query);
  // Which entities ODCS files mean is known only once they are read.
  if (run.rules.unmanaged.rule === 'ignore' || files.sources.some(looksLikeOdcs)) {
    return { toCome: Promise.resolve(0), pages: listAfresh, abandon: () => undefined };
  }
  const { keys, identities: written } = guess(files.sources, optionalFields);
  const identities = namesOf(written, run.rules);
  const wantsReviewers = guessesStatus(files.sources, reviewedStatuses(run.dialect));
  const fields = optionalFields.filter(
    (field) => keys.includes(field) || (field === 'reviewers' && wantsReviewers),
  );
  const guessed: Wanted = { identities, names: namesToRetire(run.rules) };
  const abandoned = new AbortController();
  const pages = run.openReader(pagesAhead(guessed)).list({ fields }, abandoned.signal);
  const iterator = pages[Symbol.asyncIterator]();
  const first = iterator.next();
  // Whoever takes the pages is told of a failure; until then it must not end the process.
  first.catch(() => undefined);
  let isTaken = false;
  const abandon = (): void => {
    abandoned.abort();
    iterator.return?.().catch(() => undefined);
  };
  return {
    toCome: first.then(
      ({ done, value }) => (done ? 0 : toCome(value)),
      () => 0,
    ),
    pages: (query, wanted) => {
      if (isTaken) return listAfresh(query, wanted);
      isTaken = true;
      if (isSameQuery(query, fields) && isAmongGuessed(wanted, guessed))
        return resume(first, iterator);
      abandon();
      return listAfresh(query, wanted);
    },
    abandon,
  };
}

function toCome({ contracts, total = 0 }: Page): number {
  return Math.max(0, total - contracts.length);
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

function isSameQuery({ fields = [], ...others }: ListQuery, guessed: readonly string[]): boolean {
  return (
    Object.keys(others).length === 0 &&
    fields.length === guessed.length &&
    fields.every((field) => guessed.includes(field))
  );
}

function isAmongGuessed({ identities, names }: Wanted, guessed: Wanted): boolean {
  return (
    [...identities].every((identity) => guessed.identities.has(identity)) &&
    names.every((name) => guessed.names.includes(name))
  );
}
