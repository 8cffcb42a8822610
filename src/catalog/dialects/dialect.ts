import type { ContractHead } from '../../contract/contract.ts';
import type { Conventions } from '../../contract/conventions.ts';
import type { Equivalence } from '../../contract/equality.ts';
import type { ApiError } from '../api-error.ts';

/** What one kind of catalog does where the interface is silent. */
export type Dialect = Conventions & {
  readonly name: 'documented' | 'openmetadata';
  /** What the server adds inside the fields that a file may manage, and what it takes as equal. */
  readonly equivalence: Omit<Equivalence, 'ignore'>;
  /** The contract with what the server leaves out of it and yet can be told. */
  readonly complete: <Contract extends ContractHead>(contract: Contract) => Contract;
  /** Whether a `test` takes 1 and 1.0 for equal, as RFC 6902 §4.6 has it: JSON.parse makes them one. */
  readonly comparesNumbers: boolean;
  /** Whether the answer to a patch says for sure that it has not landed and never will. */
  readonly isRefusal: (error: ApiError) => boolean;
  /** Whether the answer is the one that a `test` gets which fails, or which the catalog does not know. */
  readonly isRefusedTest: (error: ApiError) => boolean;
};
