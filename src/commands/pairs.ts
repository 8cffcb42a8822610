/** Files and catalog side by side: where the commands begin. Sends nothing but GET requests. */

import type { ListQuery, Page } from '../catalog/catalog.ts';
import type { Product } from '../catalog/products/product.ts';
import {
  type Kind,
  kindOf,
  possibleProducts,
  statusesForReview,
} from '../catalog/products/products.ts';
import { lookAgain, queryFor } from '../catalog/query.ts';
import type { OptionalField } from '../contract/contract.ts';
import { qualifiedNames } from '../contract/identity.ts';
import { isDeleted } from '../contract/live.ts';
import { matchesName } from '../contract/names.ts';
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import { type Narrowed, readContracts } from '../files/files.ts';
import { matchContracts, type CatalogMatching } from '../plan/match.ts';
import type { Pair } from '../plan/pair.ts';
import { adoptConventions, type Rules } from '../plan/rules.ts';
import { createSelector, exclusions, type Selector } from '../plan/selection.ts';
import { isConcerned } from '../plan/unmanaged.ts';
import { unusedPatterns } from '../plan/unused.ts';
import { readOptionsOf, type Planning } from '../session.ts';

/** The pairs in one dialect that the catalog may speak, and the rules of the run in it. */
export type Pairing = { readonly pairs: readonly Pair[]; readonly rules: Rules };

export type FoundPairs = {
  /** Problems of files, names and patterns. */
  readonly diagnostics: readonly Diagnostic[];
  readonly kind: Kind;
  /** One where the kind of catalog is known. */
  readonly pairings: readonly [Pairing, ...Pairing[]];
  readonly selector: Selector;
};

/** Errors in files end a run before the catalog is asked. */
export type NoPairs = Pick<FoundPairs, 'diagnostics'> & { readonly pairings?: undefined };

/** Given `fields` are requested in any case, and then all contracts are kept whole. */
export async function findPairs(
  run: Planning,
  fields?: readonly OptionalField[],
): Promise<FoundPairs | NoPairs> {
  const {
    contracts: desired,
    narrowed,
    ...inAll
  } = await readContracts(run.files, readOptionsOf(run));
  const outside = narrowed ? outsideInclude(narrowed, run.rules) : [];
  const inFiles = [...(run.notices ?? []), ...inAll.diagnostics, ...outside];
  if (hasErrors(inFiles)) return { diagnostics: inFiles };
  const rules = narrowed?.isBlind ? withoutRetirement(run.rules) : run.rules;
  const selection = { only: [], exclude: [], ...run.selection, named: narrowed };
  const selector = createSelector(selection);
  const isAll = rules.unmanaged.rule !== 'ignore';
  const wanted = isAll ? desired : desired.filter(selector.mayTake);
  const query = queryFor(wanted, isAll, statusesForReview(run.dialect), fields);
  const retired = rules.unmanaged.rule === 'deprecate' ? rules.scope : [];
  const matching = matchContracts(
    desired,
    possibleProducts(run.dialect),
    (live) =>
      fields !== undefined || (retired.length > 0 && matchesName(retired, qualifiedNames(live))),
  );
  const kind = await readCatalog(matching, query, { ...run, mayTake: selector.mayTake });
  const [first, ...others] = kind.possible;
  const read = (dialect: Product) => ({
    ...matching.pairs(dialect, run.bases ?? []),
    rules: adoptConventions(rules, dialect, run.dialect !== 'auto'),
  });
  const pairing = read(first);
  const { pairs, problems } = pairing;
  // A pattern may match a contract that the list left out.
  const seesAll = !narrowed?.isBlind && query.entities === undefined;
  const patterns = seesAll ? [...rules.patterns, ...exclusions(selection)] : [];
  const unused = patterns.length > 0 ? unusedPatterns(patterns, desired, pairs) : [];
  return {
    diagnostics: [
      ...inFiles,
      ...kind.diagnostics,
      ...problems(selector.mayTake),
      ...selector.unused(pairs.filter((pair) => isConcerned(pair, rules))),
      ...unused,
    ],
    kind,
    pairings: [pairing, ...others.map(read)],
    selector,
  };
}

type Asking = Planning & { readonly mayTake: Selector['mayTake'] };

/** A list may miss contracts that move between its pages, so missing ones are looked for again. */
async function readCatalog(
  matching: CatalogMatching,
  query: ListQuery,
  run: Asking,
): Promise<Kind> {
  const { pages, release } = await readList(matching, query, run);
  const { dialect, possible } = kindOf(run.dialect, matching.statuses, release);
  const missing = matching.missing(possible, run.mayTake);
  if (missing.length > 0) {
    run.onLookAgain?.(missing.length);
    for await (const page of told(lookAgain(run.reader, { missing, pages, dialect }), run))
      for (const live of page.contracts) matching.addMissed(live, isDeleted(live));
  }
  return kindOf(run.dialect, matching.statuses, release);
}

/** Reads the whole list; the server's release is requested meanwhile, where the dialect is not set. */
export async function readList(
  matching: CatalogMatching,
  query: ListQuery,
  run: Pick<Planning, 'reader' | 'dialect' | 'askRelease' | 'onPage'>,
) {
  const ended = new AbortController();
  const release = run.dialect === 'auto' ? run.askRelease?.(ended.signal) : undefined;
  let pages = 0;
  try {
    for await (const page of told(run.reader.list(query), run)) {
      for (const live of page.contracts) matching.add(live);
      pages += 1;
    }
    return { pages, release: await release };
  } finally {
    ended.abort();
  }
}

/** The pages; `onPage` is called once each has been taken. */
async function* told(
  pages: AsyncIterable<Page>,
  { onPage }: Pick<Planning, 'onPage'>,
): AsyncGenerator<Page> {
  let read = 0;
  for await (const page of pages) {
    yield page;
    read += page.contracts.length;
    onPage?.(read, page.total);
  }
}

/** Where some files can't be read, a contract that has none may have one of those. */
function withoutRetirement(rules: Rules): Rules {
  return rules.unmanaged.rule === 'deprecate' ? { ...rules, unmanaged: { rule: 'report' } } : rules;
}

/** Two runs, one with the path and one without, would take turns to undo each other. */
function outsideInclude({ outside }: Narrowed, { unmanaged }: Rules): Diagnostic[] {
  if (unmanaged.rule !== 'deprecate') return [];
  return outside.map((file) => ({
    code: 'file-outside-include',
    severity: 'error',
    message:
      '`contracts.include` leaves this file out, so `unmanaged: deprecate` retires its contract.',
    hint: 'Add the file to `contracts.include`, or name others.',
    source: { file, line: 1, column: 1 },
  }));
}
