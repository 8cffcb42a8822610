import type { ContractHead, Identity } from '../../../contract/contract.ts';
import type { ContractAddress } from '../../catalog.ts';

/** A contract's qualified name: its asset's, and its own. */
export function contractNameOf(asset: string, name: string): string {
  return `${asset}.dataContract_${name}`;
}

/** The qualified name of a contract's asset, taken from the contract's. */
export function entityNameOf({ name, fullyQualifiedName }: ContractHead): string | undefined {
  if (name === undefined) return undefined;
  const ending = contractNameOf('', name);
  return fullyQualifiedName?.endsWith(ending)
    ? fullyQualifiedName.slice(0, -ending.length)
    : undefined;
}

/** By its id or name; else as the one contract that its asset can have. */
export function addressOf({
  id,
  fullyQualifiedName,
  name,
  entity = {},
}: Identity): ContractAddress | undefined {
  if (id !== undefined) return { by: 'id', id };
  const asset = entity.fullyQualifiedName;
  const composed =
    name !== undefined && asset !== undefined ? contractNameOf(asset, name) : undefined;
  const qualified = fullyQualifiedName ?? composed;
  if (qualified !== undefined) return { by: 'name', fullyQualifiedName: qualified };
  const { id: assetId, type } = entity;
  return assetId !== undefined && type !== undefined
    ? { by: 'asset', id: assetId, type }
    : undefined;
}
