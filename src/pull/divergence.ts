import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { FieldCheck } from '../contract/field-check.ts';
import type { RestateRules } from '../contract/restate-fields.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { FormatRules } from '../files/formats/contract-file.ts';

/** A live contract that is not as its file says. */
export type Divergence = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly rules: RestateRules;
  /** The file as it was before changes of its own, which the catalog knows nothing of. */
  readonly base?: DesiredContract;
};

/** What a file is checked for, so that the next run can read it. */
export type FileChecks = FormatRules & { readonly check?: FieldCheck | undefined };

/** A file, and as it is once some of its contracts have been taken into it. */
export type TurningFile = {
  readonly file: string;
  readonly before: string;
  readonly after: string;
};

/** What became of one contract. */
export type Turned = {
  /** Of the whole file; absent where nothing was taken. */
  readonly text?: string;
  readonly problems: readonly Diagnostic[];
};
