import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import type { CatalogReader, ContractAddress, ListQuery, Page } from '../catalog/catalog.ts';
import { productOf, type DialectSetting } from '../catalog/products/products.ts';
import { backOff } from '../http/retry.ts';
import type { Effects } from '../core/effects.ts';
import {
  editorOf,
  isDeleted,
  type LiveContract,
  type OptionalField,
  optionalFields,
} from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { idKey } from '../contract/identity.ts';
import { diff } from '../patch/diff.ts';
import { labelPointer } from '../patch/describe.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';

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
  readonly dialect: DialectSetting;
};

const mostReads = 3;

export async function readStored(changes: readonly ToRead[], run: Reading): Promise<StoredOf> {
  const stored = new Map<string, Stored>();
  const of: StoredOf = ({ id }) => stored.get(id) ?? { kind: 'gone' };
  let unread = changes;
  for (let reads = 1; unread.length > 0; reads += 1) {
    const seen = await readOnce(unread, run);
    for (const change of unread) stored.set(change.id, seen(change));
    unread = unread.filter((change) => {
      const stored = of(change);
      return (
        stored.kind === 'unreadable' && stored.error instanceof ApiError && stored.error.transient
      );
    });
    if (unread.length === 0 || reads === mostReads) break;
    const wait = backOff(reads, run.effects.random);
    await run.effects.sleep(wait, run.lastRead).catch(() => undefined);
  }
  return of;
}

// One by one where the product has such a read, which the interface lacks; else by one list.
async function readOnce(changes: readonly ToRead[], run: Reading): Promise<StoredOf> {
  const addressed = changes.flatMap((change) => {
    const address = productOf(run.dialect).addressOf({ id: change.id });
    return address ? [{ change, address }] : [];
  });
  return addressed.length === changes.length ? fetchEach(addressed, run) : listAll(changes, run);
}

type Addressed = { readonly change: ToRead; readonly address: ContractAddress };

async function fetchEach(addressed: readonly Addressed[], run: Reading): Promise<StoredOf> {
  const stored = await pLimit(run.concurrency).map(
    addressed,
    async ({ change, address }) =>
      [change.id, await fetchOne(address, fieldsOf([change]), run)] as const,
  );
  const byId = new Map(stored);
  return ({ id }) => byId.get(id) ?? { kind: 'gone' };
}

/** One contract with all its fields; by no list, and without patience. */
export async function readFully({ id }: Pick<UpdatePlan, 'id'>, run: Reading): Promise<Stored> {
  const address = productOf(run.dialect).addressOf({ id });
  return address ? fetchOne(address, optionalFields, run) : { kind: 'gone' };
}

async function fetchOne(
  address: ContractAddress,
  fields: readonly OptionalField[],
  run: Reading,
): Promise<Stored> {
  try {
    const query = { fields, signal: run.lastRead };
    const live = await run.reader.fetchContract(address, query);
    if (!live) return { kind: 'gone' };
    return isDeleted(live) ? { kind: 'deleted' } : { kind: 'seen', live };
  } catch (error) {
    return failureOf(error, run);
  }
}

function failureOf(error: unknown, { lastRead }: Reading): Stored {
  return lastRead.aborted ? { kind: 'interrupted' } : { kind: 'unreadable', error };
}

async function listAll(changes: readonly ToRead[], run: Reading): Promise<StoredOf> {
  const wanted = new Set(changes.map(({ id }) => idKey(id)));
  const found = new Map<string, Stored>();
  const rest = await takeWanted(wanted, found, run.reader.list(queryOf(changes), run.lastRead))
    .then((): Stored => ({ kind: 'gone' }))
    .catch((error: unknown) => failureOf(error, run));
  return ({ id }) => found.get(idKey(id)) ?? rest;
}

async function takeWanted(
  wanted: Set<string>,
  found: Map<string, Stored>,
  pages: AsyncIterable<Page>,
): Promise<void> {
  for await (const { contracts } of pages) {
    for (const live of contracts.filter(({ id }) => wanted.delete(idKey(id))))
      found.set(idKey(live.id), { kind: 'seen', live });
    if (wanted.size === 0) return;
  }
}

function queryOf(changes: readonly ToRead[]): ListQuery {
  const entities = changes.map(({ entityId }) => entityId).filter((id) => id !== undefined);
  const areAllKnown = entities.length === changes.length;
  return { fields: fieldsOf(changes), ...(areAllKnown && { entities: [...new Set(entities)] }) };
}

export function fieldsOf(changes: readonly Pick<UpdatePlan, 'target'>[]): OptionalField[] {
  return optionalFields.filter((field) =>
    changes.some(({ target }) => Object.hasOwn(target, field)),
  );
}

export type Comparing = {
  readonly rules: Pick<Rules, 'equivalence' | 'arrays'>;
  readonly dialect: DialectSetting;
};

export function missingFrom(
  live: LiveContract,
  change: Pick<UpdatePlan, 'target'>,
  { rules, dialect }: Comparing,
): string[] {
  const { equivalence } = productOf(dialect);
  return differences(change, live, {
    ...rules,
    equivalence: { ...rules.equivalence, ...equivalence },
  });
}

/** Where the answer had the status that was sent, and all that a later read lacks is that. */
export function noteOfStatus(
  answer: LiveContract | undefined,
  { live, differences }: { readonly live: LiveContract; readonly differences: readonly string[] },
  { dialect }: Pick<Comparing, 'dialect'>,
): string | undefined {
  const { entityStatus: status } = live;
  const isMoved = differences.join() === 'entityStatus' && answer?.entityStatus !== status;
  if (!answer || !isMoved || !productOf(dialect).movesStatus) return undefined;
  return `Changed after: ${editorOf(live.document) ?? 'the catalog'} moved the status from ${answer.entityStatus} to ${status} right after the write.`;
}

/**
 * Empty: the change has landed. Compared as in planning, so the server's additions are no
 * difference.
 */
export function differences(
  { target }: Pick<UpdatePlan, 'target'>,
  live: LiveContract,
  { equivalence, arrays }: Pick<Rules, 'equivalence' | 'arrays'>,
): string[] {
  const wanted = targetDocument(live, target, equivalence, arrays);
  return diff(live.document, wanted, arrays).map((edit) =>
    edit.desired
      ? labelPointer(edit.desired, wanted, arrays)
      : labelPointer(edit.live ?? [], live.document, arrays),
  );
}
