/** Pairs files with the catalog, the first step of each command. Sends GET requests only. */

import type { ListQuery, Page } from '../catalog/catalog.ts';
import { refuseContradiction } from '../catalog/kind.ts';
import type { Product } from '../catalog/products/product.ts';
import { lookAgain, queryFor } from '../catalog/list.ts';
import { isDeleted, type OptionalField, optionalFields } from '../contract/contract.ts';
import {
  contractLabel,
  identitiesOfTwo,
  idKey,
  namesInFiles,
  qualifiedNames,
  writtenNames,
} from '../contract/identity.ts';
import { matchesName, nameInCatalog } from '../contract/names.ts';
import { type Diagnostic, DiagnosticsError, hasErrors, SyncError } from '../core/diagnostic.ts';
import { type Narrowed, readContracts } from '../files/files.ts';
import {
  type CatalogMatching,
  hasLive,
  type LivePair,
  matchContracts,
  type Pair,
} from '../plan/pair.ts';
import {
  everyRule,
  filesOfTwo,
  type Owned,
  type Rules,
  teamOf,
  withUnmanaged,
} from '../plan/rules.ts';
import { createSelector, exclusions, type Selector, unusedPatterns } from '../plan/selection.ts';
import { type Planning, readOptionsOf, type Session } from '../session.ts';
import { composed, didYouMean, quote } from '../core/text.ts';

export type FoundPairs = {
  readonly product: Product;
  readonly pairs: readonly Pair[];
  /** Where files can't be read, contracts without a file are left alone. */
  readonly rules: Rules;
  readonly diagnostics: readonly Diagnostic[];
  readonly selector: Selector;
  /** Whether all contracts of the catalog were listed, not those of some assets. */
  readonly listsAll: boolean;
};

type UnreadFiles = { readonly pairs?: undefined; readonly diagnostics: readonly Diagnostic[] };

/**
 * `fields` are requested in addition, and then all contracts are kept whole. Errors in files end a
 * run before the catalog is read.
 */
export async function findPairs(
  run: Planning,
  fields?: readonly OptionalField[],
): Promise<FoundPairs | UnreadFiles> {
  const { product } = run;
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
  const rules = narrowed?.isBlind
    ? withUnmanaged(run.rules, (own) => (own.rule === 'deprecate' ? { rule: 'report' } : own))
    : run.rules;
  const { team: name } = run;
  const owns = (pair: Owned): boolean => teamOf(pair, run.rules)?.name === name;
  const narrowing = name === undefined ? { named: narrowed } : { team: { name, owns } };
  const { names } = rules;
  const selection = { names, only: [], exclude: [], ...run.selection, ...narrowing };
  const selector = createSelector(selection);
  const policies = everyRule(rules);
  // Contracts without a file count by themselves, or as contracts of downstream assets.
  const isAll = policies.some(
    ({ unmanaged, compatibility }) =>
      unmanaged.rule !== 'ignore' || ['block', 'warn'].includes(compatibility.downstream),
  );
  const retired = policies.flatMap(({ unmanaged, scope }) =>
    unmanaged.rule === 'deprecate' ? scope : [],
  );
  const wanted = isAll ? desired : desired.filter(selector.mayTake);
  const query = queryFor(wanted, isAll, product.reviewedStatuses, fields);
  const matching = matchContracts(
    desired,
    product,
    (live) =>
      fields !== undefined ||
      (retired.length > 0 && matchesName(retired, namesInFiles(live, rules.names))),
  );
  await readCatalog(matching, query, { ...run, mayTake: selector.mayTake });
  const { pairs, problems } = matching.pairs(run);
  // A pattern may match a contract that the list left out.
  const listsAll = query.entities === undefined;
  const seesAll = !narrowed?.isBlind && listsAll;
  const patterns = seesAll ? [...rules.patterns, ...exclusions(selection)] : [];
  const unused = patterns.length > 0 ? unusedPatterns(patterns, desired, pairs, names) : [];
  const found = [
    ...inFiles,
    ...problems(selector.mayTake),
    ...identitiesOfTwo(pairs, pairs),
    ...selector.unused(pairs, rules),
    ...unused,
  ];
  return { product, pairs, rules, diagnostics: found, selector, listsAll };
}

