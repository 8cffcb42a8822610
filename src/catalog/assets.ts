import pLimit from 'p-limit';
import type { AssetAnswer } from '../contract/prospect.ts';
import { ApiError } from './fault.ts';
import type { CatalogReader } from './catalog.ts';

type AssetId = { readonly id: string; readonly type: string };

/** So many at once; how many requests, the connection says. */
const atOnce = 4;

/** What the catalog says of assets, by id. */
export async function readAssets(
  { fetchEntity }: Pick<CatalogReader, 'fetchEntity'>,
  assets: readonly AssetId[],
): Promise<ReadonlyMap<string, AssetAnswer>> {
  const answers = await pLimit(atOnce).map(
    assets,
    async (asset) => [asset.id, await readAsset(asset, fetchEntity)] as const,
  );
  return new Map(answers);
}

async function readAsset(
  address: AssetId,
  fetchEntity: CatalogReader['fetchEntity'],
): Promise<AssetAnswer> {
  try {
    const asset = await fetchEntity(address);
    return asset
      ? { kind: 'found', asset }
      : {
          kind: 'unreadable',
          why: `the catalog has no ${address.type} with the id ${address.id}.`,
        };
  } catch (error) {
    // Without a good token no request succeeds: that ends the run.
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return { kind: 'unreadable', why: error.message };
  }
}
