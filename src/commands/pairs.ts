/** Pairs files with the catalog, the first step of each command. Sends GET requests only. */

import type { ListQuery, Page } from '../catalog/catalog.ts';
import type { Product } from '../catalog/products/product.ts';
import {
  type Kind,
  kindOf,
  possibleProducts,
  statusesForReview,
} from '../catalog/products/products.ts';
import { lookAgain, queryFor } from '../catalog/list.ts';
import { isDeleted, type OptionalField } from '../contract/contract.ts';
import { qualifiedNames } from '../contract/identity.ts';
import { matchesName } from '../contract/names.ts';
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import { type Narrowed, readContracts } from '../files/files.ts';
import { type CatalogMatching, matchContracts, type Pair } from '../plan/pair.ts';
import {
  adoptConventions,
  everyRule,
  filesOfTwo,
  type Owned,
  type Rules,
  teamOf,
  type Unmanaged,
  withUnmanaged,
} from '../plan/rules.ts';
import { createSelector, exclusions, type Selector, unusedPatterns } from '../plan/selection.ts';
import { type Planning, readOptionsOf } from '../session.ts';

export type Pairing = { readonly pairs: readonly Pair[]; readonly rules: Rules };

export type FoundPairs = {
  readonly diagnostics: readonly Diagnostic[];
  readonly kind: Kind;
  readonly pairings: readonly [Pairing, ...Pairing[]];
  readonly selector: Selector;
  /** Whether all contracts of the catalog were listed, not those of some assets. */
  readonly listsAll: boolean;
};

/**
 * `fields` are requested in addition, and then all contracts are kept whole. Errors in files end a
 * run before the catalog is read.
 */
export async function findPairs(
  run: Planning,
  fields?: readonly OptionalField[],
): Promise<FoundPairs | (Pick<FoundPairs, 'diagnostics'> & { readonly pairings?: undefined })> {
  const {
    contracts: desired,
    narrowed,
    ...inAll
  } = await readContracts(run.files, readOptionsOf(run));
  const outside = narrowed ? outsideInclude(narrowed, run.rules) : [];
  const ofTwo = filesOfTwo(desired, run.rules);
  const inFiles = [...(run.notices ?? []), ...inAll.diagnostics, ...outside, ...ofTwo];
  if (hasErrors(inFiles)) return { diagnostics: inFiles };
  // A contract without a file may belong to an unreadable one.
  const rules = narrowed?.isBlind ? withUnmanaged(run.rules, neverRetired) : run.rules;
  const { team: name } = run;
  const owns = (pair: Owned): boolean => teamOf(pair, run.rules)?.name === name;
  const narrowing = name === undefined ? { named: narrowed } : { team: { name, owns } };
  const selection = { only: [], exclude: [], ...run.selection, ...narrowing };
  const selector = createSelector(selection);
  const policies = everyRule(rules);
  const isAll = policies.some(needsAll);
  const retired = policies.flatMap(({ unmanaged, scope }) =>
    unmanaged.rule === 'deprecate' ? scope : [],
  );
  const wanted = isAll ? desired : desired.filter(selector.mayTake);
  const query = queryFor(wanted, isAll, statusesForReview(run.dialect), fields);
  const matching = matchContracts(
    desired,
    possibleProducts(run.dialect),
    (live) =>
      fields !== undefined || (retired.length > 0 && matchesName(retired, qualifiedNames(live))),
  );
  const kind = await readCatalog(matching, query, { ...run, mayTake: selector.mayTake });
  const [first, ...others] = kind.possible;
  const read = (dialect: Product) => ({
    ...matching.pairs(dialect, run),
    rules: adoptConventions(rules, dialect, run.dialect !== 'auto'),
  });
  const pairing = read(first);
  const { pairs, problems } = pairing;
  // A pattern may match a contract that the list left out.
  const listsAll = query.entities === undefined;
  const seesAll = !narrowed?.isBlind && listsAll;
  const patterns = seesAll ? [...rules.patterns, ...exclusions(selection)] : [];
  const unused = patterns.length > 0 ? unusedPatterns(patterns, desired, pairs) : [];
  return {
    diagnostics: [
      ...inFiles,
      ...kind.diagnostics,
      ...problems(selector.mayTake),
      ...selector.unused(pairs, rules),
      ...unused,
    ],
    kind,
    pairings: [pairing, ...others.map(read)],
    selector,
    listsAll,
  };
}

// A list may miss contracts that move between its pages, so missing ones are requested again.
async function readCatalog(
  matching: CatalogMatching,
  query: ListQuery,
  run: Planning & Pick<Selector, 'mayTake'>,
): Promise<Kind> {
  const { pages, release } = await readList(matching, query, run);
  const kind = kindOf(run.dialect, matching.statuses, release);
  const missing = matching.missing(kind.possible, run.mayTake);
  if (missing.length === 0) return kind;
  run.onLookAgain?.(missing.length);
  const found = lookAgain(run.reader, missing, pages, kind.dialect);
  for await (const page of counted(found, run))
    for (const live of page.contracts) matching.addMissed(live, isDeleted(live));
  return kindOf(run.dialect, matching.statuses, release);
}

/** Requests the server's release at the same time, unless the dialect is configured. */
export async function readList(
  matching: CatalogMatching,
  query: ListQuery,
  run: Pick<Planning, 'reader' | 'dialect' | 'askRelease' | 'onPage'>,
) {
  const ended = new AbortController();
  const release = run.dialect === 'auto' ? run.askRelease?.(ended.signal) : undefined;
  let pages = 0;
  try {
    for await (const page of counted(run.reader.list(query), run)) {
      for (const live of page.contracts) matching.add(live);
      pages += 1;
    }
    return { pages, release: await release };
  } finally {
    ended.abort();
  }
}

async function* counted(pages: AsyncIterable<Page>, { onPage }: Pick<Planning, 'onPage'>) {
  let read = 0;
  for await (const page of pages) {
    yield page;
    read += page.contracts.length;
    onPage?.(read, page.total);
  }
}

function neverRetired(unmanaged: Unmanaged): Unmanaged {
  return unmanaged.rule === 'deprecate' ? { rule: 'report' } : unmanaged;
}

// Others count by themselves, or as contracts of downstream assets.
function needsAll({
  unmanaged,
  compatibility,
}: Pick<Rules, 'unmanaged' | 'compatibility'>): boolean {
  return unmanaged.rule !== 'ignore' || compatibility.downstream !== 'report';
}

// Runs with and without the path would alternately undo each other's changes.
function outsideInclude({ outside }: Narrowed, rules: Rules): Diagnostic[] {
  if (everyRule(rules).every(({ unmanaged }) => unmanaged.rule !== 'deprecate')) return [];
  const message =
    '`contracts.include` leaves this file out, so `unmanaged: deprecate` retires its contract.';
  const hint = 'Add the file to `contracts.include`, or name others.';
  return outside.map((file) => {
    const source = { file, line: 1, column: 1 };
    return { code: 'file-outside-include', severity: 'error', message, hint, source };
  });
}
