import type { SourcePosition } from '../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';

/** The asset that a contract is attached to (interface §2.2); servers leave members out. */
export type EntityReference = {
  readonly id?: string;
  readonly type?: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
};

/** A user, a team or an asset. */
export type FoundEntity = EntityReference & {
  readonly id: string;
  /** Of an asset that has columns, their names; of nested ones the last. */
  readonly columns?: readonly string[];
};

/** By what a contract of the catalog is known (interface §2.1). */
export type ContractHead = {
  /** UUID: the address of a patch. */
  readonly id: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
  readonly entity?: EntityReference;
  readonly entityStatus?: string;
};

/** A contract as the catalog holds it. */
export type LiveContract = ContractHead & {
  /** With its decimal, `1.0`: JSON turns 1.0 into 1, and the interface's URLs need `1.0`. */
  readonly version?: string;
  /** The server's number where `version` rounds it; null where no double holds that. */
  readonly versionNumber?: number | null;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
  /** The contract exactly as the catalog sent it, without the fields that nest too deep. */
  readonly document: JsonObject;
  /** The fields that nest too deep to be compared, shown or written: whatever they hold is unknown. */
  readonly tooDeep?: readonly string[];
};

/** What says which live contract a file means: never patched. */
export type Identity = {
  readonly id?: string;
  readonly fullyQualifiedName?: string;
  readonly name?: string;
  readonly entity?: EntityReference;
};

/** A contract as a file declares it. */
export type DesiredContract = {
  readonly identity: Identity;
  /** Qualified names under which the catalog may still have it. */
  readonly movedFrom?: readonly string[];
  /** Whether only the configuration says so, of all contracts at once. */
  readonly isMovedByRule?: boolean;
  /**
   * The managed fields: the file owns each of them whole; `null` asks for its removal.
   * A field that is not here is never touched.
   */
  readonly managed: JsonObject;
  /** Where the contract's document starts. */
  readonly source: SourcePosition;
  /** Where the file states the value at a pointer into the contract, or else its nearest parent. */
  readonly locate: (pointer: Pointer) => SourcePosition;
  /** Where it asks to remove what live has at a pointer; unless given, at the parent of that. */
  readonly locateRemoved?: (pointer: Pointer) => SourcePosition;
  /** What it asks of this live contract, where its file leaves some of that to the catalog. */
  readonly refine?: (live: LiveContract) => DesiredContract;
  /** Cache key for `refine`: files with equal fields and equal leeway are refined alike. */
  readonly leeway?: JsonValue;
};

/** Fields by which a contract is found; the server does not let them change. */
export const identityFields = ['id', 'fullyQualifiedName', 'name', 'entity'] as const;

/** Fields that a file may manage. */
export const managedFields = [
  'displayName',
  'description',
  'entityStatus',
  'semantics',
  'sla',
  'schema',
  'termsOfUse',
  'security',
  'effectiveFrom',
  'effectiveUntil',
  'sourceUrl',
  'qualityExpectations',
  'owners',
  'reviewers',
  'extension',
] as const;

/** Managed fields that the catalog returns only when asked with `fields` (interface §2.1). */
export const optionalFields = ['owners', 'reviewers', 'extension'] as const;
export type OptionalField = (typeof optionalFields)[number];

/** Fields that the server writes; a file that names one is wrong. */
export const serverFields = ['version', 'updatedAt', 'updatedBy', 'changeDescription'] as const;

export const entityStatuses = ['Draft', 'Active', 'Deprecated'] as const;

/** Why a place of a live contract is not what the base says. */
export type ApartReason =
  | { readonly kind: 'edited' }
  /** The commit asks for what the base says, and the catalog has not got it yet. */
  | {
      readonly kind: 'not-applied';
      readonly commit: string;
      /** Whether the catalog has had the value since before the files named the place. */
      readonly isOlder?: true;
    }
  /** `why` is a clause: `the clone is shallow`. */
  | { readonly kind: 'unknown'; readonly why: string };
