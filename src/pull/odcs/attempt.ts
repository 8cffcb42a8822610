/** One field of an ODCS document brought to what the catalog holds, if that can be. Pure. */

import type { Diagnostic } from '../../core/diagnostic.ts';
import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { editYaml } from '../../files/edit/edit.ts';
import { objectsIn, listAt, type PlacedObject } from '../../files/formats/odcs/place.ts';
import { hasVariables, makeScope } from '../../files/formats/odcs/scope.ts';
import { defaultOdcsRules } from '../../files/formats/odcs/settings.ts';
import { diff } from '../../patch/diff.ts';
import type { Operation } from '../../patch/operation.ts';
import { formatPointer, parsePointer, valueAt } from '../../patch/pointer.ts';
import type { Divergence } from '../divergence.ts';
import { noticesOf } from '../told.ts';
import { restateSection } from './sections.ts';
import {
  type Compared,
  differsIn,
  isBetter,
  mappedIn,
  type Standing,
  standingIn,
} from './standing.ts';

/** What is turned: one contract of a document, beside the others that the document declares. */
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

/** The document with the field as the catalog has it, or why that can't be. */
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
