/** The properties of an ODCS object as the catalog's columns are. Pure. */

import {
  deepEqual,
  isArray,
  isNothing,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { columnName, isColumn, mapColumn } from '../../files/formats/odcs/columns.ts';
import { kept } from '../../files/formats/odcs/map.ts';
import {
  listAt,
  objectAt,
  type PlacedList,
  type PlacedObject,
} from '../../files/formats/odcs/place.ts';
import { refineByLive } from '../../files/formats/odcs/refine.ts';
import type { MappingScope } from '../../files/formats/odcs/scope.ts';
import { coarseEqualities, statedJson } from '../../files/formats/odcs/stated.ts';
import { composeProperty, constraintFlags, type Writing } from './property.ts';
import { restateType } from './type.ts';

/** By what columns are restated. */
export type ColumnContext = {
  readonly scope: MappingScope;
  readonly writing: Writing;
  /** Whether a column of that name is to be looked at; the others stay as they are. */
  readonly isMeant: (name: string) => boolean;
};

/** An entry of a list of properties; what is no column has no name. */
type Entry = { readonly name?: string | undefined; readonly value: JsonValue };

/** The properties, without those that the catalog does not have, and with what only it has. */
export function restateColumns(
  properties: PlacedList,
  live: readonly JsonObject[],
  context: ColumnContext,
): JsonArray {
  const columns = new Map(live.map((column) => [column['name'], column] as const));
  const entries = properties.value.flatMap((value, index): Entry[] => {
    if (!isObject(value)) return [{ value }];
    const property = { value, pointer: [...properties.pointer, String(index)] };
    const name = nameOf(property, context);
    if (name === undefined || !context.isMeant(name)) return [{ name, value }];
    const column = columns.get(name);
    return column ? [{ name, value: restateProperty(property, column, context) }] : [];
  });
  return withNewColumns(entries, live, context).map(({ value }) => value);
}

function nameOf(property: PlacedObject, { scope }: ColumnContext): string | undefined {
  return isColumn(property, scope) ? columnName(property, scope)?.value : undefined;
}

/** Each behind the column that it stands behind in the catalog. */
function withNewColumns(
  entries: readonly Entry[],
  live: readonly JsonObject[],
  { isMeant, writing }: ColumnContext,
): readonly Entry[] {
  let all = entries;
  let last = -1;
  for (const column of live) {
    const { name } = column;
    if (typeof name !== 'string') continue;
    const known = all.findIndex((entry) => entry.name === name);
    if (known !== -1) last = known;
    else if (isMeant(name)) {
      last += 1;
      all = all.toSpliced(last, 0, { name, value: composeProperty(column, writing) });
    }
  }
  return all;
}

/** A property as the column is, in its own words where these mean the same. */
function restateProperty(
  property: PlacedObject,
  column: JsonObject,
  context: ColumnContext,
): JsonObject {
  const differs = differingMembers(property, column, context);
  const steps: readonly ((value: JsonObject) => JsonObject)[] = [
    (value) => (typeMembers.some(differs) ? restateType(value, column, context.writing) : value),
    (value) => (differs('constraint') ? restateFlags(value, column['constraint']) : value),
    (value) => (differs('description') ? restateDescription(value, column) : value),
    (value) => restateChildren({ ...property, value }, column, context),
  ];
  return steps.reduce((value, step) => step(value), property.value);
}

const typeMembers = ['dataType', 'dataLength', 'precision', 'scale', 'arrayDataType'];

/** The members in which the catalog's column is not what the property comes to. */
function differingMembers(
  property: PlacedObject,
  column: JsonObject,
  { scope }: ColumnContext,
): (member: string) => boolean {
  const name = columnName(property, scope);
  if (!name) return () => false;
  const stated = mapColumn(property, name, scope);
  const coarse = coarseEqualities(stated, ['schema', '0']);
  const { schema } = refineByLive(
    { schema: [statedJson(stated)] },
    { schema: [column] },
    { kept, coarse },
  );
  const refined = isArray(schema) && isObject(schema[0]) ? schema[0] : {};
  return (member) =>
    !(isNothing(refined[member]) && isNothing(column[member])) &&
    !deepEqual(refined[member], column[member]);
}

/** One that is denied stays said: so the file goes on managing it. */
function restateFlags(property: JsonObject, constraint: JsonValue | undefined): JsonObject {
  const flag = constraintFlags.find(([, each]) => each === constraint)?.[0];
  if (flag === undefined && !isNothing(constraint) && constraint !== 'NULL') return property;
  const restated: Record<string, JsonValue> = { ...property };
  for (const [stronger] of constraintFlags) {
    if (stronger === flag) break;
    if (property[stronger] === true) restated[stronger] = false;
  }
  return flag === undefined ? restated : { ...restated, [flag]: true };
}

/** An empty text says that there is none. */
function restateDescription(property: JsonObject, { description }: JsonObject): JsonObject {
  return { ...property, description: description ?? '' };
}

/** The members of an object, or of the objects in an array, where the file states them. */
function restateChildren(
  property: PlacedObject,
  { children }: JsonObject,
  context: ColumnContext,
): JsonObject {
  const items = objectAt(property, 'items');
  const holder = listAt(property, 'properties') ? property : items;
  const properties = holder && listAt(holder, 'properties');
  if (!properties) return property.value;
  const live = isArray(children) ? children.filter(isObject) : [];
  const { properties: _, ...rest } = holder.value;
  const restated =
    live.length === 0
      ? rest
      : {
          ...holder.value,
          properties: restateColumns(properties, live, { ...context, isMeant: () => true }),
        };
  return holder === items ? { ...property.value, items: restated } : restated;
}
