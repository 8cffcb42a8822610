/** What a format of contract files does, and what it is told: `native/` and `odcs/` are two. */

import type { DesiredContract, LiveContract } from '../../contract/contract.ts';
import type { FieldCheck, FieldProblem } from '../../contract/conventions.ts';
import type { RestateRules } from '../../contract/equality.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { editYaml, YamlEdit } from '../edit/edit.ts';
import type { DocumentSource, Locate, PointerDiagnostic } from '../read/document.ts';
import type { LineColumn } from '../read/finding.ts';
import type { KnownNames } from './known-names.ts';
import type { CoarseEquality } from './odcs/refine.ts';
import type { OdcsRules } from './odcs/settings.ts';

export type Format = {
  readonly recognises: (document: JsonValue) => boolean;
  /** The contracts that a document declares, and what is wrong with it. */
  readonly read: (document: JsonValue, rules: FormatRules) => DocumentReading;
  /** A contract with its places, and with what its file leaves to the live contract. */
  readonly locate: (desired: DesiredContract, own: OwnDocument) => DesiredContract;
  /** The text of a document as the catalog has its contracts. */
  readonly restate: (
    part: FilePart,
    placed: readonly PlacedDifference[],
    options: RestateOptions,
  ) => TurnedPart;
  /** A new document, which agrees with its live contract. */
  readonly compose: (live: LiveContract, choice: ComposeOptions) => ComposedDocument;
};

export type FormatRules = {
  /** The statuses of the lifecycle: any other is an error. Without them none is checked. */
  readonly statuses?: readonly string[] | undefined;
  /** Without them what holds where nothing is configured. */
  readonly odcs?: OdcsRules | undefined;
};

/** What a file is checked for, so that the next run can read it. */
export type FileChecks = FormatRules & { readonly check?: FieldCheck | undefined };

export type DocumentReading = {
  readonly contracts: readonly Pick<ContractDocument, 'fields' | 'pointer' | 'leeway'>[];
  readonly diagnostics: readonly PointerDiagnostic[];
};

/** A contract of a document without errors. */
export type ContractDocument = {
  readonly format: Format;
  /** The keys of a contract file. */
  readonly fields: JsonObject;
  /** Of its document among those of the file. */
  readonly index: number;
  /** Into the document. */
  readonly pointer: Pointer;
  /** Where it starts. */
  readonly place: LineColumn;
  /** What it leaves to the live contract. */
  readonly leeway?: readonly CoarseEquality[];
};

/** A file with its text. */
export type Source = Omit<DocumentSource, 'index'>;

export type OwnDocument = {
  readonly contract: ContractDocument;
  readonly document: DocumentSource;
  readonly rules: FormatRules;
  readonly locate: Locate;
};

/** A live contract that is not as its file says. */
export type Divergence = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly rules: RestateRules;
};

/** A divergence, and the document of the file that it is of. */
export type PlacedDifference = {
  readonly difference: Divergence;
  readonly document: ContractDocument;
};

/** Some whole lines of a file, and the first of its documents that they hold. */
export type FilePart = {
  readonly text: string;
  readonly first: number;
  /** Edits the part; lines are those of the file. */
  readonly edit: typeof editYaml;
};

export type RestateOptions = {
  readonly file: string;
  readonly checks: FileChecks;
  /** All contracts of the file. */
  readonly started: readonly ContractDocument[];
  /** Those of them that the catalog has. */
  readonly inFile: readonly Divergence[];
  /** The edited text, read as the next run reads it. */
  readonly reread: (text: string) => ContractFile;
};

export type ContractFile = {
  readonly contracts: readonly ContractDocument[];
  readonly diagnostics: readonly Diagnostic[];
};

export type TurnedPart = {
  readonly text: string;
  /** The contracts that were taken into it. */
  readonly pulled: readonly Divergence[];
  readonly problems: readonly Diagnostic[];
};

export type ComposeOptions = Pick<Divergence, 'rules'> & {
  readonly names: KnownNames;
  readonly checks: FileChecks;
};

export type ComposedDocument =
  | {
      readonly document: JsonObject;
      /** What a file can't say. */
      readonly leftOut: readonly FieldProblem[];
      /** The fields that the catalog has and the format does not. */
      readonly unsaid: readonly string[];
    }
  | { readonly refused: { readonly message: string; readonly hint: string } };

/** What an edit has done that nobody asked for. */
export function noticesOf(file: string, { notices }: Pick<YamlEdit, 'notices'>): Diagnostic[] {
  return notices.map(({ line, message }) => ({
    code: 'pull-notice',
    severity: 'information',
    message,
    source: { file, line, column: 1 },
  }));
}

/** The contract is no longer where it was found. */
export function changedMeanwhile({ desired: { source } }: Divergence): Diagnostic {
  return {
    code: 'file-changed',
    severity: 'error',
    message: 'The file changed during the pull.',
    hint: 'Pull again.',
    source,
  };
}
