import type { Identity, LiveContract } from '../../contract/contract.ts';
import { identityKey, type IdentityKind } from '../../contract/identity.ts';
import type { JsonObject } from '../../core/json.ts';

/** A name that two live contracts share identifies neither. */
export type KnownNames = {
  readonly note: (live: Identity) => void;
  readonly isUnique: (kind: IdentityKind, identity: Identity) => boolean;
};

const readable = ['name+entity.fullyQualifiedName', 'fullyQualifiedName'] as const;

const known = [...readable, 'entity.fullyQualifiedName'] as const;

export function createKnownNames(): KnownNames {
  const counts = new Map<string, number>();
  return {
    note: (live) => {
      for (const kind of known) {
        const key = keyOf(kind, live);
        if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    },
    isUnique: (kind, identity) => counts.get(keyOf(kind, identity) ?? '') === 1,
  };
}

function keyOf(kind: IdentityKind, identity: Identity): string | undefined {
  const key = identityKey(kind, identity);
  return key === undefined ? undefined : `${kind} ${key}`;
}

/** The most readable identity, if it is unique; else the id. */
export function identityFor(live: LiveContract, { isUnique }: KnownNames): JsonObject {
  const { id, name, fullyQualifiedName, entity } = live;
  const kind = readable.find((each) => isUnique(each, live));
  if (kind === 'name+entity.fullyQualifiedName') {
    return {
      name: name ?? '',
      entity: {
        ...(entity?.type !== undefined && { type: entity.type }),
        fullyQualifiedName: entity?.fullyQualifiedName ?? '',
      },
    };
  }
  return kind === undefined ? { id } : { fullyQualifiedName: fullyQualifiedName ?? '' };
}
