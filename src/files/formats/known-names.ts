import type { Identity, LiveContract } from '../../contract/contract.ts';
import { identityKey, type IdentityKind } from '../../contract/identity.ts';
import type { JsonObject } from '../../core/json.ts';

/** How many live contracts have each name: one that two share identifies neither. */
export type KnownNames = ReadonlyMap<string, number>;

const readable = ['name+entity.fullyQualifiedName', 'fullyQualifiedName'] as const;

export function countNames(contracts: readonly Identity[]): KnownNames {
  const counts = new Map<string, number>();
  for (const kind of [...readable, 'entity.fullyQualifiedName'] as const) {
    for (const live of contracts) {
      const key = `${kind} ${identityKey(kind, live) ?? ''}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

export function isUnique(names: KnownNames, kind: IdentityKind, identity: Identity): boolean {
  const key = identityKey(kind, identity);
  return key !== undefined && names.get(`${kind} ${key}`) === 1;
}

/** The most readable identity, if it is unique; else the id. */
export function identityFor(live: LiveContract, names: KnownNames): JsonObject {
  const { id, name = '', fullyQualifiedName = '', entity } = live;
  const kind = readable.find((each) => isUnique(names, each, live));
  if (kind === undefined) return { id };
  if (kind === 'fullyQualifiedName') return { fullyQualifiedName };
  const { type, fullyQualifiedName: asset = '' } = entity ?? {};
  return { name, entity: { ...(type !== undefined && { type }), fullyQualifiedName: asset } };
}
