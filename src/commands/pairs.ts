/** Reads the files, lists the catalog and pairs them. Sends GET requests only. */

import type { ListQuery, Page } from '../catalog/catalog.ts';
import { refuseContradiction } from '../catalog/kind.ts';
import { lookAgain, queryFor } from '../catalog/list.ts';
import {
  type DesiredContract,
  isDeleted,
  type LiveContract,
  type OptionalField,
  optionalFields,
} from '../contract/contract.ts';
import {
  contractLabel,
  identitiesOfTwo,
  idKey,
  indexFiles,
  namesInFiles,
  type PersonReference,
  qualifiedNames,
  referenceKey,
  referencesIn,
  writtenNames,
} from '../contract/identity.ts';
import { matchesName, nameInCatalog } from '../contract/names.ts';
import { type Diagnostic, hasErrors, refuseAny, SyncError } from '../core/diagnostic.ts';
import { defined, type JsonObject } from '../core/json.ts';
import { composed, didYouMean, quote } from '../core/text.ts';
import { type Narrowed, readContracts } from '../files/files.ts';
import {
  type FileIndex,
  type Listed,
  type LivePair,
  matchContracts,
  type Pair,
} from '../plan/pair.ts';
import {
  everyRule,
  filesOfTwo,
  isInScope,
  type Rules,
  rulesFor,
  teamOf,
  withUnmanaged,
} from '../plan/rules.ts';
import { createSelector, type Selection, type Selector } from '../plan/selection.ts';
import { readOptionsOf } from '../config/settings.ts';
import type { Planning, Session } from '../session.ts';

type ReadFiles = {
  readonly desired: readonly DesiredContract[];
  readonly index: FileIndex;
  /** They leave contracts without a file alone if some files can't be read. */
  readonly rules: Rules;
  readonly selector: Selector;
  readonly isBlind: boolean;
  readonly diagnostics: readonly Diagnostic[];
};

type Extent = {
  /** Whether all contracts of the catalog were listed, not those of some assets. */
  readonly listsAll: boolean;
  /** Owners and reviewers of all that was listed. */
  readonly people: readonly PersonReference[];
};

export type FoundPairs = ReadFiles &
  Extent & {
    readonly pairs: readonly Pair[];
    readonly selected: ReadonlySet<Pair>;
    /** Whether files have errors, so that the catalog isn't read and there are no pairs. */
    readonly isUnread: boolean;
  };

const nothing = { pairs: [], selected: new Set<Pair>(), listsAll: false, people: [] };

/** `fields` are requested in addition, and then all contracts are kept whole. */
export async function findPairs(
  run: Planning,
  fields?: readonly OptionalField[],
): Promise<FoundPairs> {
  const files = await readFiles(run);
  if (hasErrors(files.diagnostics)) return { ...files, ...nothing, isUnread: true };
  return pairFiles(files, await listCatalog(files, run, fields), run);
}

async function readFiles(run: Planning): Promise<ReadFiles> {
  const { team, notices = [] } = run;
  const read = await readContracts(run.files, readOptionsOf(run));
  const { contracts: desired, narrowed } = read;
  const isBlind = narrowed?.isBlind ?? false;
  return {
    desired,
    index: indexFiles(desired),
    // A contract without a file may belong to an unreadable one.
    rules: isBlind
      ? withUnmanaged(run.rules, (own) => (own.rule === 'deprecate' ? { rule: 'report' } : own))
      : run.rules,
    selector: selectorOf(run, team === undefined ? narrowed : undefined),
    isBlind,
    diagnostics: [
      ...notices,
      ...read.diagnostics,
      ...(narrowed ? outsideInclude(narrowed, run.rules) : []),
      ...filesOfTwo(desired, run.rules),
    ],
  };
}

function selectorOf({ team, rules, selection }: Planning, named?: Selection['named']): Selector {
  return createSelector(
    { only: [], exclude: [], ...selection, named },
    rules.names,
    team === undefined
      ? undefined
      : { name: team, owns: (pair) => teamOf(pair, rules)?.name === team },
  );
}

async function listCatalog(
  files: ReadFiles,
  run: Planning,
  fields?: readonly OptionalField[],
): Promise<Listed & Extent> {
  const { desired, index, rules, selector } = files;
  const policies = everyRule(rules);
  // Contracts without a file count by themselves, or as contracts of downstream assets.
  const isAll =
    rules.reviews.readers !== undefined ||
    policies.some(
      ({ unmanaged, compatibility }) =>
        unmanaged.rule !== 'ignore' || ['block', 'warn'].includes(compatibility.downstream),
    );
  const wanted = isAll ? desired : desired.filter(selector.mayTake);
  const query = queryFor(wanted, isAll, run.product.reviewedStatuses, fields);
  const listsAll = query.entities === undefined;
  const retired = policies.flatMap(({ unmanaged, scope }) =>
    unmanaged.rule === 'deprecate' ? scope : [],
  );
  const { contracts, people, pages } = await readList(run, query, (live) => {
    if (fields !== undefined || index.find(live) !== undefined) return true;
    return retired.length > 0 && matchesName(retired, namesInFiles(live, rules.names));
  });
  const deleted = await addMissed(contracts, files, run, { pages, listsAll });
  return { contracts: [...contracts.values()], deleted, listsAll, people: [...people.values()] };
}

