/** States of a contract, so that what the catalog takes for equal is equal. */

import { completeReferences, type Equivalence } from '../contract/equality.ts';
import {
  deepEqual,
  isArray,
  isEmpty,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { type Matching, startMatching } from '../patch/pattern.ts';
import { childAt } from '../patch/pointer.ts';

/**
 * How states are compared: as plans are, but for what a catalog adds by itself. That it may be
 * missing from a file says nothing about two states of the catalog: one may have lost it by an edit.
 */
export type HistoryRules = {
  readonly equivalence: Pick<Equivalence, 'ignore' | 'emptyIsAbsent'>;
  readonly arrays: DiffOptions;
};

/** The states of documents, newest first; what two neighbours share is the same value in both. */
export function comparableStates(
  documents: readonly JsonObject[],
  { equivalence: { ignore, emptyIsAbsent } }: HistoryRules,
): readonly JsonObject[] {
  const at = { matching: startMatching(ignore), emptyIsAbsent };
  const states: JsonObject[] = [];
  for (const [index, document] of documents.entries()) {
    const [raw, state] = [documents[index - 1], states[index - 1]];
    const own = comparableMembers(document, at, raw && state && { raw, comparable: state });
    states.push(state ? inWordsOf(state, own) : own);
  }
  return states;
}

type Comparing = {
  readonly matching: Matching;
  readonly emptyIsAbsent: boolean;
};

/** What stands at the same place in the state after it: most of a contract is as it was. */
type Counterpart = { readonly raw: JsonValue; readonly comparable: JsonValue };

function comparable(value: JsonValue, at: Comparing, after?: Counterpart): JsonValue {
  if (after && deepEqual(value, after.raw)) return after.comparable;
  if (isObject(value)) return comparableMembers(value, at, after);
  return isArray(value) ? comparableElements(value, at, after) : value;
}

/** Without members that are not compared, and without empty ones where they mean nothing. */
function comparableMembers(object: JsonObject, at: Comparing, after?: Counterpart): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(object)) {
    const matching = at.matching.below(name);
    if (matching.isMatch || (at.emptyIsAbsent && isEmpty(value))) continue;
    members.push([name, comparable(value, { ...at, matching }, childOf(after, name))]);
  }
  return Object.fromEntries(members);
}

function childOf(after: Counterpart | undefined, token: string | number): Counterpart | undefined {
  const raw = after && childAt(after.raw, String(token));
  const comparable = after && childAt(after.comparable, String(token));
  return raw === undefined || comparable === undefined ? undefined : { raw, comparable };
}

/** Elements have no names of their own: `*` and `**` alone match them, and then all of them. */
function comparableElements(array: JsonArray, at: Comparing, after?: Counterpart): JsonArray {
  const matching = at.matching.below('');
  if (matching.isMatch) return [];
  const counterpart = counterpartsOf(array, after);
  return array.map((element, index) =>
    comparable(element, { ...at, matching }, childOf(after, counterpart(index))),
  );
}

/** Counted from the start up to the first that differs, and behind it from the end. */
function counterpartsOf(array: JsonArray, after?: Counterpart): (index: number) => number {
  const others = isArray(after?.raw) ? after.raw : [];
  const same = array.findIndex((element, index) => !deepEqual(element, others[index]));
  const shift = others.length - array.length;
  return (index) => (index > same ? index + shift : index);
}

const referenceFields: ReadonlySet<string> = new Set(['owners', 'reviewers']);

/**
 * A state in the words of the one after it. An older snapshot may say less of a person or team than
 * a newer one, and mean the same.
 */
function inWordsOf(after: JsonObject, state: JsonObject): JsonObject {
  const references = Object.entries(state)
    .filter(([field, value]) => referenceFields.has(field) && value !== after[field])
    .map(([field, value]) => [field, completeReferences(after[field], value)] as const);
  return { ...state, ...Object.fromEntries(references) };
}
