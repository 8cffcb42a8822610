import type { FormatRules, Origin } from '../format.ts';
import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { quote } from '../../../core/text.ts';
import { parseIndex, type Pointer } from '../../../patch/pointer.ts';
import type { RestateRules } from '../../../contract/equality.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import { defaultOdcsRules, type OdcsRules, type OdcsSettings } from './settings.ts';
import type { Agreement, CoarseValue } from '../../../contract/contract.ts';

export type MappingScope = OdcsRules & {
  readonly document: PlacedObject;
  /** The object of `schema` whose contract is mapped. */
  readonly object?: PlacedObject | undefined;
  readonly statuses: readonly string[] | undefined;
  readonly report: (diagnostic: PointerDiagnostic) => void;
  readonly text: (parent: PlacedObject, name: string) => Placed<string> | undefined;
  readonly resolve: (text: string, pointer: Pointer) => string;
};

export function makeScope(
  document: PlacedObject,
  { statuses, odcs: { settings, run } = defaultOdcsRules }: FormatRules,
  report: MappingScope['report'] = () => undefined,
): MappingScope {
  const mayVary = hasVariables(document);
  let room = mostAdded;
  const resolve: MappingScope['resolve'] = (whole, pointer) => {
    const { text, missing, added } = resolveVariables(whole, settings.variables, room);
    for (const name of missing) report(unresolved(name, pointer));
    if (added > room) {
      const message = `The variables of this document stand for more than ${mostAdded} characters.`;
      const hint = 'Use shorter values, or fewer variables.';
      report({ code: 'file-too-complex', message, hint, pointer });
    }
    room = Math.max(0, room - added);
    return text;
  };
  return {
    document,
    settings,
    run,
    statuses,
    report,
    resolve,
    text: (parent, name) => {
      const member = textAt(parent, name);
      if (!member || !mayVary) return member;
      return { ...member, value: resolve(member.value, member.pointer) };
    },
  };
}

/** In older versions `${NAME}` is plain text, except in the entries of servers. */
export function hasVariables({ value }: PlacedObject): boolean {
  return (parseOdcsVersion(value['apiVersion'])?.minor ?? 0) >= 2;
}

export type OdcsVersion = { readonly major: number; readonly minor: number };

export function parseOdcsVersion(apiVersion: JsonValue | undefined): OdcsVersion | undefined {
  const match = /^v?(\d+)\.(\d+)(?:\.\d+)?(?![\d.])/u.exec(odcsVersionText(apiVersion));
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined;
}

// Unquoted, `3.1` is a number.
export function odcsVersionText(apiVersion: JsonValue | undefined): string {
  return typeof apiVersion === 'string' || typeof apiVersion === 'number'
    ? String(apiVersion).trim()
    : '';
}

// Characters that the variables of one document may add: as many as a file may have bytes.
const mostAdded = 2 ** 20;

function unresolved(name: string, pointer: Pointer): PointerDiagnostic {
  const message = `The variable ${name} has no value.`;
  const hint = `Set it in \`odcs.variables\`, or write a default: \${${name}:-default}.`;
  return { code: 'variable-unresolved', message, hint, pointer };
}

/**
 * Replaces each `${NAME}` and `${NAME:-default}`; an empty value counts as none. Values that exceed
 * `room` characters in total stay unresolved.
 */
export function resolveVariables(
  text: string,
  variables: OdcsSettings['variables'],
  room = Infinity,
) {
  const missing = new Set<string>();
  let added = 0;
  // No reference starts after the last brace; searching there would be quadratic.
  const end = text.lastIndexOf('}') + 1;
  const resolved = text
    .slice(0, end)
    .replaceAll(reference, (whole: string, name: string, fallback: string | undefined) => {
      const own = Object.hasOwn(variables, name) ? variables[name] : '';
      const value = own || fallback;
      if (value === undefined) missing.add(name);
      added += value?.length ?? 0;
      return value === undefined || added > room ? whole : value;
    });
  return { text: resolved + text.slice(end), missing: [...missing], added };
}

// ODCS 3.2.0, "Variables".
const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/gu;

export type Placed<Value = JsonValue> = { readonly value: Value; readonly pointer: Pointer };

export type PlacedObject = Placed<JsonObject>;
export type PlacedList = Placed<JsonArray>;

/** Null equals absent (ODCS, "null values"). */
export function memberAt({ value, pointer }: PlacedObject, name: string): Placed | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  if (member === undefined || member === null) return undefined;
  return { value: member, pointer: [...pointer, name] };
}

