import type { AssetId, FoundEntity, LiveContract, OptionalField } from '../contract/contract.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Patch } from '../patch/evaluate.ts';
import type { CatalogRequest } from './connection.ts';

export type ListQuery = {
  readonly fields?: readonly OptionalField[];
  readonly include?: 'all' | 'deleted' | 'non-deleted';
  readonly entity?: string;
  /** Contracts of other assets may come too, where the whole list takes fewer requests. */
  readonly entities?: readonly string[];
  /**
   * Applied to each contract before the next is parsed; on a second walk of the list, which compares
   * whole contracts, after its page.
   */
  readonly reduce?: Reduce;
};

/** What is kept of a listed contract. */
export type Reduce = (live: LiveContract) => LiveContract;

export type Page = {
  readonly contracts: readonly LiveContract[];
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

export type EntityAddress = { readonly type: string } & (
  | { readonly id: string }
  | { readonly name: string }
);

export type CatalogReader = {
  readonly list: (query?: ListQuery, signal?: AbortSignal) => AsyncIterable<Page>;
  /** Deleted contracts too. The interface has no such read: the product gives the address. */
  readonly fetchContract: (
    address: ContractAddress,
    query: { readonly fields: readonly OptionalField[]; readonly signal?: AbortSignal | undefined },
  ) => Promise<LiveContract | undefined>;
  readonly fetchEntity: (address: EntityAddress) => Promise<FoundEntity | undefined>;
  /** Names; undefined where the type of asset has no address. Sent once, for a few seconds. */
  readonly fetchOwners: (asset: AssetId) => Promise<readonly string[] | undefined>;
  /** As the catalog has it, for the product to read. Sent once, for a few seconds. */
  readonly fetchLineage: (asset: AssetId) => Promise<JsonValue | undefined>;
  readonly versions: (id: string) => Promise<VersionHistory>;
};

/** The interface has the patch alone (§4.2). */
export type CatalogWriter = {
  /** An error whose `outcome` is `none` says that nothing has landed. */
  readonly patch: (
    id: string,
    patch: Patch,
    options?: Pick<CatalogRequest, 'lastTry' | 'ifMatch' | 'repeats' | 'endsWithPause'>,
  ) => Promise<LiveContract>;
  /** Sent again only where a rate limit refused it, or where it never left. */
  readonly create: (body: JsonObject, lastTry?: AbortSignal) => Promise<LiveContract>;
};
