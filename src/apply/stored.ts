/** What the catalog stores: by which tests a patch lands on it alone, and whether it lacks what others had written. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import type { CatalogReader, ContractAddress } from '../catalog/catalog.ts';
import type { Product } from '../catalog/products/product.ts';
import { backOff } from '../http/send.ts';
import type { Effects } from '../core/effects.ts';
import {
  editorOf,
  isDeleted,
  type LiveContract,
  type OptionalField,
  optionalFields,
  managedFields,
} from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { idKey, peopleFields, peopleIn } from '../contract/identity.ts';
import { type JsonObject, isObject, type JsonValue } from '../core/json.ts';
import { diff } from '../patch/diff.ts';
import { evaluate, type Operation, type Patch, PatchError } from '../patch/evaluate.ts';
import { guardOf, labelPointer } from '../patch/describe.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { keyPathOf, labelKeyPath } from '../patch/identity.ts';
import { formatPointer } from '../patch/pointer.ts';
import { patchOf, sidesOf } from '../plan/seal.ts';
import type { Seen } from './outcome.ts';

export type Stored =
  | { readonly kind: 'seen'; readonly live: LiveContract }
  | { readonly kind: 'gone' | 'deleted' | 'interrupted' }
  | { readonly kind: 'unreadable'; readonly error: unknown };

/** By the id of a contract. */
type StoredOf = (contract: { readonly id: string }) => Stored;

type ToRead = { readonly id: string; readonly entityId?: string };

export type Comparing = { readonly rules: Rules; readonly product: Product };

export type ReadingRun = Comparing & {
  readonly effects: Omit<Effects, 'fetch'>;
  readonly reader: CatalogReader;
  readonly lastRead: AbortSignal;
  readonly concurrency: number;
};

const mostReads = 3;

/** One by one where the product has such a read, which the interface lacks; else by one list. */
export async function readStored(
  contracts: readonly ToRead[],
  fields: readonly OptionalField[],
  run: ReadingRun,
): Promise<StoredOf> {
  const stored = new Map<string, Stored>();
  let unread = contracts;
  for (let reads = 1; unread.length > 0 && reads <= mostReads; reads += 1) {
    const wait = reads > 1 && backOff(reads - 1, run.effects.random);
    if (wait !== false) await run.effects.sleep(wait, run.lastRead).catch(() => undefined);
    const addresses = unread.flatMap(({ id }) => run.product.addressOf({ id }) ?? []);
    const read =
      addresses.length === unread.length
        ? await pLimit(run.concurrency).map(addresses, async (each) => readOne(each, fields, run))
        : await readList(unread, fields, run);
    for (const [index, { id }] of unread.entries()) stored.set(id, read[index] ?? gone);
    unread = unread.filter(({ id }) => {
      const found = stored.get(id);
      return (
        found?.kind === 'unreadable' && found.error instanceof ApiError && found.error.transient
      );
    });
  }
  return ({ id }) => stored.get(id) ?? gone;
}

const gone: Stored = { kind: 'gone' };

async function readOne(
  address: ContractAddress,
  fields: readonly OptionalField[],
  { reader, lastRead: signal }: ReadingRun,
): Promise<Stored> {
  try {
    const live = await reader.fetchContract(address, { fields, signal });
    if (!live) return gone;
    return isDeleted(live) ? { kind: 'deleted' } : { kind: 'seen', live };
  } catch (error) {
    return signal.aborted ? { kind: 'interrupted' } : { kind: 'unreadable', error };
  }
}

async function readList(
  changes: readonly ToRead[],
  fields: readonly OptionalField[],
  { reader, lastRead: signal }: ReadingRun,
): Promise<readonly Stored[]> {
  const wanted = new Set(changes.map(({ id }) => idKey(id)));
  const found = new Map<string, Stored>();
  const entities = changes.map(({ entityId }) => entityId).filter((id) => id !== undefined);
  const assets = entities.length === changes.length && { entities: [...new Set(entities)] };
  let rest = gone;
  try {
    for await (const { contracts } of reader.list({ fields, ...assets }, signal)) {
      for (const live of contracts.filter(({ id }) => wanted.delete(idKey(id))))
        found.set(idKey(live.id), { kind: 'seen', live });
      if (wanted.size === 0) break;
    }
  } catch (error) {
    rest = signal.aborted ? { kind: 'interrupted' } : { kind: 'unreadable', error };
  }
  return changes.map(({ id }) => found.get(idKey(id)) ?? rest);
}

/** Those that a list leaves out unless it is asked for them. */
export function fieldsOf(targets: readonly JsonObject[]): OptionalField[] {
  return optionalFields.filter((field) => targets.some((target) => Object.hasOwn(target, field)));
}

/** Empty: the change has landed. */
export function missingFrom(live: LiveContract, target: JsonObject, comparing: Comparing) {
  const { edits, wanted } = editsTo(target, live, comparing);
  const { arrays } = comparing.rules;
  return edits.map(({ desired, live: place = [] }) =>
    desired ? labelPointer(desired, wanted, arrays) : labelPointer(place, live.document, arrays),
  );
}

