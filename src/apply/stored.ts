/** What the catalog stores after a patch, and whether that lacks what others had written. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import type { CatalogReader, ContractAddress } from '../catalog/catalog.ts';
import type { Product } from '../catalog/products/product.ts';
import { backOff } from '../http/retry.ts';
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
import { labelPointer } from '../patch/describe.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { keyPathOf, labelKeyPath } from '../patch/identity.ts';
import { formatPointer } from '../patch/pointer.ts';
import { patchOf } from '../plan/change.ts';
import { patched } from './guard.ts';
import type { Seen } from './outcome.ts';

export type Stored =
  | { readonly kind: 'seen'; readonly live: LiveContract }
  | { readonly kind: 'gone' | 'deleted' | 'interrupted' }
  | { readonly kind: 'unreadable'; readonly error: unknown };

type ToRead = Pick<UpdatePlan, 'id' | 'entityId' | 'target'>;

type StoredOf = (change: Pick<UpdatePlan, 'id'>) => Stored;

type Reading = {
  readonly effects: Pick<Effects, 'sleep' | 'random'>;
  readonly reader: CatalogReader;
  readonly lastRead: AbortSignal;
  readonly concurrency: number;
  readonly product: Product;
};

const mostReads = 3;

/** One by one where the product has such a read, which the interface lacks; else by one list. */
export async function readStored(
  changes: readonly ToRead[],
  run: Reading,
  fields: readonly OptionalField[] = fieldsOf(changes),
): Promise<StoredOf> {
  const { addressOf } = run.product;
  const stored = new Map<string, Stored>();
  let unread = changes;
  for (let reads = 1; unread.length > 0 && reads <= mostReads; reads += 1) {
    const wait =
      reads > 1 && run.effects.sleep(backOff(reads - 1, run.effects.random), run.lastRead);
    if (wait) await wait.catch(() => undefined);
    const addresses = unread.flatMap(({ id }) => addressOf({ id }) ?? []);
    const read =
      addresses.length === unread.length
        ? await pLimit(run.concurrency).map(addresses, async (each) => readOne(each, fields, run))
        : await readList(unread, fields, run);
    for (const [index, { id }] of unread.entries()) stored.set(id, read[index] ?? gone);
    unread = unread.filter(({ id }) => mayPass(stored.get(id)));
  }
  return ({ id }) => stored.get(id) ?? gone;
}

const gone: Stored = { kind: 'gone' };

function mayPass(stored: Stored | undefined): boolean {
  if (stored?.kind !== 'unreadable') return false;
  return stored.error instanceof ApiError && stored.error.transient;
}

/** One contract with all its fields. */
export async function readAllFields(change: ToRead, run: Reading): Promise<Stored> {
  return (await readStored([change], run, optionalFields))(change);
}

async function readOne(
  address: ContractAddress,
  fields: readonly OptionalField[],
  { reader, lastRead: signal }: Reading,
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
  { reader, lastRead: signal }: Reading,
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

export function fieldsOf(changes: readonly Pick<UpdatePlan, 'target'>[]): OptionalField[] {
  return optionalFields.filter((field) =>
    changes.some(({ target }) => Object.hasOwn(target, field)),
  );
}

export type Comparing = {
  readonly rules: Pick<Rules, 'equivalence' | 'arrays'>;
  readonly product: Product;
};

/** Empty: the change has landed. */
export function missingFrom(
  live: LiveContract,
  { target }: Pick<UpdatePlan, 'target'>,
  comparing: Comparing,
): string[] {
  const { edits, wanted } = editsTo(target, live, comparing);
  const { arrays } = comparing.rules;
  return edits.map(({ desired, live: place = [] }) =>
    desired ? labelPointer(desired, wanted, arrays) : labelPointer(place, live.document, arrays),
  );
}

/**
 * Where a read after the answer shows another status, and all else as it was sent. An answer without
 * the status that was sent is no such move: the catalog has not taken it.
 */
export function noteOfStatus(
  change: Pick<UpdatePlan, 'target'>,
  answer: LiveContract | undefined,
  { live, differences }: Seen,
  comparing: Comparing,
): string | undefined {
  const isOther = differences.some((place) => place !== 'entityStatus');
  if (!answer || isOther || !comparing.product.movesStatus) return undefined;
  const [from, to] = [answer.entityStatus, live.entityStatus];
  const isTaken =
    differences.length === 0 || !missingFrom(answer, change, comparing).includes('entityStatus');
  if (from === undefined || from === to || !isTaken) return undefined;
  return `Changed after: ${editorOf(live.document) ?? 'the catalog'} moved the status from ${from} to ${to} right after the write.`;
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
 * The places that had a value before, and have it neither in the answer to the patch nor in what is
 * stored since. What came in between loses nothing, and what changed after the answer was not lost
 * by the patch: neither counts.
 */
export function overwrittenPlaces(
  { changes }: UpdatePlan,
  before: LiveContract,
  since: readonly LiveContract[],
  comparing: Comparing,
): readonly string[] {
  const after = patched(patchOf(changes), before);
  if (!isObject(after)) return [];
  const expected = comparableFields(after);
  const own = changes.map(({ place }) => `${place}/`);
  const isOwn = (place: string): boolean =>
    own.some((each) => each.startsWith(`${place}/`) || `${place}/`.startsWith(each));
  const [answered = new Map(), ...later] = since.map((live) =>
    lackingIn(live, expected, comparing),
  );
  return [...answered].flatMap(([place, label]) =>
    !isOwn(place) && later.every((places) => places.has(place)) ? [label] : [],
  );
}

// People and teams are compared by id and type, since their names come from the server.
function comparableFields(document: JsonObject): JsonObject {
  const fields = managedFields.flatMap((field) => {
    const value = document[field];
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  const people = peopleFields.flatMap((field) => {
    if (!Object.hasOwn(document, field)) return [];
    const persons = peopleIn(document, field).map((person): JsonValue => {
      const { id, type } = isObject(person) ? person : {};
      return id === undefined || type === undefined ? person : { id, type };
    });
    return [[field, persons] as const];
  });
  return Object.fromEntries([...fields, ...people]);
}

// The labels of the places by key, compared as in planning: what the server adds is no difference.
function lackingIn(live: LiveContract, expected: JsonObject, comparing: Comparing) {
  const { edits, wanted } = editsTo(expected, live, comparing);
  const lacking = edits.flatMap(({ operation, desired }) => {
    if (!desired || operation.op === 'move') return [];
    const path = keyPathOf(desired, wanted, comparing.rules.arrays);
    return [[formatPointer(path), labelKeyPath(path)] as const];
  });
  return new Map(lacking);
}