export function textAt(parent: PlacedObject, name: string): Placed<string> | undefined {
  const member = memberAt(parent, name);
  return typeof member?.value === 'string' ? { ...member, value: member.value } : undefined;
}

export function objectAt(parent: PlacedObject, name: string): PlacedObject | undefined {
  const member = memberAt(parent, name);
  return isObject(member?.value) ? { ...member, value: member.value } : undefined;
}

export function listAt(parent: PlacedObject, name: string): PlacedList | undefined {
  const member = memberAt(parent, name);
  return isArray(member?.value) ? { ...member, value: member.value } : undefined;
}

export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

export function objectsIn(list: PlacedList | undefined): PlacedObject[] {
  return (list?.value ?? []).flatMap((value, index) =>
    list && isObject(value) ? [{ value, pointer: [...list.pointer, String(index)] }] : [],
  );
}

export function objectsAt(parent: PlacedObject, name: string): PlacedObject[] {
  return objectsIn(listAt(parent, name));
}

export function reportTwins(
  names: readonly Placed<string>[],
  what: 'objects' | 'properties',
  { report }: MappingScope,
): void {
  // Catalogs identify columns by name, and most sources ignore case.
  const isCaseIgnored = what === 'properties';
  const first = new Map<string, string>();
  for (const { value, pointer } of names) {
    const name = isCaseIgnored ? value.toLowerCase() : value;
    const earlier = first.get(name);
    if (earlier !== undefined) {
      const message = `Two ${what} are called ${quote(value)}.`;
      const spelt =
        earlier === value ? '' : `; ${quote(earlier)} and ${quote(value)} count as the same name`;
      const hint = `Rename or remove one${spelt}.`;
      report({ code: 'duplicate-name', message, hint, pointer });
    }
    first.set(name, earlier ?? value);
  }
}

export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

export type Section = {
  readonly scope: MappingScope;
  readonly live: JsonObject;
  readonly rules: RestateRules;
  readonly differs: (...path: readonly string[]) => boolean;
};

export function withObject(
  { document: { value: document }, object }: MappingScope,
  restated: JsonObject,
): JsonObject {
  const { schema } = document;
  const index = parseIndex(object?.pointer[1] ?? '');
  if (!isArray(schema) || index === undefined) return document;
  return { ...document, schema: schema.with(index, restated) };
}

/**
 * A part of a contract, and the place in the ODCS document that it comes from. One tree holds the
 * contract's fields, their trace and their coarse equalities.
 */
export type Stated<Json extends JsonValue = JsonValue> = {
  readonly from: Pointer;
  /** Below the top level, null removes the live value, which would stay otherwise. */
  readonly json: Json;
  readonly parts: { readonly [token: string]: Stated };
  readonly agrees?: Agreement | undefined;
};

export function stateValue(from: Pointer, json: JsonValue, agrees?: Agreement): Stated {
  return { from, json, parts: {}, agrees };
}

export function stateList(from: Pointer, items: readonly Stated[]): Stated {
  return { from, json: items.map(({ json }) => json), parts: Object.fromEntries(items.entries()) };
}

export function stateGroup(
  from: Pointer,
  members: { readonly [name: string]: Stated | undefined },
  agrees?: Agreement,
): Stated<JsonObject> {
  const stated = Object.entries(members).flatMap(([name, member]) =>
    member ? [[name, member] as const] : [],
  );
  const json = Object.fromEntries(stated.map(([name, member]) => [name, member.json]));
  return { from, json, parts: Object.fromEntries(stated), agrees };
}

export function coarseValues({ agrees, parts }: Stated, pointer: Pointer = []): CoarseValue[] {
  const inside = Object.entries(parts).flatMap(([token, part]) =>
    coarseValues(part, [...pointer, token]),
  );
  return agrees ? [{ pointer, agrees }, ...inside] : inside;
}

export function originIn(trace: Stated, pointer: Pointer): Origin {
  let stated = trace;
  for (const token of pointer) {
    const part = Object.hasOwn(stated.parts, token) ? stated.parts[token] : undefined;
    if (!part) break;
    stated = part;
  }
  const { from } = stated;
  const key = from.findLast((token) => parseIndex(token) === undefined);
  const asked = pointer.at(-1) ?? '';
  const isRenamed = stated !== trace && key !== asked && parseIndex(asked) === undefined;
  return { pointer: from, ...(isRenamed && key !== undefined && { key }) };
}
