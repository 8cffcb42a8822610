import type { Identity, LiveContract, OptionalField } from '../contract/contract.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Patch } from '../patch/operation.ts';

/** What a list asks for (interface §4.1); cursors and page size are the client's own business. */
export type ListQuery = {
  readonly fields?: readonly OptionalField[];
  readonly include?: 'all' | 'deleted' | 'non-deleted';
  readonly status?: string;
  /** UUID of the asset that the contracts are attached to. */
  readonly entity?: string;
  /**
   * UUIDs of assets, where only their contracts matter: each is then asked for alone if that takes
   * fewer requests than the whole list, so others may come or not.
   */
  readonly entities?: readonly string[];
};

/** One page of a list, in the server's order. */
export type Page = {
  readonly contracts: readonly LiveContract[];
  /** The server's count of all matching contracts, if it gives one. */
  readonly total?: number;
};

/** The history of one contract (interface §2.5): its snapshots, newest first. */
export type VersionHistory = {
  readonly entityType: string;
  readonly versions: readonly JsonObject[];
};

/** Every read that the interface has. Nothing here can change the catalog. */
export type CatalogReader = {
  /** Ends with an error, and at once, when the signal aborts. */
  readonly list: (query?: ListQuery, signal?: AbortSignal) => AsyncIterable<Page>;
  /** One contract by its id or name; absent where the catalog's dialect has no such read. */
  readonly find?: (
    identity: Identity,
    fields: readonly OptionalField[],
  ) => Promise<LiveContract | undefined>;
  /**
   * One contract by its id, with these fields; undefined where there is none. Absent where the
   * dialect has no such read, as in the interface: then the list is asked.
   */
  readonly fetchContract?: (
    id: string,
    fields: readonly OptionalField[],
    signal?: AbortSignal,
  ) => Promise<LiveContract | undefined>;
  readonly versions: (id: string) => Promise<VersionHistory>;
  /** `version` with its decimal, `1.0`. */
  readonly version: (id: string, version: string) => Promise<JsonObject>;
  readonly search: (text: string, index: string) => Promise<JsonValue>;
};

/** The one write that the interface has (§4.2). Only `apply.ts` is given it. */
export type CatalogWriter = {
  /**
   * The contract as the catalog answers that it holds it afterwards. Waits while the catalog allows
   * no more requests, but a patch that was one too many (`rate-limited`, or 503 with `retryAfterMs`)
   * fails: it may have landed. `throttled-too-long` and `interrupted`: this call has sent nothing.
   * Once the signal aborts, nothing is sent any more. `ifMatch` is an entity tag (RFC 9110 §13.1.1).
   */
  readonly patch: (
    id: string,
    patch: Patch,
    lastTry?: AbortSignal,
    ifMatch?: string,
  ) => Promise<LiveContract>;
};
