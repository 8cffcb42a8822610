import type { Identity, LiveContract } from '../../contract/contract.ts';
import type { Conventions } from '../../contract/conventions.ts';
import type { Equivalence } from '../../contract/equality.ts';
import type { Lineage } from '../../contract/lineage.ts';
import type { PeopleField } from '../../contract/identity.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Patch } from '../../patch/evaluate.ts';
import type { ContractAddress } from '../catalog.ts';
import type { ApiError } from '../fault.ts';

export type Product = Conventions & {
  readonly title: string;
  /** The schema in `schemas/` by which editors complete a contract file for such a catalog. */
  readonly contractSchema: string;
  readonly detect: {
    readonly statuses: readonly string[];
    /** The first release of a status that not all of them have. */
    readonly statusesSince?: Readonly<Record<string, string>>;
    readonly release?: {
      /** Undefined for an answer of another product. */
      readonly parse: (answer: JsonValue) => Release | undefined;
      readonly since: string;
      /** From which on the catalog asks people for approvals that it doesn't ask of bots. */
      readonly sparesBotsSince?: string;
      readonly describe: (version: string) => string;
    };
  };
  readonly equivalence: Omit<Equivalence, 'ignore'>;
  /** Undefined where the catalog has no read of one contract by this identity. */
  readonly addressOf: (identity: Identity) => ContractAddress | undefined;
  /**
   * Where the cursor of a list is the key of a row, so that a walk misses nothing but what is
   * created meanwhile; up to so many contracts may be asked for at once.
   */
  readonly keyCursors?: { readonly largestPage: number };
  /** Whether a `test` takes 1 and 1.0 for equal (RFC 6902 §4.6): JSON.parse makes them one. */
  readonly comparesNumbers: boolean;
  /** Whether the catalog is known to heed a `test`: else a refusal may mean that it knows none. */
  readonly knowsTests: boolean;
  /** For `If-Match`; absent where the catalog has no entity tags. */
  readonly tags?: {
    /** Of `read`, or else as this program computes it; undefined: a part of the patch would be lost. */
    readonly choose: (
      patch: Patch,
      state: WrittenState,
      read: LiveContract | undefined,
    ) => string | undefined;
    /** The release from which on servers give tags that can't be computed. */
    readonly otherwiseSince: string;
  };
  /** Whether the catalog may set the status by itself right after a write. */
  readonly movesStatus: boolean;
  /** How long a change joins the version of the one before; absent where each makes its own. */
  readonly session?: {
    readonly milliseconds: number;
    readonly note: string;
  };
  readonly meaning: (error: ApiError, patch: Patch) => Meaning;
  /** Those that take a reviewer, as files name them. */
  readonly reviewedStatuses: readonly string[];
  /** Whether each duration of a service level may be in any unit. */
  readonly takesAnyUnit: boolean;
  /** Absent for a catalog without lineage; returns undefined for an answer of another form. */
  readonly parseLineage?: (answer: JsonValue) => Lineage | undefined;
};

/** What a failed request says of its patch. */
export type Meaning = {
  readonly isRefusal: boolean;
  readonly isRefusedTest: boolean;
  /** The contract may differ from the one planned against: a read decides. */
  readonly isRefusedGuard: boolean;
  /** The rest of the patch may land without the status, which the catalog keeps to itself. */
  readonly isOwnedStatus: boolean;
  /** Fields of the patch that the catalog may have stored before it refused the rest. */
  readonly mayLeave: readonly PeopleField[];
  readonly explanation?: ContractFault & { readonly scope: 'contract' };
};

type Release = {
  readonly version: string;
  readonly is: 'known' | 'too-old' | 'unreadable';
};

/** A computed tag is made of these. */
export type WrittenState = { readonly version?: string; readonly updatedAt?: number };

export type ContractFault = {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
};

/** By the numbers of a release, `1.13.1`; unknown ones are older. */
export function isSince(release: string | undefined, since: string): boolean {
  const [own, other] = [release ?? '', since].map((text) => text.split(/[.+-]/u).map(Number));
  const differs = other?.findIndex((number, place) => number !== (own?.[place] || 0)) ?? -1;
  return differs === -1 || Number(own?.[differs]) > Number(other?.[differs]);
}
