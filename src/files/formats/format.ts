import type { CoarseValue, DesiredContract, LiveContract } from '../../contract/contract.ts';
import type { FieldCheck, FieldProblem } from '../../contract/conventions.ts';
import type { RestateRules } from '../../contract/equality.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { editYaml, YamlEdit } from '../edit/edit.ts';
import type { DocumentSource, Locate, PointerDiagnostic } from '../read/document.ts';
import type { LineColumn } from '../read/finding.ts';
import type { KnownNames } from './known-names.ts';
import type { OdcsRules } from './odcs/settings.ts';

export const fileFormatNames = ['native', 'odcs'] as const;

export type Format = {
  readonly recognises: (document: JsonValue) => boolean;
  readonly read: (document: JsonValue, rules: FormatRules) => DocumentReading;
  readonly locate: (desired: DesiredContract, own: OwnDocument) => DesiredContract;
  readonly restate: (
    part: FilePart,
    placed: readonly PlacedDifference[],
    options: RestateOptions,
  ) => RestatedPart;
  readonly compose: (live: LiveContract, choice: ComposeOptions) => ComposedDocument;
  readonly newFiles: {
    /** The default of `--into`. */
    readonly path: string;
    readonly head: string;
    /** Whether a file may have several contracts. */
    readonly areShared: boolean;
  };
};

export type FormatRules = {
  /** The statuses of the lifecycle: any other is an error. Absent: none is checked. */
  readonly statuses?: readonly string[] | undefined;
  readonly odcs?: OdcsRules | undefined;
  /** What the catalog would refuse. */
  readonly check?: FieldCheck | undefined;
};

export type DocumentReading = {
  readonly contracts: readonly Pick<ContractDocument, 'fields' | 'pointer' | 'coarse'>[];
  readonly diagnostics: readonly PointerDiagnostic[];
};

export type ContractDocument = {
  readonly format: Format;
  readonly fields: JsonObject;
  /** Index of the document in the file. */
  readonly index: number;
  readonly pointer: Pointer;
  readonly place: LineColumn;
  readonly coarse?: readonly CoarseValue[];
};

export type Source = Omit<DocumentSource, 'index'>;

export type OwnDocument = {
  readonly contract: ContractDocument;
  readonly document: DocumentSource;
  readonly rules: FormatRules;
  readonly locate: Locate;
};

export type Divergence = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly rules: RestateRules;
};

export type PlacedDifference = {
  readonly difference: Divergence;
  readonly document: ContractDocument;
};

export type FilePart = {
  readonly text: string;
  readonly first: number;
  /** Edits the part; line numbers are those of the file. */
  readonly edit: typeof editYaml;
};

export type RestateOptions = {
  readonly checks: FormatRules;
  /** All contracts of the file that the catalog has. */
  readonly inFile: readonly PlacedDifference[];
  readonly reread: (text: string) => ContractFile;
};

export type ContractFile = {
  readonly contracts: readonly ContractDocument[];
  readonly diagnostics: readonly Diagnostic[];
};

export type RestatedPart = {
  readonly text: string;
  readonly pulled: readonly Divergence[];
  readonly problems: readonly Diagnostic[];
};

export type ComposeOptions = Pick<Divergence, 'rules'> & {
  readonly names: KnownNames;
  readonly checks: FormatRules;
};

export type ComposedDocument =
  | {
      readonly document: JsonObject;
      readonly leftOut: readonly Pick<FieldProblem, 'message' | 'pointer'>[];
      readonly leftToCatalog: readonly string[];
    }
  | { readonly refused: { readonly message: string; readonly hint: string } };

export function noticesOf(
  { desired: { source } }: Divergence,
  { notices }: Pick<YamlEdit, 'notices'>,
): Diagnostic[] {
  return notices.map(({ line, message }) => ({
    code: 'pull-notice',
    severity: 'information',
    message,
    source: { file: source.file, line, column: 1 },
  }));
}

export function changedMeanwhile({ desired: { source } }: Divergence): Diagnostic {
  const message = 'The file changed during the pull.';
  const hint = 'Pull again.';
  return { code: 'file-changed', severity: 'error', message, hint, source };
}
