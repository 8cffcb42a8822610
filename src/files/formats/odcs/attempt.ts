/** One field of an ODCS document brought to what the catalog holds, if that can be. Pure. */

import { type RestateRules, targetDocument } from '../../../contract/equality.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import {
  deepEqual,
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { diff } from '../../../patch/diff.ts';
import { diffByPlace, type Difference } from '../../../patch/difference.ts';
import type { Operation } from '../../../patch/operation.ts';
import {
  formatPointer,
  parseIndex,
  parsePointer,
  type Pointer,
  valueAt,
} from '../../../patch/pointer.ts';
import { type Divergence, type FileChecks, noticesOf } from '../format.ts';
import type { editYaml } from '../../edit/edit.ts';
import { managedOf } from '../desired.ts';
import { restateColumns } from './columns.ts';
import { describesItself, type DescriptionParts, splitDescription } from './description.ts';
import { parseOdcsVersion } from './detect.ts';
import { mapOdcs, type MappedContract } from './map.ts';
import { refineByLive, sourceOf } from './refine.ts';
import {
  hasVariables,
  listAt,
  makeScope,
  type MappingScope,
  objectsIn,
  type PlacedObject,
} from './scope.ts';
import { defaultOdcsRules } from './settings.ts';
import { restateSla } from './sla.ts';
import { statusWord } from './status.ts';
import { sampleTypeOf } from './type.ts';

export type OdcsSubject = Compared & {
  readonly difference: Divergence;
  /** Of the document among those of the file. */
  readonly index: number;
  readonly siblings: readonly Sibling[];
  /** Edits the text of the document at once, or takes note of what to edit. */
  readonly edit: typeof editYaml;
};

export type Sibling = Pick<Compared, 'pointer' | 'difference'>;

/** A document between two sections. */
export type OdcsState = {
  readonly text: string;
  readonly document: JsonObject;
  readonly notices: readonly Diagnostic[];
};

/** Why a field stays as the file says. */
export type Reason =
  | { readonly kind: 'no-words' }
  | { readonly kind: 'variable' }
  /** The document says it for several objects, and the catalog has it in several ways. */
  | { readonly kind: 'shared' }
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string };

type Trial = {
  readonly subject: OdcsSubject;
  readonly before: Standing;
  /** Whether a column of that name is to be looked at. */
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
  if (!isSound || !isBetter(before, after)) return { kind: 'no-words' };
  if (isAgainstSiblings(state.document, next, field, subject)) return { kind: 'shared' };
  const edit = subject.edit(state.text, patch, { document: subject.index });
  if (edit.kind === 'refused') return edit;
  const notices = noticesOf(subject.difference.desired.source.file, edit);
  return { text: edit.text, document: next, notices: [...state.notices, ...notices] };
}

/** An entry whose value changes is the same entry. */
const keys = { slaProperties: ['property'] };

function restate(document: JsonObject, field: string, { subject, before, isMeant }: Trial) {
  const { settings, run } = subject.checks.odcs ?? defaultOdcsRules;
  const { statuses } = subject.checks;
  const scope = makeScope(
    { value: document, pointer: [] },
    settings,
    { ...run, statuses },
    () => undefined,
  );
  return restateSection(field, {
    scope,
    contract: before.contract,
    object: objectAt(scope.document, before),
    live: subject.difference.live.document,
    rules: subject.difference.rules,
    differs: (...path) => differsIn(before, ...path),
    isMeant,
  });
}

function objectAt(document: PlacedObject, { contract }: Standing): PlacedObject | undefined {
  const place = formatPointer(contract.pointer);
  return objectsIn(listAt(document, 'schema')).find(
    (each) => formatPointer(each.pointer) === place,
  );
}

/** A variable stands for more than the value that it has here. */
function touchesVariable(document: JsonObject, operation: Operation): boolean {
  if (operation.op === 'add' || operation.op === 'test') return false;
  if (!hasVariables({ value: document, pointer: [] })) return false;
  const place =
    operation.op === 'replace' || operation.op === 'remove' ? operation.path : operation.from;
  return holdsVariable(valueAt(document, parsePointer(place) ?? []));
}

