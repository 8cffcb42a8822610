import type { Diagnostic } from '../core/diagnostic.ts';
import { InexactNumber, isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { didYouMean, printable, quote } from '../core/text.ts';
import { labelPointer, type Sides } from '../patch/describe.ts';
import type { Edit } from '../patch/diff.ts';
import type { Patch } from '../patch/evaluate.ts';
import { parsePointer, type Pointer } from '../patch/pointer.ts';
import {
  type ContractHead,
  type DesiredContract,
  formatVersion,
  type PropertyDefinition,
} from './contract.ts';
import { type DiffOptions, labelKeyPath } from '../patch/identity.ts';
import type { Preserved } from '../patch/preserve.ts';

/** Moves that are not listed are blocked. */
export type Lifecycle = {
  readonly statuses: readonly string[];
  readonly transitions: readonly AllowedMove[];
  /** Other words that files may use for statuses; the catalog's own is sent. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Statuses that only later releases have: sent where a file names them, never assumed. */
  readonly later?: readonly string[];
};

export type AllowedMove = {
  readonly from: string;
  readonly to: string;
  readonly rule?: 'allow' | 'warn' | 'block';
};

/** The status by which an unmanaged contract is retired (interface §2.1). */
export const deprecated = 'Deprecated';

/** The interface has statuses (§2.1) and no rule for moves: these make sense. */
export const defaultLifecycle: Lifecycle = {
  statuses: ['Draft', 'Active', deprecated],
  transitions: [
    { from: 'Draft', to: 'Active' },
    { from: 'Active', to: deprecated },
    { from: 'Draft', to: deprecated },
    { from: deprecated, to: 'Active', rule: 'warn' },
  ],
};

/** The configured lifecycle in the words of the catalog, whose own completes it. */
export function adoptLifecycle(configured: Partial<Lifecycle>, own: Lifecycle): Lifecycle {
  const { synonyms } = own;
  const { statuses = own.statuses, transitions = own.transitions } = configured;
  return {
    ...own,
    ...(configured.statuses && { later: [] }),
    statuses: [...new Set(statuses.map((status) => ownStatus(status, synonyms)))],
    transitions: transitions.map((move) => ({
      ...move,
      from: ownStatus(move.from, synonyms),
      to: ownStatus(move.to, synonyms),
    })),
  };
}

/** In the words that files may use. */
export function writableStatuses({ statuses, synonyms = {} }: Lifecycle): readonly string[] {
  const words = Object.keys(synonyms).filter((word) => statuses.includes(synonyms[word] ?? ''));
  return [...statuses, ...words];
}

export function ownStatus(status: string, synonyms: Lifecycle['synonyms'] = {}): string {
  return Object.hasOwn(synonyms, status) ? (synonyms[status] ?? status) : status;
}

// Never the end of use, even if no move leads on.
const inUse: ReadonlySet<string> = new Set(['Draft', 'Active', 'In Review', 'Approved']);
// Always the end of use, whatever moves lead on; in lower case.
const outOfUse: ReadonlySet<string> = new Set(['deprecated', 'retired', 'archived']);

export function endsUse(status: string, lifecycle: Lifecycle): boolean {
  if (outOfUse.has(status.toLowerCase())) return true;
  if (inUse.has(status)) return false;
  const rank = (name: string) => lifecycle.statuses.indexOf(name);
  return nextStatuses(status, lifecycle).every((next) => rank(next) <= rank(status));
}

export function nextStatuses(from: string, lifecycle: Lifecycle): string[] {
  return lifecycle.transitions
    .filter((move) => move.from === from && move.rule !== 'block')
    .map(({ to }) => to);
}

export type Creation = {
  readonly nameOf: (asset: string, name: string) => string;
  readonly toWire: (managed: JsonObject) => JsonObject;
  /** Checks the fields and `name` of a new contract: a patch may leave out what this requires. */
  readonly checkNew: FieldCheck;
};

export type Conventions = {
  /** The product, and its section of the configuration. */
  readonly name: string;
  /** Adds what the server leaves out and other members imply. */
  readonly fromWire: <Contract extends ContractHead>(contract: Contract) => Contract;
  /** A snapshot of the history, in the words of live; what can't be read exactly is as in live. */
  readonly fromVersion: (snapshot: JsonObject, live: JsonObject) => JsonObject;
  /** Absent where contracts can't be created, as in the interface. */
  readonly creation?: Creation;
  readonly resolvesReferences: boolean;
  readonly checksColumns: boolean;
  /** Types of teams that may own a contract; by default all. */
  readonly owningTeams?: readonly string[];
  /** Absent where `extension` may have any property. */
  readonly properties?: PropertyRules;
  /** What the server adds to what it is sent. */
  readonly equivalence: Preserved;
  readonly lifecycle: Lifecycle;
  readonly predictVersions: (
    version: string | undefined,
    changedFields: Iterable<string>,
  ) => string[];
  readonly checkFields: FieldCheck;
  readonly checkChange: (
    live: JsonObject,
    target: JsonObject,
    caller?: TokenOwner,
  ) => readonly FieldProblem[];
  readonly isTestable: (field: string) => boolean;
  /** Whether a move to a path that begins with the text of its source is refused. */
  readonly refusesPrefixMoves: boolean;
  readonly asWritten: (field: string, value: JsonValue) => JsonValue;
  readonly findCarrier: (change: CarriedChange) => Carrier;
};

export type PropertyRules = {
  readonly definedBy: { readonly type: string; readonly name: string };
  readonly asStored: (value: JsonValue, definition: PropertyDefinition) => JsonValue;
  /** Of a value as it is stored. */
  readonly check: (value: JsonValue, definition: PropertyDefinition) => readonly FieldProblem[];
};

/** Whose token it is, with the names of his teams. */
export type TokenOwner = { readonly name: string; readonly teams: readonly string[] };

export type FieldProblem = Omit<Diagnostic, 'source'> & { readonly pointer: Pointer };

export type FieldCheck = (fields: JsonObject) => readonly FieldProblem[];

export function placeProblems(
  problems: readonly FieldProblem[],
  { locate }: Pick<DesiredContract, 'locate'>,
): Diagnostic[] {
  return problems.map(({ pointer, ...problem }) => ({ ...problem, source: locate(pointer) }));
}

export function unknownStatus(
  { entityStatus }: JsonObject,
  statuses: readonly string[],
): FieldProblem[] {
  if (typeof entityStatus !== 'string' || statuses.includes(entityStatus)) return [];
  const message = `Unknown status ${quote(entityStatus)}.`;
  const hint = didYouMean(entityStatus, statuses) ?? `The statuses are ${statuses.join(', ')}.`;
  return [{ code: 'unknown-status', severity: 'error', message, hint, pointer: ['entityStatus'] }];
}

export type CarriedChange = {
  readonly live: JsonObject;
  readonly target: JsonObject;
  readonly managed: JsonObject;
  readonly section: JsonValue | undefined;
};

export type Carrier =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'field';
      readonly field: string;
      /** Null removes the field. */
      readonly value: JsonValue;
      readonly reason: string;
    }
  | { readonly kind: 'impossible'; readonly message: string; readonly hint: string };

