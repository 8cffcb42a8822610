import { contractLabel, identityKey, type IdentityKind } from '../../contract/identity.ts';
import type { EditRefusal } from '../edit/state.ts';
import {
  type CoarseValue,
  type DesiredContract,
  type Identity,
  type LiveContract,
  managedFields,
  type Slip,
} from '../../contract/contract.ts';
import type { FieldCheck } from '../../contract/conventions.ts';
import type { RestateRules } from '../../contract/equality.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { editYaml } from '../edit/edit.ts';
import type { PointerDiagnostic } from '../read/document.ts';
import type { LineColumn } from '../read/finding.ts';
import type { OdcsRules } from './odcs/settings.ts';

export const fileFormatNames = ['native', 'odcs'] as const;

export type Format = {
  readonly recognises: (document: JsonValue) => boolean;
  readonly read: (document: JsonValue, rules: FormatRules) => DocumentReading;
  readonly restate: (
    part: FilePart,
    placed: readonly PlacedDifference[],
    options: RestateOptions,
  ) => RestatedPart;
  readonly compose: (live: LiveContract, choice: ComposeOptions) => ComposedDocument;
  readonly newFiles: {
    /** The default of `--into`. */
    readonly path: string;
    /** `schema` is the name of that of the catalog's kind. */
    readonly head: (schema: string) => string;
    /** Whether a file may have several contracts. */
    readonly areShared: boolean;
  };
};

export type FormatRules = {
  /** The statuses of the lifecycle: any other is an error. Absent: none is checked. */
  readonly statuses?: readonly string[] | undefined;
  readonly odcs?: OdcsRules | undefined;
  /** Finds what the catalog would refuse. */
  readonly check?: FieldCheck | undefined;
};

export type DocumentReading = {
  readonly contracts: readonly ReadContract[];
  readonly diagnostics: readonly PointerDiagnostic[];
};

type ReadContract = {
  readonly fields: JsonObject;
  readonly pointer: Pointer;
  readonly coarse?: readonly CoarseValue[];
  /** Absent where a field stands in the document as it is called. */
  readonly origin?: (pointer: Pointer) => Origin;
};

export type ContractDocument = ReadContract & {
  readonly format: Format;
  readonly index: number;
  readonly place: LineColumn;
  readonly slips?: readonly Slip[];
};

/** The place of a contract's value in its document, and its key if that is another word. */
export type Origin = { readonly pointer: Pointer; readonly key?: string };

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

export type ComposeOptions = {
  readonly rules: RestateRules;
  readonly names: KnownNames;
  readonly checks: FormatRules;
};

export type ComposedDocument =
  | {
      readonly document: JsonObject;
      readonly leftOut: readonly PointerDiagnostic[];
      readonly leftToCatalog: readonly string[];
    }
  | { readonly refused: { readonly message: string; readonly hint: string } };

export function editRefused({ live, desired }: Divergence, edit: EditRefusal): Diagnostic {
  return {
    code: 'edit-refused',
    severity: 'error',
    message: `${contractLabel(live)} can't be pulled: ${edit.reason}`,
    hint: 'Change the file yourself. `contract-sync plan` shows what differs.',
    source: { file: desired.source.file, line: edit.line, column: 1 },
  };
}

export function changedMeanwhile({ desired: { source } }: Divergence): Diagnostic {
  const message = 'The file changed during the pull.';
  const hint = 'Pull again.';
  return { code: 'file-changed', severity: 'error', message, hint, source };
}

/** Each group of contracts, of one document, edits the text that the one before has left. */
export function restateInTurn(
  part: FilePart,
  groups: Iterable<readonly PlacedDifference[]>,
  options: RestateOptions,
): RestatedPart {
  let { text } = part;
  const pulled: Divergence[] = [];
  const problems: Diagnostic[] = [];
  for (const group of groups) {
    const next = group[0]?.document.format.restate({ ...part, text }, group, options);
    if (!next) continue;
    text = next.text;
    pulled.push(...next.pulled);
    problems.push(...next.problems);
  }
  return { text, pulled, problems };
}

/** As a JSON schema calls them, and as messages do. */
export const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'null',
};

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** `must be text or null, not a list`. */
export function describeMisfit(value: unknown, expected: readonly string[]): string {
  const wanted = expected.map((type) => typeNames[type]).join(' or ');
  const actual = typeof value === 'boolean' ? String(value) : typeNames[typeOf(value)];
  return `must be ${wanted}, not ${actual}`;
}

export function hintForType(value: unknown, expected: readonly string[]): string {
  if (expected.includes('boolean')) {
    // YAML 1.1, which many tools still read, has more words for true and false.
    const isOldWord = typeof value === 'string' && /^(?:yes|no|on|off|y|n)$/iu.test(value);
    return isOldWord
      ? `Write true or false: ${quote(value)} is text in YAML 1.2, and a flag only in YAML 1.1.`
      : 'Write true or false, without quotes.';
  }
  if (expected.includes('array')) return 'Begin each item with a hyphen and a space.';
  if (expected.includes('object')) return 'Write `key: value` for each of its members.';
  if (expected.includes('number'))
    return Number.isNaN(Number(value)) ? 'Write a number.' : 'Write a number, without quotes.';
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? 'Quote it.' : 'Write one text; with `|` it can span several lines.';
}

export function managedOf(fields: JsonObject): JsonObject {
  const managed: { [field: string]: JsonValue } = {};
  for (const field of managedFields)
    if (Object.hasOwn(fields, field)) managed[field] = fields[field] ?? null;
  return managed;
}

/** How many live contracts have each name: one that two share identifies neither. */
export type KnownNames = ReadonlyMap<string, number>;

const readable = ['name+entity.fullyQualifiedName', 'fullyQualifiedName'] as const;

export function countNames(contracts: readonly Identity[]): KnownNames {
  const counts = new Map<string, number>();
  for (const kind of [...readable, 'entity.fullyQualifiedName'] as const) {
    for (const live of contracts) {
      const key = `${kind} ${identityKey(kind, live) ?? ''}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

export function isUnique(names: KnownNames, kind: IdentityKind, identity: Identity): boolean {
  const key = identityKey(kind, identity);
  return key !== undefined && names.get(`${kind} ${key}`) === 1;
}

/** The most readable identity, if it is unique; else the id. */
export function identityFor(live: LiveContract, names: KnownNames): JsonObject {
  const { id, name = '', fullyQualifiedName = '', entity } = live;
  const kind = readable.find((each) => isUnique(names, each, live));
  if (kind === undefined) return { id };
  if (kind === 'fullyQualifiedName') return { fullyQualifiedName };
  const { type, fullyQualifiedName: asset = '' } = entity ?? {};
  return { name, entity: { ...(type !== undefined && { type }), fullyQualifiedName: asset } };
}