function holdsVariable(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return /\$\{[A-Za-z_]/u.test(value);
  if (isArray(value)) return value.some(holdsVariable);
  return isObject(value) && Object.values(value).some(holdsVariable);
}

/** Whether the document says the field for another object too, for which it would be wrong now. */
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

/** A contract of a document beside its live one. */
export type Standing = {
  readonly contract: MappedContract;
  /** As it asks the catalog for them. */
  readonly managed: JsonObject;
  /** From what is live to what the document says. */
  readonly differences: readonly Difference[];
};

type Compared = {
  readonly pointer: Pointer;
  readonly difference: Pick<Divergence, 'live' | 'rules'>;
  readonly checks: FileChecks;
};

type MappedContracts = ReadonlyMap<string, MappedContract>;

/** A document is asked about once for each contract and field, and mapping it takes a while. */
const mapped = new WeakMap<JsonObject, { of: FileChecks['odcs']; contracts: MappedContracts }>();

/** The contracts of a document by their pointers; none where it has errors. */
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

/** Whether the document says a field, or a member of it, otherwise than the catalog. */
export function differsIn({ differences }: Standing, ...path: readonly string[]): boolean {
  const asked = formatPointer(path);
  return differences.some(({ place }) => isWithin(place, asked) || isWithin(asked, place));
}

function isWithin(place: string, container: string): boolean {
  return place === container || place.startsWith(`${container}/`);
}

/** Whether something of what differed does no more, and nothing differs now that did not. */
function isBetter(before: Standing, after: Standing): boolean {
  const former = new Set(before.differences.map(({ place }) => place));
  const isNew = after.differences.some(({ place }) => !former.has(place));
  return !isNew && after.differences.length < before.differences.length;
}

/** A document, and the object of it whose contract is brought to what the catalog holds. */
type OdcsSection = {
  readonly scope: MappingScope;
  readonly contract: MappedContract;
  /** Absent for a document without any. */
  readonly object: PlacedObject | undefined;
  readonly live: JsonObject;
  readonly rules: Pick<RestateRules, 'equivalence'>;
  /** Whether the file differs from the catalog in the member of a field. */
  readonly differs: (field: string, member: string) => boolean;
  /** Whether a column of that name is to be looked at. */
  readonly isMeant: (column: string) => boolean;
};

function restateSection(field: string, section: OdcsSection): JsonObject {
  switch (field) {
    case 'entityStatus':
      return restateStatus(section);
    case 'description':
      return restateDescription(section);
    case 'schema':
      return restateObject(section);
    case 'sla':
      return restateSlaProperties(section);
    default:
      return section.scope.document.value;
  }
}

function restateStatus({ scope, rules, live: { entityStatus } }: OdcsSection): JsonObject {
  const document = scope.document.value;
  const word = statusWord(entityStatus, rules, scope);
  if (word === undefined) return document;
  const former = document['status'];
  const isCapital = typeof former === 'string' && /^\p{Lu}/u.test(former);
  return { ...document, status: isCapital ? word.slice(0, 1).toUpperCase() + word.slice(1) : word };
}

function restateDescription(section: OdcsSection): JsonObject {
  const { scope, object, live } = section;
  const document = scope.document.value;
  const text = typeof live['description'] === 'string' ? live['description'] : '';
  const isObjects =
    !describesItself(scope.document) && typeof object?.value['description'] === 'string';
  if (isObjects) return withObject(section, { ...object.value, description: text });
  const { description } = document;
  return { ...document, description: isObject(description) ? partsOf(text, description) : text };
}

const partNames = ['purpose', 'limitations', 'usage'] as const;

/** The only part that is said stays the only one, unless the text has more. */
function partsOf(text: string, former: JsonObject): JsonObject {
  const parts: Partial<DescriptionParts> = splitDescription(text);
  const [said, another] = partNames.filter((name) => !isNothing(former[name]));
  const isOne = said !== undefined && another === undefined && Object.keys(parts).length === 1;
  const restated: Partial<DescriptionParts> = isOne ? { [said]: text } : parts;
  const stay = Object.entries(former).filter(
    ([name]) => !partNames.some((part) => part === name) || Object.hasOwn(restated, name),
  );
  return { ...Object.fromEntries(stay), ...restated };
}

function withObject({ scope, contract }: OdcsSection, object: JsonObject): JsonObject {
  const document = scope.document.value;
  const { schema } = document;
  const index = parseIndex(contract.pointer[1] ?? '');
  if (!isArray(schema) || index === undefined) return document;
  return { ...document, schema: schema.with(index, object) };
}

function restateObject(section: OdcsSection): JsonObject {
  const { scope, object, live, isMeant } = section;
  const properties = object && listAt(object, 'properties');
  if (!properties) return scope.document.value;
  const { schema } = live;
  const columns = isArray(schema) ? schema.filter(isObject) : [];
  const sampleType = sampleTypeOf(properties.value);
  const writing = { minor: minorOf(scope), ...(sampleType !== undefined && { sampleType }) };
  const restated = restateColumns(properties, columns, { scope, writing, isMeant });
  return withObject(section, { ...object.value, properties: restated });
}

function minorOf({ document }: MappingScope): number {
  return parseOdcsVersion(document.value['apiVersion'])?.minor ?? 0;
}

function restateSlaProperties({ scope, object, contract, live, differs }: OdcsSection): JsonObject {
  const document = scope.document.value;
  const { slaProperties } = document;
  if (!isArray(slaProperties)) return document;
  const objects = objectsIn(listAt(scope.document, 'schema'));
  const name: JsonValue | undefined = object?.value['name'];
  const restated = restateSla(slaProperties, isObject(live['sla']) ? live['sla'] : {}, {
    scope,
    object,
    ...(objects.length > 1 && typeof name === 'string' && { element: name }),
    differs: (member) => differs('sla', member),
    entryOf: (member) => {
      const [list, index = ''] = sourceOf(contract.trace, ['sla', member]).pointer;
      return list === 'slaProperties' ? parseIndex(index) : undefined;
    },
  });
  return { ...document, slaProperties: restated };
}
