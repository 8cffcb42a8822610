import { isArray, isNothing, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { diff, type DiffOptions } from '../patch/diff.ts';
import { restate } from '../patch/restate.ts';
import type { LiveContract } from './contract.ts';
import type { Conventions } from './conventions.ts';
import {
  completeReferences,
  type Equivalence,
  referenceFields,
  targetDocument,
} from './equality.ts';

/** By what it is decided that a file and a live contract say the same. */
export type RestateRules = {
  readonly equivalence: Equivalence;
  readonly arrays: DiffOptions;
  readonly conventions: Pick<Conventions, 'asWritten'>;
};

/**
 * The managed fields as a file has to say them to agree with the live contract, in the file's own
 * words wherever these mean the same. `null`: the catalog holds nothing there.
 */
export function restateFields(
  live: LiveContract,
  managed: JsonObject,
  rules: RestateRules,
): JsonObject {
  const differing = differingFields(live, managed, rules);
  const restated = Object.entries(managed).map(([field, wanted]) => {
    const value = differing.has(field)
      ? restateField(field, live.document[field], wanted, rules)
      : wanted;
    return [field, value] as const;
  });
  return Object.fromEntries(restated);
}

/** The managed fields in which a live contract is not as its file says. */
export function differingFields(
  live: LiveContract,
  managed: JsonObject,
  { equivalence, arrays }: RestateRules,
): ReadonlySet<string> {
  const target = targetDocument(live, managed, equivalence, arrays);
  const edits = diff(live.document, target, arrays);
  return new Set(edits.map((edit) => (edit.desired ?? edit.live ?? [])[0] ?? ''));
}

function restateField(
  field: string,
  live: JsonValue | undefined,
  wanted: JsonValue,
  { equivalence, arrays, conventions }: RestateRules,
): JsonValue {
  if (live === undefined || isNothing(live)) return null;
  if (referenceFields.has(field) && isArray(live)) {
    return restateReferences(live, isArray(wanted) ? wanted : []);
  }
  // A mapping stays one, where the file could have the short form too.
  const value = isObject(wanted) && isObject(live) ? live : conventions.asWritten(field, live);
  const { ignore, serverAdded, defaults = [], emptyIsAbsent } = equivalence;
  const stays = { ignore, fill: serverAdded, defaults, emptyIsAbsent };
  return restate({ [field]: value }, { [field]: wanted }, stays, arrays)[field] ?? null;
}

/** The live references, those that the file has in its words, others by type and name. */
function restateReferences(live: readonly JsonValue[], wanted: readonly JsonValue[]): JsonValue {
  const completed = completeReferences(live, wanted);
  const written = new Map(
    wanted.map((item, index) => [isArray(completed) ? completed[index] : undefined, item]),
  );
  return live.map((item) => written.get(item) ?? referenceTo(item));
}

function referenceTo(item: JsonValue): JsonValue {
  if (!isObject(item)) return item;
  const { id, type, name } = item;
  const known = isNothing(name) ? { type, id } : { type, name };
  const reference: Record<string, JsonValue> = {};
  for (const [member, value] of Object.entries(known)) {
    if (value !== undefined && value !== null) reference[member] = value;
  }
  return Object.keys(reference).length === 0 ? item : reference;
}
