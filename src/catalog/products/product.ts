import type { Identity, LiveContract } from '../../contract/contract.ts';
import type { Conventions } from '../../contract/conventions.ts';
import type { Equivalence } from '../../contract/equality.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Patch } from '../../patch/operation.ts';
import type { ContractAddress } from '../catalog.ts';
import type { ApiError } from '../fault.ts';

/** The products of the registry, `products.ts`. */
export type ProductName = 'standard' | 'openmetadata';

/** What one kind of catalog does where the interface is silent. */
export type Product = Conventions & {
  /** `auto`: of a catalog whose kind is not known. */
  readonly name: ProductName | 'auto';
  /** By what a catalog is known to be of this product. */
  readonly detect: {
    /** Statuses that contracts of no other product have. */
    readonly statuses: readonly string[];
    /** For a server that names its release. */
    readonly release?: {
      /** As people call the product. */
      readonly title: string;
      /** From an answer about the server's version; undefined where that is another product's. */
      readonly parse: (answer: JsonValue) => Release | undefined;
      /** The lowest release that is known. */
      readonly since: string;
    };
  };
  /** What the server adds inside the fields that a file may manage, and what it takes as equal. */
  readonly equivalence: Omit<Equivalence, 'ignore'>;
  /** By what a contract can be read alone; undefined where the catalog has no such read for it. */
  readonly addressOf: (identity: Identity) => ContractAddress | undefined;
  /** Whether a `test` takes 1 and 1.0 for equal, as RFC 6902 §4.6 has it: JSON.parse makes them one. */
  readonly comparesNumbers: boolean;
  /** Whether it is known to heed a `test`: else a refusal may mean that it knows none. */
  readonly knowsTests: boolean;
  /** For `If-Match` with this patch; undefined where that would lose a part of it, or is not known. */
  readonly tagFor: (
    state: Pick<LiveContract, 'version' | 'updatedAt'>,
    patch: Patch,
  ) => string | undefined;
  /** What an error answer to this patch, without its guard, means. */
  readonly meaning: (error: ApiError, patch: Patch) => Meaning;
  /** Statuses that only a reviewer may give to a contract that has reviewers. */
  readonly reviewedStatuses: readonly string[];
};

type Release = { readonly version: string; readonly isSupported: boolean };

type Meaning = {
  /** The patch has not landed and never will. */
  readonly isRefusal: boolean;
  /** A `test` failed, or the catalog does not know that operation. */
  readonly isRefusedTest: boolean;
  /** The contract may be another than planned against: a read tells. */
  readonly isRefusedGuard: boolean;
  /** Absent where the status says it all. */
  readonly explanation?: ContractFault;
};

/** Why a catalog refuses the change of one contract, and would refuse no other for it. */
export type ContractFault = {
  readonly code: (typeof codes)[number];
  /** One full sentence. */
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

/** Whether an error is one contract's alone: the others may go on. */
export function isContractFault(code: string): boolean {
  return codes.some((known) => known === code);
}
