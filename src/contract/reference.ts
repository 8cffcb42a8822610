import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { FoundEntity } from './contract.ts';
import { idKey } from './identity.ts';
import { textMembers } from './live.ts';

/** A user or a team, as a file or a catalog names it. */
export type PersonReference = {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
};

/** What the catalog says to a reference. */
export type Lookup =
  | { readonly kind: 'found'; readonly id: string; readonly name: string }
  | { readonly kind: 'unknown' }
  /** It could not be asked. */
  | { readonly kind: 'unreadable'; readonly why: string };

/** What the catalog has said to the references of files; undefined where it was not asked. */
export type Lookups = (reference: PersonReference) => Lookup | undefined;

/** The managed fields that hold references to people. */
export const peopleFields = ['owners', 'reviewers'] as const;

/** The items of a field that holds references. */
export function peopleIn(fields: JsonObject, field: string): readonly JsonValue[] {
  const items = fields[field];
  return isArray(items) ? items : [];
}

/** A reference that says whom it means; undefined for anything else. */
export function parseReference(item: JsonValue): PersonReference | undefined {
  if (!isObject(item)) return undefined;
  const { type, ...names } = textMembers(item, ['type', 'id', 'name', 'fullyQualifiedName']);
  // No address can have such a name in it.
  if (type === undefined || /^\.{0,2}$/u.test(lookedUpBy({ type, ...names }))) return undefined;
  return { type, ...names };
}

/** What a reference is looked up by: its id before its name. */
export function lookedUpBy({ id, name, fullyQualifiedName }: PersonReference): string {
  // A name with a dot is quoted where it is qualified, and only there.
  return id ?? name ?? fullyQualifiedName?.replace(/^"(.*)"$/u, '$1') ?? '';
}

/** Equal for references by which the same user or team is looked up. */
export function referenceKey(reference: PersonReference): string {
  const by = reference.id === undefined ? 'name' : 'id';
  return `${by} ${reference.type} ${idKey(lookedUpBy(reference))}`;
}

/** `team sales-team`. */
export function describeReference(reference: PersonReference): string {
  return `${reference.type} ${reference.name ?? lookedUpBy(reference)}`;
}

/** What stands in the way of a contract that is to be created, or where it can be. */
export type Prospect =
  | { readonly kind: 'free'; readonly asset: Asset; readonly fullyQualifiedName: string }
  | { readonly kind: 'unknown-asset' }
  /** Another contract is attached to the asset, which can have one. */
  | { readonly kind: 'taken'; readonly by: string }
  /** The contract is there, and deleted. */
  | { readonly kind: 'deleted'; readonly id: string }
  | { readonly kind: 'unreadable'; readonly why: string };

/** An asset that a contract can be attached to. */
export type Asset = FoundEntity & { readonly type: string; readonly fullyQualifiedName: string };

/** What the catalog says of an asset that a contract is attached to. */
export type AssetAnswer =
  | { readonly kind: 'found'; readonly asset: FoundEntity }
  /** It could not be asked, or has none. */
  | { readonly kind: 'unreadable'; readonly why: string };
