import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { FieldCheck } from '../contract/conventions.ts';
import type { RestateRules } from '../contract/equality.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { ContractDocument, FormatRules } from '../files/formats/contract-file.ts';

/** A live contract that is not as its file says. */
export type Divergence = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly rules: RestateRules;
};

/** What a file is checked for, so that the next run can read it. */
export type FileChecks = FormatRules & { readonly check?: FieldCheck | undefined };

/** A divergence, and the document of the file that it is of. */
export type PlacedDifference = {
  readonly difference: Divergence;
  readonly document: ContractDocument;
};

/** What became of a part of a file. */
export type TurnedPart = {
  readonly text: string;
  /** The contracts that were taken into it. */
  readonly pulled: readonly Divergence[];
  readonly problems: readonly Diagnostic[];
};
