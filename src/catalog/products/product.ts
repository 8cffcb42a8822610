import type { Identity, LiveContract } from '../../contract/contract.ts';
import type { Conventions } from '../../contract/conventions.ts';
import type { Equivalence } from '../../contract/equality.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Patch } from '../../patch/operation.ts';
import type { ContractAddress } from '../catalog.ts';
import type { ApiError } from '../fault.ts';

export type Product = Conventions & {
  readonly title: string;
  readonly detect: {
    readonly statuses: readonly string[];
    readonly release?: {
      readonly parse: (answer: JsonValue) => Release | undefined;
      readonly since: string;
    };
  };
  readonly equivalence: Omit<Equivalence, 'ignore'>;
  /** Undefined where the catalog has no read of one contract by this identity. */
  readonly addressOf: (identity: Identity) => ContractAddress | undefined;
  /** Whether a `test` takes 1 and 1.0 for equal (RFC 6902 §4.6): JSON.parse makes them one. */
  readonly comparesNumbers: boolean;
  /** Whether the catalog is known to heed a `test`: else a refusal may mean that it knows none. */
  readonly knowsTests: boolean;
  /** For `If-Match`; undefined where a tag would lose a part of the patch, or is not known. */
  readonly tagFor: (
    state: Pick<LiveContract, 'version' | 'updatedAt'>,
    patch: Patch,
  ) => string | undefined;
  /** Absent where each change is a version of its own. */
  readonly session?: Session;
  readonly meaning: (error: ApiError, patch: Patch) => Meaning;
  readonly reviewedStatuses: readonly string[];
  /** Whether each duration of a service level may be in any unit. */
  readonly takesAnyUnit: boolean;
};

/** The time in which a change joins the version of the one before. */
type Session = {
  readonly milliseconds: number;
  readonly isWaitedFor: (section: JsonValue | undefined) => boolean;
  readonly note: string;
};

type Release = { readonly version: string; readonly isSupported: boolean };

type Meaning = {
  readonly isRefusal: boolean;
  readonly isRefusedTest: boolean;
  /** The contract may differ from the one planned against: a read decides. */
  readonly isRefusedGuard: boolean;
  readonly explanation?: ContractFault & { readonly scope: 'contract' };
};

export type ContractFault = {
  readonly code:
    | 'column-unknown'
    | 'change-refused'
    | 'guard-refused'
    | 'not-a-reviewer'
    | 'permission-missing'
    | 'value-refused';
  readonly message: string;
  readonly hint: string;
};
