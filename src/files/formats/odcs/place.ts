import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import type { Pointer } from '../../../patch/pointer.ts';

/** A value of an ODCS document, and where it stands there. */
export type Placed<Value = JsonValue> = { readonly value: Value; readonly pointer: Pointer };

export type PlacedObject = Placed<JsonObject>;
export type PlacedList = Placed<JsonArray>;

/** A member that is stated; null is as good as absent (ODCS, "null values"). */
export function memberAt({ value, pointer }: PlacedObject, name: string): Placed | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  if (member === undefined || member === null) return undefined;
  return { value: member, pointer: [...pointer, name] };
}

/** A member that holds text. */
export function textAt(parent: PlacedObject, name: string): Placed<string> | undefined {
  const member = memberAt(parent, name);
  return typeof member?.value === 'string' ? { ...member, value: member.value } : undefined;
}

/** A member that is true or false. */
export function flagAt(parent: PlacedObject, name: string): Placed<boolean> | undefined {
  const member = memberAt(parent, name);
  return typeof member?.value === 'boolean' ? { ...member, value: member.value } : undefined;
}

/** A member that is a mapping. */
export function objectAt(parent: PlacedObject, name: string): PlacedObject | undefined {
  const member = memberAt(parent, name);
  return isObject(member?.value) ? { ...member, value: member.value } : undefined;
}

/** A member that is a list. */
export function listAt(parent: PlacedObject, name: string): PlacedList | undefined {
  const member = memberAt(parent, name);
  return isArray(member?.value) ? { ...member, value: member.value } : undefined;
}

/** The mappings of a list. */
export function objectsIn(list: PlacedList | undefined): PlacedObject[] {
  return (list?.value ?? []).flatMap((value, index) =>
    list && isObject(value) ? [{ value, pointer: [...list.pointer, String(index)] }] : [],
  );
}

/** A text, a number or a flag as text; an empty one says nothing. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
