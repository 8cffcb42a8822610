import type { ContractHead, Identity, LiveContract } from '../../contract/contract.ts';
import type { Conventions } from '../../contract/conventions.ts';
import type { FieldCheck } from '../../contract/field-check.ts';
import type { Equivalence } from '../../contract/equality.ts';
import type { Patch } from '../../patch/operation.ts';
import type { ApiError } from '../fault.ts';
import type { ContractAddress } from '../catalog.ts';
import type { ContractFault } from './contract-fault.ts';
import type { JsonObject } from '../../core/json.ts';

/** How a catalog creates contracts. */
export type Creation = {
  /** What the contract of an asset will be called. */
  readonly nameOf: (asset: string, name: string) => string;
  /** The managed fields of a file in the words of a create request. */
  readonly bodyOf: (managed: JsonObject) => JsonObject;
  /** What of a file a create request needs, and a patch may leave out. */
  readonly checkRequired: FieldCheck;
};

/** What one kind of catalog does where the interface is silent. */
export type Dialect = Conventions & {
  /** `auto`: of a catalog whose kind is not known. */
  readonly name: 'auto' | 'standard' | 'openmetadata';
  /** What the server adds inside the fields that a file may manage, and what it takes as equal. */
  readonly equivalence: Omit<Equivalence, 'ignore'>;
  /** The contract with what the server leaves out of it and yet can be told. */
  readonly complete: <Contract extends ContractHead>(contract: Contract) => Contract;
  /** How contracts are created; absent where they cannot be, as in the interface. */
  readonly creation?: Creation;
  /** Whether a reference counts by its id alone: those of files are looked up. */
  readonly resolvesReferences: boolean;
  /** Whether the assets of contracts can be read, and must have the columns that contracts have. */
  readonly checksColumns: boolean;
  /** By what a contract can be read alone; undefined where the catalog has no such read for it. */
  readonly addressOf: (identity: Identity) => ContractAddress | undefined;
  /** Whether a `test` takes 1 and 1.0 for equal, as RFC 6902 §4.6 has it: JSON.parse makes them one. */
  readonly comparesNumbers: boolean;
  /** Whether the answer to a patch says for sure that it has not landed and never will. */
  readonly isRefusal: (error: ApiError) => boolean;
  /** Whether the answer is the one that a `test` gets which fails, or which the catalog does not know. */
  readonly isRefusedTest: (error: ApiError) => boolean;
  /** Whether a refusal may say that the contract is another than planned against: a read tells. */
  readonly isRefusedGuard: (error: ApiError) => boolean;
  /** Whether it is known to heed a `test`: else a refusal may mean that it knows none. */
  readonly knowsTests: boolean;
  /** For `If-Match` with this patch; undefined where that would lose a part of it, or is not known. */
  readonly tagFor: (
    state: Pick<LiveContract, 'version' | 'updatedAt'>,
    patch: Patch,
  ) => string | undefined;
  /** What a refusal of this patch, without its guard, means; undefined where its status says it. */
  readonly explain: (error: ApiError, patch: Patch) => ContractFault | undefined;
};
