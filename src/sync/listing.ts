/** What a catalog has: read whole before anything is planned, for any row may tell its kind. */

import type { CatalogReader, ListQuery, Page } from '../catalog/catalog.ts';
import {
  type DialectSetting,
  type Kind,
  kindOf,
  possibleProducts,
  type ServerRelease,
} from '../catalog/products/products.ts';
import type { Product } from '../catalog/products/product.ts';
import { type FirstLook, lookAgain } from '../catalog/look-again.ts';
import type { DesiredContract, LiveContract, OptionalField } from '../contract/contract.ts';
import { idKey, qualifiedNames } from '../contract/identity.ts';
import { isDeleted } from '../contract/live.ts';
import { matchesName, type NamePattern } from '../contract/name-pattern.ts';
import { createMatcher, type Matcher } from '../plan/match.ts';
import type { Rules } from '../plan/rules.ts';
import type { Selector } from '../plan/selection.ts';

export type Listing = {
  /** Each once. Of those that no file means and no rule retires, the document is empty. */
  readonly contracts: readonly LiveContract[];
  /** Contracts of files that are deleted in such a way that they can be restored. */
  readonly deleted: readonly LiveContract[];
  readonly kind: Kind;
};

type Reading = {
  readonly reader: CatalogReader;
  readonly rules: Rules;
  readonly dialect: DialectSetting;
  readonly release?: Promise<ServerRelease> | undefined;
  readonly selector: Selector;
  /** Given where all contracts are wanted whole. */
  readonly fields?: readonly OptionalField[];
  readonly onPage?: (read: number, total?: number) => void;
  readonly onLookAgain?: (missing: number) => void;
};

/** Contracts with the statuses that were seen, of all that was read. */
type Seen = {
  readonly contracts: Map<string, LiveContract>;
  readonly statuses: Set<string | undefined>;
};

export async function readListing(
  desired: readonly DesiredContract[],
  query: ListQuery,
  run: Reading,
): Promise<Listing> {
  const seen: Seen = { contracts: new Map(), statuses: new Set() };
  const claims = createClaims(desired, possibleProducts(run.dialect));
  const { scope, unmanaged } = run.rules;
  const retired = unmanaged.rule === 'deprecate' ? scope : [];
  let pages = 0;
  for await (const page of tell(run.reader.list(query), run)) {
    for (const live of page.contracts) {
      const isWanted = claims.take(live) || claims.isNamed(live, retired);
      const kept = isWanted || run.fields !== undefined ? live : headOf(live);
      seen.contracts.set(idKey(live.id), kept);
      seen.statuses.add(live.entityStatus);
    }
    pages += 1;
  }
  const release = await run.release;
  const { dialect, possible } = kindOf(run.dialect, seen.statuses, release);
  const missing = claims.missing(possible).filter(run.selector.mayTake);
  const missed = createClaims(missing, possible);
  const isMissed = (live: LiveContract): boolean => !claims.isTaken(live) && missed.take(live);
  const deleted = await lookForMissing({ missing, pages, dialect }, { seen, isMissed }, run);
  const kind = kindOf(run.dialect, seen.statuses, release);
  return { contracts: [...seen.contracts.values()], deleted, kind };
}

type Looking = { readonly seen: Seen; readonly isMissed: (live: LiveContract) => boolean };

/** No contract is called missing for a list alone: adds what was missed, and returns what is deleted. */
async function lookForMissing(
  look: FirstLook,
  { seen: { contracts, statuses }, isMissed }: Looking,
  run: Reading,
): Promise<readonly LiveContract[]> {
  const deleted: LiveContract[] = [];
  if (look.missing.length === 0) return deleted;
  run.onLookAgain?.(look.missing.length);
  for await (const page of tell(lookAgain(run.reader, look), run)) {
    for (const live of page.contracts) statuses.add(live.entityStatus);
    for (const live of page.contracts.filter(isMissed)) {
      if (isDeleted(live)) deleted.push(live);
      // It may have had another name when the list was read, and no file.
      else contracts.set(idKey(live.id), live);
    }
  }
  return deleted;
}

/** Which live contracts files mean, in each dialect that the catalog may speak. */
function createClaims(desired: readonly DesiredContract[], dialects: readonly Product[]) {
  const readings = dialects.map((dialect) => ({ dialect, matcher: createMatcher(desired) }));
  const anyIn = (live: LiveContract, isTrue: (read: LiveContract, matcher: Matcher) => boolean) =>
    // Each has to be asked: matchers count what they are asked about.
    readings.map(({ dialect, matcher }) => isTrue(dialect.fromWire(live), matcher)).includes(true);
  return {
    take: (live: LiveContract) =>
      anyIn(live, (read, { match, movedTo }) => (match(read) ?? movedTo(read)) !== undefined),
    isTaken: ({ id }: LiveContract) => readings.some(({ matcher }) => matcher.isMatched(id)),
    isNamed: (live: LiveContract, names: readonly NamePattern[]) =>
      names.length > 0 && anyIn(live, (read) => matchesName(names, qualifiedNames(read))),
    missing: (possible: readonly Product[]) => {
      const own = readings.filter(({ dialect }) => possible.includes(dialect));
      return desired.filter((file) => own.some(({ matcher }) => !matcher.hasContract(file)));
    },
  };
}

/** What is needed of a contract that nothing is planned for. */
function headOf({ version: _version, updatedAt: _updatedAt, ...head }: LiveContract): LiveContract {
  return { ...head, document: unread };
}

const unread = {};

/** The pages, each told once it has been taken. */
export async function* tell(
  pages: AsyncIterable<Page>,
  { onPage }: Pick<Reading, 'onPage'>,
): AsyncGenerator<Page> {
  let read = 0;
  for await (const page of pages) {
    yield page;
    read += page.contracts.length;
    onPage?.(read, page.total);
  }
}
