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

export type FoundEntity = EntityReference & {
  readonly id: string;
  /** Names of its columns, where it has any; of nested ones the last part. */
  readonly columns?: readonly string[];
  /** Of a team. */
  readonly teamType?: string;
  /** Names of the custom properties that it defines. */
  readonly properties?: readonly string[];
};

export type ContractHead = {
  /** UUID: the address of a patch. */
  readonly id: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
  readonly entity?: EntityReference;
  readonly entityStatus?: string;
};

export type LiveContract = ContractHead & {
  /** With its decimal, `1.0`: JSON turns 1.0 into 1, and the interface's URLs need `1.0`. */
  readonly version?: string;
  /** The server's number where `version` rounds it; null where no double holds it. */
  readonly versionNumber?: number | null;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
  /** As the catalog sent it, without the fields that nest too deep. */
  readonly document: JsonObject;
  readonly tooDeep?: readonly string[];
};

/** Which live contract a file means; never patched. */
export type Identity = {
  readonly id?: string;
  readonly fullyQualifiedName?: string;
  readonly name?: string;
  readonly entity?: EntityReference;
};

export type DesiredContract = {
  readonly identity: Identity;
  /** Older qualified names, under which the catalog may still have it. */
  readonly movedFrom?: readonly string[];
  readonly isMovedByRule?: boolean;
  /**
   * The file owns each of these fields whole; `null` removes one. Other fields are never touched.
   */
  readonly managed: JsonObject;
  readonly source: SourcePosition;
  /** Of the value, or of its nearest parent; of a removed one, by live's pointer. */
  readonly locate: (pointer: Pointer, isRemoved?: boolean) => SourcePosition;
  readonly refine?: (live: LiveContract) => DesiredContract;
  /** Cache key for `refine`: files with equal fields and equal leeway are refined alike. */
  readonly leeway?: JsonValue;
};

/** The server does not let these change. */
export const identityFields = ['id', 'fullyQualifiedName', 'name', 'entity'] as const;

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

/** Returned only when asked for with `fields` (interface §2.1). */
export const optionalFields = ['owners', 'reviewers', 'extension'] as const;
export type OptionalField = (typeof optionalFields)[number];

/** Written by the server; a file that names one is wrong. */
export const serverFields = ['version', 'updatedAt', 'updatedBy', 'changeDescription'] as const;

export const entityStatuses = ['Draft', 'Active', 'Deprecated'] as const;

export type ApartReason =
  | { readonly kind: 'edited' }
  /** A commit changes the place, and the catalog does not have the change yet. */
  | {
      readonly kind: 'not-applied';
      readonly commit: string;
      /** The catalog has had the value since before the files named the place. */
      readonly isOlder?: true;
    }
  /** `why` is a clause: `the clone is shallow`. */
  | { readonly kind: 'unknown'; readonly why: string };
