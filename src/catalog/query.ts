import pLimit from 'p-limit';
import {
  type DesiredContract,
  type LiveContract,
  type OptionalField,
  optionalFields,
} from '../contract/contract.ts';
import { attachedTo, lookupEntity } from '../contract/identity.ts';
import type { CatalogReader, ListQuery, Page } from './catalog.ts';
import type { Product } from './products/product.ts';

type FirstLook = {
  readonly missing: readonly DesiredContract[];
  readonly pages: number;
  readonly dialect: Product;
};

/**
 * Looks again for contracts that a list did not show: a row may slip to the page before while the
 * list is read. Asks for each by itself, or walks the list once more, whichever takes fewer
 * requests; other and deleted contracts may come too.
 */
export async function* lookAgain(
  reader: CatalogReader,
  { missing, pages, dialect }: FirstLook,
): AsyncGenerator<Page> {
  if (missing.length === 0) return;
  const isAlone = ({ identity }: DesiredContract): boolean =>
    dialect.addressOf(identity) !== undefined;
  if (missing.length <= Math.max(pages, fewest) && missing.every(isAlone)) {
    yield { contracts: await fetchEach(reader, missing, dialect) };
    return;
  }
  yield* reader.list({
    ...queryAgain(missing),
    ...(missing.some(isAlone) && { include: 'all' as const }),
  });
}

/** So many small answers take less time than a page of a list. */
const fewest = 10;

/** The connection limits it further. */
const atOnce = 10;

async function fetchEach(
  reader: CatalogReader,
  contracts: readonly DesiredContract[],
  { addressOf }: Product,
): Promise<LiveContract[]> {
  const found = await pLimit(atOnce).map(contracts, async (contract) => {
    const address = addressOf(contract.identity);
    return address && reader.fetchContract(address, { fields: fieldsToRequest([contract]) });
  });
  return found.filter((live) => live !== undefined);
}

/**
 * `all`: also contracts that no file declares; `reviewed`: statuses that only a reviewer may give;
 * `fields`: requested in any case.
 */
export function queryFor(
  desired: readonly DesiredContract[],
  all: boolean,
  reviewed?: readonly string[],
  fields: readonly OptionalField[] = [],
): ListQuery {
  const isMoving = desired.some(({ movedFrom }) => movedFrom !== undefined);
  const entities = all || isMoving ? undefined : entitiesToRequest(desired);
  const needed = [...fieldsToRequest(desired, reviewed), ...fields];
  return { fields: [...new Set(needed)], ...(entities && { entities }) };
}

/** Contracts of the files' assets, where all files name one. */
function queryAgain(missing: readonly DesiredContract[]): ListQuery {
  const entities = missing.map(({ identity }) => attachedTo(identity));
  return {
    fields: fieldsToRequest(missing),
    ...(entities.every((entity) => entity !== undefined) && {
      entities: [...new Set(entities.flatMap(spellingsOf))],
    }),
  };
}

/** A server may compare ids as texts, and a file may write them in the other case. */
function spellingsOf(uuid: string): string[] {
  return [uuid, uuid.toLowerCase(), uuid.toUpperCase()];
}

/** The catalog sends these only when asked, at a cost, so only those that a file needs. */
function fieldsToRequest(
  desired: readonly DesiredContract[],
  reviewed: readonly string[] = [],
): OptionalField[] {
  const isNeeded = (field: OptionalField, { managed }: DesiredContract): boolean =>
    Object.hasOwn(managed, field) ||
    (field === 'reviewers' && reviewed.some((status) => status === managed['entityStatus']));
  return optionalFields.filter((field) => desired.some((contract) => isNeeded(field, contract)));
}

/**
 * The assets of the contracts, if by them alone all are found. One that is looked up by another
 * identity may be attached elsewhere than its file says: only the whole list shows it.
 */
function entitiesToRequest(desired: readonly DesiredContract[]): string[] | undefined {
  const entities = desired.map(({ identity }) => lookupEntity(identity));
  return entities.every((entity) => entity !== undefined) ? [...new Set(entities)] : undefined;
}
