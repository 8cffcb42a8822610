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
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import { type Narrowed, readContracts } from '../files/files.ts';
import {
  type CatalogMatching,
  hasLive,
  type LivePair,
  matchContracts,
  type Pair,
} from '../plan/pair.ts';
import {
  adoptConventions,
  everyRule,
  filesOfTwo,
  type Owned,
  type Rules,
  teamOf,
  withUnmanaged,
} from '../plan/rules.ts';
import { createSelector, exclusions, type Selector, unusedPatterns } from '../plan/selection.ts';
import { type Planning, readOptionsOf, type Session } from '../session.ts';
import { DiagnosticsError, SyncError } from '../core/errors.ts';
import { composed, didYouMean, quote } from '../core/text.ts';

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
export async function findPairs(run: Planning, fields?: readonly OptionalField[]) {
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
  const query = queryFor(wanted, isAll, statusesForReview(run.dialect), fields);
  const matching = matchContracts(
    desired,
    possibleProducts(run.dialect),
    (live) =>
      fields !== undefined ||
      (retired.length > 0 && matchesName(retired, namesInFiles(live, rules.names))),
  );
  const kind = await readCatalog(matching, query, { ...run, mayTake: selector.mayTake });
  const pairings = pairInEach(kind, matching, rules, run);
  const [{ pairs, problems }] = pairings;
  // A pattern may match a contract that the list left out.
  const listsAll = query.entities === undefined;
  const seesAll = !narrowed?.isBlind && listsAll;
  const patterns = seesAll ? [...rules.patterns, ...exclusions(selection)] : [];
  const unused = patterns.length > 0 ? unusedPatterns(patterns, desired, pairs, names) : [];
  return {
    diagnostics: [
      ...inFiles,
      ...kind.diagnostics,
      ...problems(selector.mayTake),
      ...identitiesOfTwo(pairs, pairs),
      ...selector.unused(pairs, rules),
      ...unused,
    ],
    kind,
    pairings,
    selector,
    listsAll,
  };
}

function pairInEach(
  { possible: [first, ...others] }: Kind,
  matching: CatalogMatching,
  rules: Rules,
  run: Pick<Planning, 'dialect' | 'bases' | 'before'>,
) {
  const read = (dialect: Product) => ({
    ...matching.pairs(dialect, run),
    rules: adoptConventions(rules, dialect, run.dialect !== 'auto'),
  });
  return [read(first), ...others.map(read)] as const;
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
  for await (const page of counted(lookAgain(run.reader, missing, pages, kind.dialect), run))
    for (const live of page.contracts) matching.addMissed(live, isDeleted(live));
  return kindOf(run.dialect, matching.statuses, release);
}

/** Requests the server's release at the same time, unless the dialect is configured. */
async function readList(
  matching: CatalogMatching,
  query: ListQuery,
  run: Pick<Planning, 'reader' | 'dialect' | 'askRelease' | 'onPage'>,
) {
  const ended = new AbortController();
  const release = run.dialect === 'auto' ? run.askRelease?.(ended.signal) : undefined;
  let pages = 0;
  try {
    const { reduce, add } = matching;
    for await (const page of counted(run.reader.list({ ...query, reduce }), run)) {
      for (const live of page.contracts) add(live);
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

/** Each dialect that the catalog may speak has the same contracts, in the same order. */
export type NamedContracts = {
  readonly kind: Kind;
  readonly pairings: readonly [NamedPairs, ...NamedPairs[]];
};

/** `listed` are all contracts of the catalog. */
export type NamedPairs = {
  readonly pairs: readonly LivePair[];
  readonly listed: readonly LivePair[];
  readonly rules: Rules;
};

/**
 * Finds each contract once, by its id, its name, its asset's name or its file; a name that several
 * share is an error. Names are those of files, which the environment maps to the catalog's.
 * Problems of other files are ignored.
 */
export async function findNamedContracts(
  given: readonly string[],
  session: Session,
): Promise<NamedContracts> {
  const { contracts: desired } = await readContracts(
    { ...session.files, allowEmpty: true },
    readOptionsOf(session),
  );
  const files = new Set(desired.map(({ source }) => source.file));
  const names = given.map((name) =>
    files.has(name) ? name : nameInCatalog(name, session.rules.names),
  );
  const wanted = new Set(names.map(keyOf));
  const matching = matchContracts(desired, possibleProducts(session.dialect), (live) =>
    namesOf({ live }).some((name) => wanted.has(name)),
  );
  const { release } = await readList(matching, { fields: optionalFields }, session);
  const kind = kindOf(session.dialect, matching.statuses, release);
  const { dialect } = session;
  const [pairing, ...others] = pairInEach(kind, matching, session.rules, { dialect });
  const listed = [pairing, ...others].flatMap(({ pairs }) => pairs.filter(hasLive));
  const ids = new Set(names.map((name) => requireOne(name, listed)));
  const only = ({ pairs, rules }: Pairing): NamedPairs => {
    const own = pairs.filter(hasLive);
    const byId = new Map(own.map((pair) => [pair.live.id, pair]));
    return { pairs: [...ids].flatMap((id) => byId.get(id) ?? []), listed: own, rules };
  };
  const named = only(pairing);
  const conflicts = identitiesOfTwo(named.pairs, named.listed);
  const [first] = conflicts;
  if (first) throw new DiagnosticsError(first.code, first.message, conflicts);
  return { kind, pairings: [named, ...others.map(only)] };
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

// Each dialect has its own pairs, of the same contracts.
function requireOne(name: string, pairs: readonly LivePair[]): string {
  const found = pairs.filter((pair) => namesOf(pair).includes(keyOf(name)));
  const exact = found.filter(({ live }) => qualifiedNames(live).includes(name));
  const own = new Map((exact.length > 0 ? exact : found).map(({ live }) => [live.id, live]));
  const [only, ...others] = own.values();
  if (only && others.length === 0) return only.id;
  if (!only) {
    const known = [
      ...new Set(pairs.flatMap(({ live }) => [qualifiedNames(live), live.name ?? []].flat())),
    ];
    const message = `The catalog has no contract ${quote(name)}.`;
    const hint = didYouMean(name, known) ?? 'Name it by its qualified name, its id or its file.';
    throw new SyncError('no-such-contract', message, { hint });
  }
  throw new SyncError('ambiguous-contract', `${quote(name)} matches several contracts.`, {
    hint: `Name one of them: ${[only, ...others].map(contractLabel).slice(0, 5).join(', ')}.`,
  });
}
