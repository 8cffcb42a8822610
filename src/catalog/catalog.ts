import type { FoundEntity, LiveContract, OptionalField } from '../contract/contract.ts';
import type { JsonObject } from '../core/json.ts';
import type { Patch } from '../patch/operation.ts';

/** What a list asks for (interface §4.1); cursors and page size are the client's own business. */
export type ListQuery = {
  readonly fields?: readonly OptionalField[];
  readonly include?: 'all' | 'deleted' | 'non-deleted';
  readonly status?: string;
  /** UUID of the asset that the contracts are attached to. */
  readonly entity?: string;
  /**
   * UUIDs of assets. Each is asked for alone if that takes fewer requests than the whole list, so
   * other contracts may come or not.
   */
  readonly entities?: readonly string[];
};

export type Page = {
  readonly contracts: readonly LiveContract[];
  /** The server's count of all matching contracts, if it gives one. */
  readonly total?: number | undefined;
};

export type VersionHistory = {
  readonly entityType: string;
  readonly versions: readonly JsonObject[];
};

export type ContractAddress =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'name'; readonly fullyQualifiedName: string }
  | { readonly by: 'asset'; readonly id: string; readonly type: string };

type ContractQuery = {
  readonly fields: readonly OptionalField[];
  readonly signal?: AbortSignal | undefined;
};

export type EntityAddress = { readonly type: string } & (
  | { readonly id: string }
  /** The qualified name of an asset, the plain one of a user or a team. */
  | { readonly name: string }
);

/** Every read that a catalog may have. Nothing here can change it. */
export type CatalogReader = {
  /** Ends with an error, and at once, when the signal aborts. */
  readonly list: (query?: ListQuery, signal?: AbortSignal) => AsyncIterable<Page>;
  /**
   * Deleted or not; undefined where there is none. The interface has no such read: the product
   * gives the address.
   */
  readonly fetchContract: (
    address: ContractAddress,
    query: ContractQuery,
  ) => Promise<LiveContract | undefined>;
  /** Undefined where there is none, or none of that type. The interface has no such read. */
  readonly fetchEntity: (address: EntityAddress) => Promise<FoundEntity | undefined>;
  readonly versions: (id: string) => Promise<VersionHistory>;
};

/** The writes that a catalog may have; the interface has the patch alone (§4.2). Only `apply/` is given them. */
export type CatalogWriter = {
  /**
   * Returns the contract as answered. Waits while the catalog throttles. An error whose `outcome`
   * is `none` says that nothing has landed.
   */
  readonly patch: (id: string, patch: Patch, options?: PatchOptions) => Promise<LiveContract>;
  /**
   * Returns the contract as answered. Sent again only where it was one request too many, or never
   * left.
   */
  readonly create: (body: JsonObject, lastTry?: AbortSignal) => Promise<LiveContract>;
};

type PatchOptions = {
  /** Once aborted, nothing more is sent. */
  readonly lastTry?: AbortSignal | undefined;
  /** An entity tag (RFC 9110 §13.1.1). */
  readonly ifMatch?: string | undefined;
  /** Whether it is sent again where it was one request too many; it may have landed all the same. */
  readonly repeats?: boolean;
  /** Gives the request back when a pause of a second or longer begins: `isPaused` of `ApiError`. */
  readonly endsWithPause?: boolean;
};
