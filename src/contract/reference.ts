import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { type FoundEntity, textMembers } from './contract.ts';
import { idKey } from './identity.ts';

export type PersonReference = {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
};

export type Lookup =
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly name: string;
      readonly teamType?: string | undefined;
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreadable'; readonly why: string };

export type Lookups = (reference: PersonReference) => Lookup | undefined;

export const peopleFields = ['owners', 'reviewers'] as const;

export function peopleIn(fields: JsonObject, field: string): readonly JsonValue[] {
  const items = fields[field];
  return isArray(items) ? items : [];
}

export function parseReference(item: JsonValue): PersonReference | undefined {
  if (!isObject(item)) return undefined;
  const { type, ...names } = textMembers(item, ['type', 'id', 'name', 'fullyQualifiedName']);
  // No address can have such a name in it.
  if (type === undefined || /^\.{0,2}$/u.test(lookedUpBy({ type, ...names }))) return undefined;
  return { type, ...names };
}

export function lookedUpBy({ id, name, fullyQualifiedName }: PersonReference): string {
  // A name with a dot is quoted where it is qualified, and only there.
  return id ?? name ?? fullyQualifiedName?.replace(/^"(.*)"$/u, '$1') ?? '';
}

export function referenceKey(reference: PersonReference): string {
  const by = reference.id === undefined ? 'name' : 'id';
  return `${by} ${reference.type} ${idKey(lookedUpBy(reference))}`;
}

export function describeReference(reference: PersonReference): string {
  return `${reference.type} ${reference.name ?? lookedUpBy(reference)}`;
}

export type Prospect =
  | { readonly kind: 'free'; readonly asset: Asset; readonly fullyQualifiedName: string }
  | { readonly kind: 'unknown-asset' }
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'deleted'; readonly id: string }
  | { readonly kind: 'unreadable'; readonly why: string };

export type Asset = FoundEntity & { readonly type: string; readonly fullyQualifiedName: string };

export type AssetAnswer =
  | { readonly kind: 'found'; readonly asset: FoundEntity }
  | { readonly kind: 'unreadable'; readonly why: string };