/** Compared as in planning, so the server's additions are no difference. */
function editsTo(
  target: JsonObject,
  live: LiveContract,
  { rules: { equivalence, arrays }, product }: Comparing,
) {
  const equal = { ...equivalence, ...product.equivalence };
  const wanted = targetDocument(live, target, equal, arrays);
  return { edits: diff(live.document, wanted, arrays), wanted };
}

/**
 * A note, if a read after the answer shows another status and all else as it was sent. If the answer
 * itself lacks the status that was sent, the catalog has not taken it: no note.
 */
export function noteOfStatus(
  target: JsonObject,
  answer: LiveContract | undefined,
  { live, differences }: Seen,
  comparing: Comparing,
): string | undefined {
  if (!answer || !comparing.product.movesStatus) return undefined;
  if (differences.some((place) => place !== 'entityStatus')) return undefined;
  const from = answer.entityStatus;
  const to = live.entityStatus;
  if (from === undefined || from === to) return undefined;
  const isRefused =
    differences.length > 0 && missingFrom(answer, target, comparing).includes('entityStatus');
  if (isRefused) return undefined;
  return `Changed after: ${editorOf(live.document) ?? 'the catalog'} moved the status from ${from} to ${to} right after the write.`;
}

/** The contract's document after the patch; undefined where the patch can't be applied to it. */
export function patched(patch: Patch, { document }: LiveContract): JsonValue | undefined {
  try {
    return evaluate(document, patch);
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

/**
 * The places that had a value before, and have it neither in the answer to the patch nor in a read
 * since. What came in between loses nothing, and what changed after the answer was not lost by the
 * patch: neither counts.
 */
export function overwrittenPlaces(
  { changes }: UpdatePlan,
  before: LiveContract,
  answer: LiveContract,
  read: LiveContract | undefined,
  comparing: Comparing,
): readonly string[] {
  const after = patched(patchOf(changes), before);
  if (!isObject(after)) return [];
  const expected = comparableFields(after);
  const lackedByAnswer = lackingIn(answer, expected, comparing);
  const lackedByRead = read ? lackingIn(read, expected, comparing) : lackedByAnswer;
  const own = changes.map(({ place }) => `${place}/`);
  const lost: string[] = [];
  for (const [place, label] of lackedByAnswer) {
    const isOwn = own.some((each) => each.startsWith(`${place}/`) || `${place}/`.startsWith(each));
    if (!isOwn && lackedByRead.has(place)) lost.push(label);
  }
  return lost;
}

// People and teams are compared by id and type, since their names come from the server.
function comparableFields(document: JsonObject): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (const field of managedFields) {
    const value = document[field];
    if (value !== undefined && value !== null) fields[field] = value;
  }
  for (const field of peopleFields) {
    if (!Object.hasOwn(document, field)) continue;
    fields[field] = peopleIn(document, field).map((person) => {
      const { id, type } = isObject(person) ? person : {};
      return id === undefined || type === undefined ? person : { id, type };
    });
  }
  return fields;
}

// The labels of the places by key, compared as in planning: what the server adds is no difference.
function lackingIn(live: LiveContract, expected: JsonObject, comparing: Comparing) {
  const { edits, wanted } = editsTo(expected, live, comparing);
  const labels = new Map<string, string>();
  for (const { operation, desired } of edits) {
    if (!desired || operation.op === 'move') continue;
    const path = keyPathOf(desired, wanted, comparing.rules.arrays);
    labels.set(formatPointer(path), labelKeyPath(path));
  }
  return labels;
}

/**
 * `test` operations that make a patch land on the contract as it was planned against, or not at
 * all: a patch is atomic (RFC 6902 §5). Empty where nothing shows whether the contract was written.
 * `If-Match` can't replace them: the interface has no ETags.
 */
export function guardFor(change: UpdatePlan, { product, rules }: Comparing): Patch {
  const state = stateTests(change, product);
  if (state.length === 0) return [];
  const tests = guardOf(change.changes, sidesOf(change).live, rules.arrays, product.isTestable);
  // Reading makes 4.0 the number 4: where the catalog tells them apart, integers aren't tested.
  const isSafe = (test: Operation): boolean =>
    product.comparesNumbers || !('value' in test && Number.isInteger(test.value));
  return [...state, ...tests.filter(isSafe)];
}

// The interface's version is a number (§2.1): the plan's `1.0` is the catalog's 1.
function stateTests(change: UpdatePlan, { comparesNumbers }: Product): Patch {
  const { liveUpdatedAt: updatedAt, liveVersion, liveVersionNumber } = change;
  const version = liveVersionNumber === undefined ? Number(liveVersion) : liveVersionNumber;
  const tests: Operation[] = [];
  if (updatedAt !== undefined) tests.push({ op: 'test', path: '/updatedAt', value: updatedAt });
  // Without a time there is only the version to test.
  const isCompared = comparesNumbers || updatedAt === undefined;
  if (isCompared && version !== null && Number.isFinite(version))
    tests.push({ op: 'test', path: '/version', value: version });
  return tests;
}
