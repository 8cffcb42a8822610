import type { Identity, LiveContract } from '../../contract/contract.ts';
import type { Conventions } from '../../contract/conventions.ts';
import type { Equivalence } from '../../contract/equality.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Patch } from '../../patch/operation.ts';
import type { ContractAddress } from '../catalog.ts';
import type { ApiError } from '../fault.ts';

export type ProductName = 'standard' | 'openmetadata';

export type Product = Conventions & {
  /** `auto`: of a catalog whose kind is not known. */
  readonly name: ProductName | 'auto';
  readonly detect: {
    /** No other product has them. */
    readonly statuses: readonly string[];
    readonly release?: {
      readonly title: string;
      /** Parses an answer about the server's version; undefined for another product's. */
      readonly parse: (answer: JsonValue) => Release | undefined;
      readonly since: string;
    };
  };
  /** What the server adds inside the fields that a file may manage, and what it takes as equal. */
  readonly equivalence: Omit<Equivalence, 'ignore'>;
  /** By what a contract can be read alone; undefined where the catalog has no such read for it. */
  readonly addressOf: (identity: Identity) => ContractAddress | undefined;
  /**
   * Whether a `test` takes 1 and 1.0 for equal, as RFC 6902 §4.6 does: JSON.parse makes them one.
   */
  readonly comparesNumbers: boolean;
  /** Whether it is known to heed a `test`: else a refusal may mean that it knows none. */
  readonly knowsTests: boolean;
  /** For `If-Match` with this patch; undefined where that would lose a part of it, or is not known. */
  readonly tagFor: (
    state: Pick<LiveContract, 'version' | 'updatedAt'>,
    patch: Patch,
  ) => string | undefined;
  readonly meaning: (error: ApiError, patch: Patch) => Meaning;
  /** Statuses that only a reviewer may give to a contract that has reviewers. */
  readonly reviewedStatuses: readonly string[];
};

type Release = { readonly version: string; readonly isSupported: boolean };

type Meaning = {
  readonly isRefusal: boolean;
  /** A `test` failed, or the catalog does not know that operation. */
  readonly isRefusedTest: boolean;
  /** The contract may differ from the one planned against: a read tells. */
  readonly isRefusedGuard: boolean;
  readonly explanation?: ContractFault;
};

/** Why a catalog refuses the change of one contract, and no other for it. */
export type ContractFault = {
  readonly code: (typeof codes)[number];
  readonly message: string;
  readonly hint: string;
};

const codes = [
  'column-unknown',
  'change-refused',
  'guard-refused',
  'not-a-reviewer',
  'permission-missing',
  'value-refused',
] as const;

export function isContractFault(code: string): boolean {
  return codes.some((known) => known === code);
}