/** By the keys of their ids. Of those without a file, which may be many, it keeps only the head. */
async function readList(run: Planning, query: ListQuery, keeps: (live: LiveContract) => boolean) {
  const { fromWire } = run.product;
  // Notes no contract: a page that is read again may lack one that it had.
  const reduce = (row: LiveContract) => {
    const { id, name, fullyQualifiedName, entityStatus, entity } = row;
    for (const person of referencesIn(row.document)) people.set(referenceKey(person), person);
    const head = { id, name, fullyQualifiedName, entityStatus, entity, document: noFields };
    return keeps(fromWire(row)) ? row : defined(head);
  };
  const people = new Map<string, PersonReference>();
  const contracts = new Map<string, LiveContract>();
  let pages = 0;
  for await (const page of counted(run.reader.list({ ...query, reduce }), run)) {
    for (const row of page.contracts) contracts.set(idKey(row.id), fromWire(row));
    pages += 1;
  }
  return { contracts, people, pages };
}

// A list may miss contracts that move between its pages, so missing ones are requested again.
// Returns those that are deleted.
async function addMissed(
  contracts: Map<string, LiveContract>,
  { desired, index, selector }: ReadFiles,
  run: Planning,
  { pages, listsAll }: { readonly pages: number; readonly listsAll: boolean },
): Promise<readonly LiveContract[]> {
  const { reader, product } = run;
  const found = new Set<DesiredContract>();
  const taken = new Set<string>();
  for (const [key, live] of contracts) {
    const named = live.document === noFields ? [] : index.named(live);
    for (const file of named) found.add(file);
    if (named.length > 0) taken.add(key);
  }
  const missing = new Set(desired.filter((file) => !found.has(file) && selector.mayTake(file)));
  // From a single page none can move: only a deleted one may be found, by its address.
  const mayHaveMoved = pages > 1 || !listsAll;
  const asked = [...missing].filter(
    ({ identity }) => mayHaveMoved || product.addressOf(identity) !== undefined,
  );
  if (asked.length === 0) return [];
  const deleted: LiveContract[] = [];
  for await (const page of counted(lookAgain(reader, asked, pages, product), run)) {
    for (const row of page.contracts) {
      const live = product.fromWire(row);
      const key = idKey(live.id);
      const means = [...index.named(live), index.movedTo(live)];
      if (taken.has(key) || !means.some((file) => file && missing.has(file))) continue;
      if (isDeleted(row)) deleted.push(live);
      // It may have been listed under another name, without a file.
      else contracts.set(key, live);
    }
  }
  return deleted;
}

// Also marks such a contract, which no file means.
const noFields: JsonObject = {};

async function* counted(pages: AsyncIterable<Page>, { product, rules, onPage }: Planning) {
  let read = 0;
  for await (const page of pages) {
    for (const live of page.contracts) refuseContradiction(live, product, rules.lifecycle.statuses);
    yield page;
    read += page.contracts.length;
    onPage?.(read, page.total);
  }
}

function pairFiles(files: ReadFiles, listed: Listed & Extent, run: Planning): FoundPairs {
  const { desired, index, rules, selector, isBlind } = files;
  const { listsAll, people } = listed;
  const { pairs, diagnostics } = matchContracts(desired, index, listed, run, selector.mayTake);
  // A pattern may match a contract that the list left out.
  const unused = listsAll && !isBlind ? selector.unused(pairs, rules) : [];
  refuseAny([
    ...selector.unmet(pairs, rules),
    ...unused.filter(({ severity }) => severity === 'error'),
  ]);
  return {
    ...files,
    pairs,
    selected: new Set(pairs.filter(selector.takes)),
    listsAll,
    people,
    isUnread: false,
    diagnostics: [
      ...files.diagnostics,
      ...diagnostics,
      ...identitiesOfTwo(pairs, pairs),
      ...unused,
    ],
  };
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

type NamedPairs = {
  readonly pairs: readonly LivePair[];
  /** All contracts of the catalog. */
  readonly listed: readonly LivePair[];
};

/**
 * Finds each contract once, by its id, its name, its asset's name or its file; a name that several
 * share is an error. Names are those of files, which the environment maps to the catalog's. `chosen`:
 * those that have a file or are in scope, as far as they are selected. Problems of other files are
 * ignored.
 */
export async function findNamedContracts(
  given: readonly string[] | 'chosen',
  session: Session,
): Promise<NamedPairs> {
  const { rules } = session;
  const { contracts: desired } = await readContracts(
    { ...session.files, allowEmpty: true },
    readOptionsOf(session),
  );
  const files = new Set(desired.map(({ source }) => source.file));
  const names =
    given === 'chosen'
      ? undefined
      : given.map((name) => (files.has(name) ? name : nameInCatalog(name, rules.names)));
  const keys = new Set(names?.map(keyOf));
  const index = indexFiles(desired);
  const selector = selectorOf(session);
  const isConcerned = (pair: LivePair): boolean =>
    pair.desired !== undefined || isInScope(pair.live, rulesFor(pair, rules));
  const { contracts } = await readList(session, { fields: optionalFields }, (live) => {
    if (index.find(live) !== undefined) return true;
    if (names) return namesOf({ live }).some((name) => keys.has(name));
    return isConcerned({ live }) && selector.takes({ live });
  });
  const live = { contracts: [...contracts.values()], deleted: [] };
  const matched = matchContracts(desired, index, live, {});
  const listed = matched.pairs.filter((pair) => pair.live !== undefined);
  const named = names && new Set(names.map((name) => requireOne(name, listed)));
  const pairs = listed.filter(
    (pair) => (named ? named.has(pair) : isConcerned(pair)) && selector.takes(pair),
  );
  refuseAny([...selector.unmet(listed, rules), ...identitiesOfTwo(pairs, listed)]);
  if (!names && pairs.length === 0) {
    const message = 'No contract that has a file or is in `scope` is selected.';
    const hint = 'Name contracts that have neither by their qualified names.';
    throw new SyncError('nothing-selected', message, { hint });
  }
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
