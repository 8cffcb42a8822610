import type { Diagnostic, Severity } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { ContractHead, DesiredContract } from './contract.ts';
import { defaultLifecycle, type Lifecycle } from './lifecycle.ts';
import { predictVersions } from './live.ts';
import { InexactNumber } from '../core/number.ts';
import { printable } from '../core/text.ts';
import { labelKeyPath } from '../patch/key-path.ts';

/** How a catalog creates contracts. */
export type Creation = {
  /** What the contract of an asset will be called. */
  readonly nameOf: (asset: string, name: string) => string;
  /** The managed fields of a file in the words of a create request. */
  readonly toWire: (managed: JsonObject) => JsonObject;
  /** What of a file a create request needs, and a patch may leave out. */
  readonly checkRequired: FieldCheck;
};

/** What planning has to know of the kind of catalog that it is for. */
export type Conventions = {
  /** Adds to a contract from the wire what the server leaves out and other members tell. */
  readonly fromWire: <Contract extends ContractHead>(contract: Contract) => Contract;
  /** How contracts are created; absent where they cannot be, as in the interface. */
  readonly creation?: Creation;
  /** Whether a reference counts by its id alone: those of files are looked up. */
  readonly resolvesReferences: boolean;
  /** Whether the assets of contracts can be read, and must have the columns that contracts have. */
  readonly checksColumns: boolean;
  /** What holds where none is configured. */
  readonly lifecycle: Lifecycle;
  /** The versions that a change of these top-level fields may lead to, lowest first: for people. */
  readonly predictVersions: (version: string, changedFields: Iterable<string>) => string[];
  /** What of a file the catalog would refuse, or bend without a word. */
  readonly checkFields: FieldCheck;
  /** What is to be said of a change before it is sent; the pointers lead into the file. */
  readonly checkChange: (live: JsonObject, target: JsonObject) => readonly FieldProblem[];
  /** Whether a `test` compares a top-level field with what answers have for it. */
  readonly isTestable: (field: string) => boolean;
  /** A value of a top-level field as a file would write it. */
  readonly asWritten: (field: string, value: JsonValue) => JsonValue;
  /** What has to go with a change so that it is stored. */
  readonly findCarrier: FindCarrier;
};

/** Something about the fields of a file that its catalog does not take. */
export type FieldProblem = {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly pointer: Pointer;
};

/** What is wrong with fields as a file has them. */
export type FieldCheck = (fields: JsonObject) => readonly FieldProblem[];

/** The problems at their places in the contract's file. */
export function placeProblems(
  problems: readonly FieldProblem[],
  { locate }: Pick<DesiredContract, 'locate'>,
): Diagnostic[] {
  return problems.map(({ pointer, ...problem }) => ({ ...problem, source: locate(pointer) }));
}

/** A status that is none of those. */
export function unknownStatus(
  { entityStatus }: JsonObject,
  statuses: readonly string[],
): FieldProblem[] {
  if (typeof entityStatus !== 'string' || statuses.includes(entityStatus)) return [];
  return [
    {
      code: 'unknown-status',
      severity: 'error',
      message: `Unknown status ${quote(entityStatus)}.`,
      hint: didYouMean(entityStatus, statuses) ?? `The statuses are ${statuses.join(', ')}.`,
      pointer: ['entityStatus'],
    },
  ];
}

/** Whether changes that a catalog forgets may ride on one of the display name. */
export type CarrierSetting = 'displayName' | 'none';

/** A change of one contract, as a catalog's dialect looks at it. */
export type CarriedChange = {
  readonly live: JsonObject;
  readonly target: JsonObject;
  /** The fields that the file manages. */
  readonly managed: JsonObject;
  readonly setting: CarrierSetting;
};

/** What it takes to have a change stored: nothing, another change beside it, or more than we can do. */
export type Carrier =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'field';
      readonly field: string;
      /** Null takes the field out. */
      readonly value: JsonValue;
      readonly reason: string;
    }
  | {
      readonly kind: 'impossible';
      readonly message: string;
      readonly hint: string;
    };

/** Finds what has to go with a change of this catalog. */
type FindCarrier = (change: CarriedChange) => Carrier;

/** What the interface says, and nothing beyond it. */
export const standardConventions: Conventions = {
  fromWire: (contract) => contract,
  resolvesReferences: false,
  checksColumns: false,
  lifecycle: defaultLifecycle,
  predictVersions,
  checkFields: unknownToInterface,
  checkChange: () => [],
  isTestable: () => true,
  asWritten: (_field, value) => value,
  findCarrier: () => ({ kind: 'none' }),
};

/** Fields of a file that the interface (§2.1) does not have. `displayName` is in its §3. */
const beyond = [
  'termsOfUse',
  'security',
  'effectiveFrom',
  'effectiveUntil',
  'sourceUrl',
  'qualityExpectations',
] as const;

function unknownToInterface(fields: JsonObject): FieldProblem[] {
  return beyond
    .filter((field) => Object.hasOwn(fields, field))
    .map((field) => ({
      code: 'field-not-in-interface',
      severity: 'error',
      message: `The documented interface has no field ${quote(field)}.`,
      hint: `Remove it, or set \`catalog.dialect: openmetadata\` if that is what the catalog is.`,
      pointer: [field],
    }));
}

/** The catalog's numbers in a value that a double doesn't hold: nothing that has one is written. */
export function inexactNumbers(
  value: JsonValue | undefined,
  pointer: Pointer = [],
  labelOf: (pointer: Pointer) => string = labelKeyPath,
): FieldProblem[] {
  if (value instanceof InexactNumber) return [inexact(value, pointer, labelOf(pointer))];
  if (!isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([token, child]) =>
    inexactNumbers(child, [...pointer, token], labelOf),
  );
}

function inexact({ text }: InexactNumber, pointer: Pointer, label: string): FieldProblem {
  return {
    code: 'number-inexact',
    severity: 'error',
    message: `\`${label}\` is ${printable(text, 40)} in the catalog, a number that this program can't hold exactly and so never writes.`,
    hint: `Change it in the catalog, best to text, or leave \`${pointer[0]}\` out of the file.`,
    pointer,
  };
}