// A list may miss contracts that move between its pages, so missing ones are requested again.
async function readCatalog(
  matching: CatalogMatching,
  query: ListQuery,
  run: Planning & Pick<Selector, 'mayTake'>,
): Promise<void> {
  const { reader, product, mayTake, onLookAgain } = run;
  const pages = await readList(matching, query, run);
  const missing = matching.missing(mayTake);
  if (missing.length === 0) return;
  onLookAgain?.(missing.length);
  for await (const page of counted(lookAgain(reader, missing, pages, product), run))
    for (const live of page.contracts) matching.addMissed(live, isDeleted(live));
}

async function readList(
  { reduce, add }: CatalogMatching,
  query: ListQuery,
  run: Planning,
): Promise<number> {
  let pages = 0;
  for await (const page of counted(run.reader.list({ ...query, reduce }), run)) {
    for (const live of page.contracts) add(live);
    pages += 1;
  }
  return pages;
}

async function* counted(pages: AsyncIterable<Page>, { product, rules, onPage }: Planning) {
  let read = 0;
  for await (const page of pages) {
    for (const live of page.contracts) refuseContradiction(live, product, rules.lifecycle.statuses);
    yield page;
    read += page.contracts.length;
    onPage?.(read, page.total);
  }
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

export type NamedPairs = {
  readonly pairs: readonly LivePair[];
  /** All contracts of the catalog. */
  readonly listed: readonly LivePair[];
};

/**
 * Finds each contract once, by its id, its name, its asset's name or its file; a name that several
 * share is an error. Names are those of files, which the environment maps to the catalog's.
 * Problems of other files are ignored.
 */
export async function findNamedContracts(
  given: readonly string[],
  session: Session,
): Promise<NamedPairs> {
  const { contracts: desired } = await readContracts(
    { ...session.files, allowEmpty: true },
    readOptionsOf(session),
  );
  const files = new Set(desired.map(({ source }) => source.file));
  const names = given.map((name) =>
    files.has(name) ? name : nameInCatalog(name, session.rules.names),
  );
  const wanted = new Set(names.map(keyOf));
  const matching = matchContracts(desired, session.product, (live) =>
    namesOf({ live }).some((name) => wanted.has(name)),
  );
  await readList(matching, { fields: optionalFields }, session);
  const listed = matching.pairs({}).pairs.filter(hasLive);
  const pairs = [...new Set(names.map((name) => requireOne(name, listed)))];
  const conflicts = identitiesOfTwo(pairs, listed);
  const [first] = conflicts;
  if (first) throw new DiagnosticsError(first.code, first.message, conflicts);
  return { pairs, listed };
}

function namesOf({ live, desired }: LivePair): readonly string[] {
  // A contract that has not moved yet is also found by the name in its file.
  const written = desired ? [...writtenNames(desired.identity), desired.source.file] : [];
  const names = [live.id, live.name, ...qualifiedNames(live), ...written];
  return names.filter((each) => each !== undefined).map(keyOf);
}

function keyOf(name: string): string {
  return composed(idKey(name));
}

function requireOne(name: string, pairs: readonly LivePair[]): LivePair {
  const found = pairs.filter((pair) => namesOf(pair).includes(keyOf(name)));
  const exact = found.filter(({ live }) => qualifiedNames(live).includes(name));
  const [only, ...others] = exact.length > 0 ? exact : found;
  if (only && others.length === 0) return only;
  if (!only) {
    const known = [
      ...new Set(pairs.flatMap(({ live }) => [qualifiedNames(live), live.name ?? []].flat())),
    ];
    const message = `The catalog has no contract ${quote(name)}.`;
    const hint = didYouMean(name, known) ?? 'Name it by its qualified name, its id or its file.';
    throw new SyncError('no-such-contract', message, { hint });
  }
  throw new SyncError('ambiguous-contract', `${quote(name)} matches several contracts.`, {
    hint: `Name one of them: ${[only, ...others]
      .map(({ live }) => contractLabel(live))
      .slice(0, 5)
      .join(', ')}.`,
  });
}
