import type { TokenSource } from '../auth/token.ts';
import type { AssetId, FoundEntity, LiveContract, OptionalField } from '../contract/contract.ts';
import type { TokenOwner } from '../contract/conventions.ts';
import type { Effects } from '../core/effects.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Patch } from '../patch/evaluate.ts';

export type CatalogConnection = {
  /** With or without a path and a trailing slash. */
  readonly baseUrl: URL;
  readonly token: TokenSource;
  readonly pageSize: number | 'auto';
  /** For the start of an answer, and again for its end. */
  readonly timeoutMs: number;
  readonly concurrency?: number;
  /** How long to wait for one success while rate limits refuse. */
  readonly timeoutThrottledMs?: number;
  readonly version: string;
  readonly allowHttp?: boolean | undefined;
  readonly effects?: Partial<Effects>;
  readonly signal?: AbortSignal | undefined;
  /** Takes the reason of each retry or pause; `log` where absent. */
  readonly onRetry?: ((line: string) => void) | undefined;
  readonly log?: ((line: string) => void) | undefined;
  readonly onPause?: ((milliseconds: number) => void) | undefined;
};

export type OperationName =
  | 'list'
  | 'contract'
  | 'entity'
  | 'lineage'
  | 'patch'
  | 'create'
  | 'versions'
  | 'release'
  | 'caller';

export type PatchOptions = {
  /** Entity tag (RFC 9110 §13.1.1). */
  readonly ifMatch?: string | undefined;
  /**
   * Whether it is sent again after a rate limit's refusal, by default if it reads: the refused one
   * may have landed.
   */
  readonly repeats?: boolean | undefined;
  /** Whether a pause of a second or longer ends its wait: fails unsent, with `isPaused`. */
  readonly endsWithPause?: boolean | undefined;
  /** Once aborted, the request is not sent again; one in flight goes on to its end. */
  readonly lastTry?: AbortSignal | undefined;
};

export type CatalogRequest = PatchOptions & {
  readonly operation: OperationName;
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly url: URL;
  readonly body?: { readonly type: string; readonly text: string };
  readonly signal?: AbortSignal | undefined;
  readonly mostAttempts?: number;
  /** By a rate limit: the run's patience, where it is absent. */
  readonly mostRefusals?: number;
  /** Overrides the connection's, if shorter. */
  readonly timeoutMs?: number;
};

export type ListQuery = {
  readonly fields?: readonly OptionalField[];
  readonly include?: 'all' | 'deleted' | 'non-deleted';
  readonly entity?: string;
  /** Contracts of other assets may come too, where the whole list takes fewer requests. */
  readonly entities?: readonly string[];
  /** Applied to each contract before the next is parsed; on a second walk, after its page. */
  readonly reduce?: Reduce;
};

/** Given a contract with no fields but its people, returns it where all of them are to be kept. */
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

/** Whose the token is. */
export type CatalogCaller = TokenOwner & { readonly isAdmin: boolean; readonly isBot: boolean };

export type CatalogReader = {
  readonly list: (query?: ListQuery, signal?: AbortSignal) => AsyncIterable<Page>;
  /** Deleted contracts too. The interface has no such read: the product gives the address. */
  readonly fetchContract: (
    address: ContractAddress,
    query: { readonly fields: readonly OptionalField[]; readonly signal?: AbortSignal | undefined },
  ) => Promise<LiveContract | undefined>;
  /** Who the token belongs to; undefined where the catalog doesn't say. */
  readonly fetchCaller: () => Promise<CatalogCaller | undefined>;
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
  readonly patch: (id: string, patch: Patch, options?: PatchOptions) => Promise<LiveContract>;
  /** Sent again only where a rate limit refused it, or where it never left. */
  readonly create: (body: JsonObject, lastTry?: AbortSignal) => Promise<LiveContract>;
};
