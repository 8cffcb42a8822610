import pLimit from 'p-limit';
import type { DesiredContract, FoundEntity, Identity } from '../contract/contract.ts';
import { isDeleted } from '../contract/live.ts';
import type { Asset, Prospect } from '../contract/prospect.ts';
import { ApiError } from './fault.ts';
import type { CatalogReader, EntityAddress } from './catalog.ts';
import type { Creation } from './products/product.ts';

type Reader = Pick<CatalogReader, 'fetchEntity' | 'fetchContract'>;

/** So many files at once; how many requests, the connection says. */
const atOnce = 4;

/** Whether contracts can be created for these files; a file that names no asset is left out. */
export async function findProspects(
  reader: Reader,
  desired: readonly DesiredContract[],
  creation: Creation,
): Promise<ReadonlyMap<DesiredContract, Prospect>> {
  const found = await pLimit(atOnce).map(desired, async (contract) => {
    const prospect = await findProspect(reader, contract.identity, creation);
    return prospect ? [[contract, prospect] as const] : [];
  });
  return new Map(found.flat());
}

async function findProspect(
  reader: Reader,
  { name, entity = {} }: Identity,
  creation: Creation,
): Promise<Prospect | undefined> {
  const address = addressOfAsset(entity);
  if (!address || name === undefined) return undefined;
  try {
    const asset = await reader.fetchEntity(address);
    if (!isAsset(asset)) return { kind: 'unknown-asset' };
    return await findPlace(reader, asset, creation.nameOf(asset.fullyQualifiedName, name));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return { kind: 'unreadable', why: error.message };
  }
}

/** Most assets are tables: a file need not say so. */
function addressOfAsset({
  id,
  type = 'table',
  fullyQualifiedName,
}: NonNullable<Identity['entity']>): EntityAddress | undefined {
  if (id !== undefined) return { type, id };
  return fullyQualifiedName === undefined ? undefined : { type, name: fullyQualifiedName };
}

function isAsset(entity: FoundEntity | undefined): entity is Asset {
  return entity?.type !== undefined && entity.fullyQualifiedName !== undefined;
}

async function findPlace(
  { fetchContract }: Reader,
  asset: Asset,
  fullyQualifiedName: string,
): Promise<Prospect> {
  const fields = { fields: [] };
  const [attached, namesake] = await Promise.all([
    fetchContract({ by: 'asset', id: asset.id, type: asset.type }, fields),
    fetchContract({ by: 'name', fullyQualifiedName }, fields),
  ]);
  const there = attached ?? namesake;
  if (!there) return { kind: 'free', asset, fullyQualifiedName };
  return isDeleted(there)
    ? { kind: 'deleted', id: there.id }
    : { kind: 'taken', by: there.fullyQualifiedName ?? there.id };
}