export const standardConventions: Conventions = {
  name: 'standard',
  fromWire: (contract) => contract,
  fromVersion: (snapshot) => snapshot,
  resolvesReferences: false,
  checksColumns: false,
  equivalence: {},
  lifecycle: defaultLifecycle,
  predictVersions,
  checkFields: () => [],
  checkChange: () => [],
  isTestable: () => true,
  refusesPrefixMoves: false,
  asWritten: (_field, value) => value,
  findCarrier: () => ({ kind: 'none' }),
};

const majorFields: ReadonlySet<string> = new Set(['entityStatus', 'schema', 'entity']);

/**
 * Lowest first (interface §3). Major and minor fields together are not specified, so both are
 * possible. Only shown to people: servers differ.
 */
function predictVersions(version: string | undefined, changedFields: Iterable<string>) {
  const current = Number(version);
  if (!Number.isFinite(current)) return [];
  const areMajor = new Set(Array.from(changedFields, (field) => majorFields.has(field)));
  return [
    ...(areMajor.has(false) ? [formatVersion(nextMinor(current))] : []),
    ...(areMajor.has(true) ? [formatVersion(Math.floor(current) + 1)] : []),
  ];
}

/**
 * Each change counts as minor, and one that joins an earlier change of the same user as none. The
 * first change of a new contract is a version of its own.
 */
export function predictSmallStep(version: string | undefined): string[] {
  const current = Number(version);
  if (version === undefined || !Number.isFinite(current)) return [];
  const next = formatVersion(nextMinor(current));
  return current <= 0.1 ? [next] : [formatVersion(version), next];
}

function nextMinor(version: number): number {
  return (Math.round(version * 10) + 1) / 10;
}

/** Numbers that a patch or its guard would send with other digits than the catalog's, each once. */
export function inexactAmong(
  { edits, guard, live, target }: Sides & Readonly<{ edits: readonly Edit[]; guard: Patch }>,
  desired: DesiredContract,
  arrays: DiffOptions,
): Diagnostic[] {
  const labelIn = (document: JsonObject) => (place: Pointer) =>
    labelPointer(place, document, arrays);
  const found = [
    ...edits.flatMap(({ operation, desired: pointer }) =>
      'value' in operation ? inexactNumbers(operation.value, pointer, labelIn(target)) : [],
    ),
    ...guard.flatMap((test) =>
      'value' in test && test.value instanceof InexactNumber
        ? inexactNumbers(test.value, parsePointer(test.path), labelIn(live))
        : [],
    ),
  ];
  const each = new Map(found.map((problem) => [problem.message, problem]));
  return placeProblems([...each.values()], desired);
}

/** Numbers that no double holds are never written. */
export function inexactNumbers(
  value: JsonValue | undefined,
  pointer: Pointer = [],
  labelOf: (pointer: Pointer) => string = labelKeyPath,
): FieldProblem[] {
  if (value instanceof InexactNumber) {
    const message = `\`${labelOf(pointer)}\` is ${printable(value.text, 40)} in the catalog, a number that this program can't hold exactly and so never writes.`;
    const hint = `Change it in the catalog, best to text, or leave \`${pointer[0]}\` out of the file.`;
    const code = 'number-inexact';
    return [{ code, severity: 'error', scope: 'contract', message, hint, pointer }];
  }
  if (!isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([token, child]) =>
    inexactNumbers(child, [...pointer, token], labelOf),
  );
}
