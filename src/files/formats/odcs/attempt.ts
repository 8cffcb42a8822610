/** Tries to bring one field of an ODCS document to the catalog's value. Pure. */

import { targetDocument } from '../../../contract/equality.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import {
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { diff } from '../../../patch/diff.ts';
import { diffByPlace, type Difference } from '../../../patch/describe.ts';
import type { Operation } from '../../../patch/operation.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../../../patch/pointer.ts';
import { type Divergence, type FileChecks, noticesOf } from '../format.ts';
import type { editYaml } from '../../edit/edit.ts';
import { managedOf } from '../desired.ts';
import { restateProperties } from './columns.ts';
import { restateDescription } from './description.ts';
import { mapOdcs, type MappedContract } from './map.ts';
import { refineByLive } from './refine.ts';
import { hasVariables, listAt, makeScope, objectsIn, type Section } from './scope.ts';
import { defaultOdcsRules } from './settings.ts';
import { restateSla } from './sla.ts';
import { restateStatus } from './status.ts';

export type OdcsSubject = Compared & {
  readonly difference: Divergence;
  readonly index: number;
  readonly siblings: readonly Sibling[];
  readonly edit: typeof editYaml;
};

export type Sibling = Pick<Compared, 'pointer' | 'difference'>;

export type OdcsState = {
  readonly text: string;
  readonly document: JsonObject;
  readonly notices: readonly Diagnostic[];
};

export type Reason =
  | { readonly kind: 'no-words' }
  | { readonly kind: 'variable' }
  /** The document states it once for several objects whose live values differ. */
  | { readonly kind: 'shared' }
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string };

type Trial = {
  readonly subject: OdcsSubject;
  readonly before: Standing;
  readonly isMeant: (column: string) => boolean;
};

export function attempt(state: OdcsState, field: string, trial: Trial): OdcsState | Reason {
  const { subject, before } = trial;
  const next = restate(state.document, field, trial);
  const edits = diff(state.document, next, { keys });
  const patch = edits.map(({ operation }) => operation);
  if (patch.some((operation) => touchesVariable(state.document, operation)))
    return { kind: 'variable' };
  const after = standingIn(next, subject);
  const { check = () => [] } = subject.checks;
  const isSound = after && !check(after.managed).some(({ severity }) => severity === 'error');
  const former = new Set(before.differences.map(({ place }) => place));
  const isBetter =
    isSound &&
    after.differences.length < before.differences.length &&
    after.differences.every(({ place }) => former.has(place));
  if (!isBetter) return { kind: 'no-words' };
  if (isAgainstSiblings(state.document, next, field, subject)) return { kind: 'shared' };
  const edit = subject.edit(state.text, patch, { document: subject.index });
  if (edit.kind === 'refused') return edit;
  const notices = noticesOf(subject.difference.desired.source.file, edit);
  return { text: edit.text, document: next, notices: [...state.notices, ...notices] };
}

// An entry keeps its identity when its value changes.
const keys = { slaProperties: ['property'] };

const restatements: { readonly [field: string]: (section: Section) => JsonObject } = {
  entityStatus: restateStatus,
  description: restateDescription,
  schema: restateProperties,
  sla: restateSla,
};

function restate(document: JsonObject, field: string, { subject, before, isMeant }: Trial) {
  const { statuses, odcs = defaultOdcsRules } = subject.checks;
  const placed = { value: document, pointer: [] };
  const scope = makeScope(placed, odcs.settings, { ...odcs.run, statuses }, () => undefined);
  const { live, rules } = subject.difference;
  const { trace, pointer } = before.contract;
  const section = {
    scope,
    trace,
    object: objectsIn(listAt(scope.document, 'schema')).find((each) =>
      deepEqual(each.pointer, pointer),
    ),
    live: live.document,
    rules,
    differs: (...path: readonly string[]) => differsIn(before, ...path),
    isMeant,
  };
  return restatements[field]?.(section) ?? document;
}

// A variable may have other values in other environments, so its text is never edited.
function touchesVariable(document: JsonObject, operation: Operation): boolean {
  if (operation.op === 'add' || operation.op === 'test') return false;
  if (!hasVariables({ value: document, pointer: [] })) return false;
  const place = 'from' in operation ? operation.from : operation.path;
  return holdsVariable(valueAt(document, parsePointer(place) ?? []));
}

function holdsVariable(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return /\$\{[A-Za-z_]/u.test(value);
  if (isArray(value)) return value.some(holdsVariable);
  return isObject(value) && Object.values(value).some(holdsVariable);
}

function isAgainstSiblings(
  before: JsonObject,
  after: JsonObject,
  field: string,
  { siblings, checks }: OdcsSubject,
): boolean {
  return siblings.some((sibling) => {
    const place = formatPointer(sibling.pointer);
    const [former, later] = [before, after].map((each) => mappedIn(each, checks).get(place));
    if (!former || !later) return former !== later;
    const [said = null, says = null] = [former.fields[field], later.fields[field]];
    if (deepEqual(said, says)) return false;
    const standing = standingIn(after, { ...sibling, checks });
    return standing !== undefined && differsIn(standing, field);
  });
}

export type Standing = {
  readonly contract: MappedContract;
  readonly managed: JsonObject;
  /** From live to what the document says. */
  readonly differences: readonly Difference[];
};

type Compared = {
  readonly pointer: Pointer;
  readonly difference: Pick<Divergence, 'live' | 'rules'>;
  readonly checks: FileChecks;
};

type MappedContracts = ReadonlyMap<string, MappedContract>;

// Mapping a document takes a while, and it is needed once for each contract and field.
const mapped = new WeakMap<JsonObject, { of: FileChecks['odcs']; contracts: MappedContracts }>();

function mappedIn(document: JsonObject, { statuses, odcs }: FileChecks): MappedContracts {
  const known = mapped.get(document);
  if (known && known.of === odcs) return known.contracts;
  const { settings, run } = odcs ?? defaultOdcsRules;
  const { contracts, diagnostics } = mapOdcs(document, settings, { ...run, statuses });
  const isBroken = diagnostics.some(({ severity = 'error' }) => severity === 'error');
  const byPointer = new Map(
    (isBroken ? [] : contracts).map((each) => [formatPointer(each.pointer), each] as const),
  );
  mapped.set(document, { of: odcs, contracts: byPointer });
  return byPointer;
}

export function standingIn(
  document: JsonObject,
  { pointer, difference: { live, rules }, checks }: Compared,
): Standing | undefined {
  const contract = mappedIn(document, checks).get(formatPointer(pointer));
  if (!contract) return undefined;
  const managed = refineByLive(managedOf(contract.fields), live.document, contract.coarse);
  const target = targetDocument(live, managed, rules.equivalence, rules.arrays);
  return { contract, managed, differences: diffByPlace(live.document, target, rules.arrays) };
}

export function differsIn({ differences }: Standing, ...path: readonly string[]): boolean {
  const asked = formatPointer(path);
  return differences.some(({ place }) => isWithin(place, asked) || isWithin(asked, place));
}

function isWithin(place: string, container: string): boolean {
  return place === container || place.startsWith(`${container}/`);
}
