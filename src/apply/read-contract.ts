import type { CatalogReader } from '../catalog/catalog.ts';
import { optionalFields, type LiveContract } from '../contract/contract.ts';
import type { UpdatePlan } from '../plan/plan.ts';

/**
 * A contract as it stands now, with the fields that the change touches. The interface reads no
 * contract by id: the list is asked for those of its asset (§4.1), or for all where it has none.
 */
export async function readContract(
  { id, entityId, target }: UpdatePlan,
  reader: CatalogReader,
  signal?: AbortSignal,
): Promise<LiveContract | undefined> {
  const fields = optionalFields.filter((field) => Object.hasOwn(target, field));
  const query = { fields, ...(entityId !== undefined && { entity: entityId }) };
  for await (const { contracts } of reader.list(query, signal)) {
    const found = contracts.find((contract) => contract.id === id);
    if (found) return found;
  }
  return undefined;
}
