/** By what name a new file means its contract. */

import type { Identity, LiveContract } from '../../contract/contract.ts';
import { identityKey, type IdentityKind } from '../../contract/identity.ts';
import type { JsonObject } from '../../core/json.ts';

/** How many live contracts have a name: one that two of them have means neither. */
export type KnownNames = {
  readonly note: (live: Identity) => void;
  readonly isUnique: (kind: IdentityKind, identity: Identity) => boolean;
};

const readable = ['name+entity.fullyQualifiedName', 'fullyQualifiedName'] as const;

/** An ODCS document often means a contract by its entity alone. */
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

/** The identity that people read best, if it is the contract's alone; else its id. */
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
