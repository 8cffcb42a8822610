import type { FoundEntity } from './contract.ts';

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
