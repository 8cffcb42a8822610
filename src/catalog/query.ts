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
 * A list can miss a contract whose row slips to the page before. Each missing one is read by
 * itself, or the list walked once more, whichever takes fewer requests; other and deleted contracts
 * may come too.
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

const fewest = 10;

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

function queryAgain(missing: readonly DesiredContract[]): ListQuery {
  const entities = missing.map(({ identity }) => attachedTo(identity));
  return {
    fields: fieldsToRequest(missing),
    ...(entities.every((entity) => entity !== undefined) && {
      entities: [...new Set(entities.flatMap(spellingsOf))],
    }),
  };
}

function spellingsOf(uuid: string): string[] {
  return [uuid, uuid.toLowerCase(), uuid.toUpperCase()];
}

// These fields cost the catalog time, so only those that a file needs are requested.
function fieldsToRequest(
  desired: readonly DesiredContract[],
  reviewed: readonly string[] = [],
): OptionalField[] {
  const isNeeded = (field: OptionalField, { managed }: DesiredContract): boolean =>
    Object.hasOwn(managed, field) ||
    (field === 'reviewers' && reviewed.some((status) => status === managed['entityStatus']));
  return optionalFields.filter((field) => desired.some((contract) => isNeeded(field, contract)));
}

// A contract with another identity may be attached elsewhere than its file says, so only the whole
// list shows it.
function entitiesToRequest(desired: readonly DesiredContract[]): string[] | undefined {
  const entities = desired.map(({ identity }) => lookupEntity(identity));
  return entities.every((entity) => entity !== undefined) ? [...new Set(entities)] : undefined;
}
