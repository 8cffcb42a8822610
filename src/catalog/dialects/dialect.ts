import type { ContractHead } from '../../contract/contract.ts';
import type { Conventions } from '../../contract/conventions.ts';
import type { Equivalence } from '../../contract/equality.ts';

/** What one kind of catalog does where the interface is silent. */
export type Dialect = Conventions & {
  readonly name: 'documented' | 'openmetadata';
  /** What the server adds inside the fields that a file may manage, and what it takes as equal. */
  readonly equivalence: Omit<Equivalence, 'ignore'>;
  /** The contract with what the server leaves out of it and yet can be told. */
  readonly complete: <Contract extends ContractHead>(contract: Contract) => Contract;
};
