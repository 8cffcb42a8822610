import {
  coarseValues,
  listAt,
  type MappingScope,
  memberAt,
  objectAt,
  objectsIn,
  objectsOf,
  parseOdcsVersion,
  type Placed,
  type PlacedList,
  type PlacedObject,
  reportTwins,
  type Section,
  type Stated,
  stateGroup,
  stateList,
  stateValue,
  textAt,
  withObject,
} from './scope.ts';
import { composeType, mapType, restateType } from './type.ts';
import {
  deepEqual,
  isArray,
  isEmpty,
  isNothing,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { formatPointer, type Pointer } from '../../../patch/pointer.ts';
import { typeDetails, withUnstated } from '../../../contract/equality.ts';
import { evaluate, type Operation } from '../../../patch/evaluate.ts';

export function mapColumns(properties: PlacedList, scope: MappingScope): Stated {
  const names: Placed<string>[] = [];
  const stated: Stated[] = [];
  for (const property of objectsIn(properties)) {
    if (!isColumn(property, scope)) continue;
    const name = columnName(property, scope);
    if (name) {
      names.push(name);
      stated.push(mapColumn(property, name, scope));
    } else if (memberAt(property, 'name') === undefined) {
      const message = 'The property has no name.';
      const hint = 'Give it the `name` of its column.';
      scope.report({ code: 'name-missing', message, hint, pointer: property.pointer });
    }
  }
  reportTwins(names, 'properties', scope);
  return stateList(properties.pointer, stated);
}

// A measure is calculated at query time, and so is a dimension without a type in the source.
function isColumn(property: PlacedObject, scope: MappingScope): boolean {
  const role = scope.text(property, 'semanticType');
  const isCalculated =
    role?.value === 'measure' ||
    (role?.value === 'dimension' &&
      memberAt(property, 'transformLogic') !== undefined &&
      memberAt(property, 'physicalType') === undefined);
  if (!role || !isCalculated) return true;
  const message = `A ${role.value} isn't a column of the source: left out.`;
  scope.report({ code: 'not-a-column', severity: 'information', message, pointer: role.pointer });
  return false;
}

function columnName(property: PlacedObject, scope: MappingScope): Placed<string> | undefined {
  const name = scope.text(property, 'name');
  if (scope.settings.columnName !== 'physical') return name;
  return scope.text(property, 'physicalName') ?? name;
}

function mapColumn(property: PlacedObject, name: Placed<string>, scope: MappingScope): Stated {
  const children = childrenAt(property);
  const description = scope.text(property, 'description');
  return stateGroup(property.pointer, {
    name: stateValue(name.pointer, name.value),
    ...mapType(property, scope),
    constraint: mapConstraint(property),
    description: description && stateValue(description.pointer, description.value || null),
    children: children && mapColumns(children, scope),
    tags: mapTags(property, scope),
  });
}

/** The members of an object, or of the objects in an array. */
function childrenAt(property: PlacedObject): PlacedList | undefined {
  const items = objectAt(property, 'items');
  return listAt(property, 'properties') ?? (items && listAt(items, 'properties'));
}

function mapTags(property: PlacedObject, { settings }: MappingScope): Stated | undefined {
  const list = listAt(property, 'tags');
  if (!list || !settings.fields.includes('tags')) return undefined;
  const tags = list.value.map((name, index) => {
    const pointer = [...list.pointer, String(index)];
    return stateGroup(pointer, { tagFQN: stateValue(pointer, name) });
  });
  return tags.length > 0 ? stateList(list.pointer, tags) : stateValue(list.pointer, null, [[]]);
}

function namesOfTags({ tags }: JsonObject): JsonArray {
  return objectsOf(tags).flatMap(({ tagFQN }) => tagFQN ?? []);
}

// A false flag removes the constraint; `NULL` does so too.
function mapConstraint(property: PlacedObject): Stated | undefined {
  let denied: Pointer | undefined;
  for (const [key, constraint] of constraintFlags) {
    const flag = memberAt(property, key);
    if (flag?.value === true) return stateValue(flag.pointer, constraint);
    if (flag?.value === false) denied ??= flag.pointer;
  }
  return denied && stateValue(denied, null, ['NULL']);
}

type ColumnContext = {
  readonly scope: MappingScope;
  /** The minor version of ODCS 3. */
  readonly minor: number;
};

export function restateProperties(section: Section): JsonObject {
  const { scope, live } = section;
  const { object } = scope;
  const properties = object && listAt(object, 'properties');
  if (!properties) return scope.document.value;
  const { minor = 0 } = parseOdcsVersion(scope.document.value['apiVersion']) ?? {};
  const restated = restateColumns(properties, objectsOf(live['schema']), { scope, minor });
  return withObject(scope, { ...object.value, properties: restated });
}

function restateColumns(
  properties: PlacedList,
  live: readonly JsonObject[],
  context: ColumnContext,
): JsonArray {
  const { scope } = context;
  const columns = new Map(live.map((column) => [column['name'], column] as const));
  const entries: { readonly name?: string | undefined; readonly value: JsonValue }[] = [];
  for (const property of objectsIn(properties)) {
    const placed = isColumn(property, scope) ? columnName(property, scope) : undefined;
    const name = placed?.value;
    const column = columns.get(name ?? null);
    if (!placed) entries.push({ name, value: property.value });
    else if (column)
      entries.push({ name, value: restateProperty(property, placed, column, context) });
  }
  // A new column goes behind the one that it stands behind.
  let last = -1;
  for (const column of live) {
    const { name } = column;
    if (typeof name !== 'string') continue;
    const known = entries.findIndex((entry) => entry.name === name);
    if (known !== -1) last = known;
    else {
      last += 1;
      entries.splice(last, 0, { name, value: composeProperty(column, context) });
    }
  }
  return entries.map(({ value }) => value);
}

function restateProperty(
  property: PlacedObject,
  name: Placed<string>,
  column: JsonObject,
  context: ColumnContext,
): JsonObject {
  const stated = mapColumn(property, name, context.scope);
  const coarse = coarseValues(stated, ['schema', '0']);
  const own = { managed: { schema: [stated.json] }, coarse };
  const { schema } = withUnstated(own, { schema: [column] });
  const whole = isArray(schema) && isObject(schema[0]) ? schema[0] : {};
  const differs = (member: string): boolean =>
    !(isNothing(whole[member]) && isNothing(column[member])) &&
    !deepEqual(whole[member], column[member]);
  let { value } = property;
  if (['dataType', ...typeDetails].some(differs)) {
    value = restateType(value, column, context.minor);
  }
  if (differs('constraint')) value = restateFlags(value, column['constraint']);
  if (differs('description')) value = { ...value, description: column['description'] ?? '' };
  if (differs('tags')) value = { ...value, tags: namesOfTags(column) };
  return restateChildren({ ...property, value }, column, context);
}

// A flag that is false stays in the file, so that the file goes on managing it.
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

function restateChildren(property: PlacedObject, { children }: JsonObject, context: ColumnContext) {
  const items = objectAt(property, 'items');
  const holder = listAt(property, 'properties') ? property : items;
  const properties = holder && listAt(holder, 'properties');
  if (!properties) return property.value;
  const live = objectsOf(children);
  const { properties: _, ...rest } = holder.value;
  const columns = restateColumns(properties, live, context);
  const restated = live.length === 0 ? rest : { ...holder.value, properties: columns };
  return holder === items ? { ...property.value, items: restated } : restated;
}

export function composeProperty(column: JsonObject, context: ColumnContext): JsonObject {
  const { scope, minor } = context;
  const { name = null, description, constraint, arrayDataType, dataType } = column;
  const flag = constraintFlags.find(([, each]) => each === constraint)?.[0];
  const properties = objectsOf(column['children']).map((child) => composeProperty(child, context));
  const members = properties.length > 0 ? { properties } : {};
  const items = { ...composeType({ dataType: arrayDataType ?? null }, minor), ...members };
  const tags = scope.settings.fields.includes('tags') ? namesOfTags(column) : [];
  return {
    name,
    ...composeType(column, minor),
    ...(flag !== undefined && { [flag]: true }),
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(tags.length > 0 && { tags }),
    ...(dataType === 'ARRAY' ? Object.keys(items).length > 0 && { items } : members),
  };
}

// The strongest first.
const constraintFlags = [
  ['primaryKey', 'PRIMARY_KEY'],
  ['unique', 'UNIQUE'],
  ['required', 'NOT_NULL'],
] as const;

/** What a rule can be about, and the `column` by which the catalog tells it. */
type Element = { readonly element: PlacedObject; readonly column?: string | undefined };

/** One list, as a catalog's own import makes it of the rules wherever they stand. */
export function mapQuality(scope: MappingScope): Stated | undefined {
  const rules: Stated[] = [];
  let first: PlacedList | undefined;
  for (const { element, column } of elementsIn(scope)) {
    const list = listAt(element, 'quality');
    first ??= list;
    for (const rule of objectsIn(list)) rules.push(mapRule(rule, column));
  }
  return first && stateList(first.pointer, rules);
}

function elementsIn(scope: MappingScope): readonly Element[] {
  const { document, object } = scope;
  if (!object) return [{ element: document }];
  return [
    { element: document },
    { element: object, column: textAt(object, 'name')?.value },
    ...columnsBelow(object, scope),
  ];
}

function columnsBelow(parent: PlacedObject, scope: MappingScope): readonly Element[] {
  return objectsIn(childrenAt(parent)).flatMap((property) => [
    { element: property, column: columnName(property, scope)?.value },
    ...columnsBelow(property, scope),
  ]);
}

function mapRule({ value, pointer }: PlacedObject, column: string | undefined): Stated {
  const stated = Object.entries(value)
    .filter(([member]) => isKept(value, member))
    .map(([member, each]) => [member, stateValue([...pointer, member], each)] as const);
  const members = Object.fromEntries(stated);
  if (column === undefined || members['column'] !== undefined) return stateGroup(pointer, members);
  return stateGroup(pointer, { ...members, column: stateValue(pointer, column) });
}

/** The catalog refuses a rule with a list of `customProperties`, or with structured vendor code. */
export function isKept(rule: JsonObject, member: string): boolean {
  const { [member]: value = null } = rule;
  if (member === 'customProperties' && isArray(value)) return false;
  return value !== null && !(member === 'implementation' && typeof value === 'object');
}

/** Each rule goes to what it is about: to the object if that isn't in the file. */
export function restateQuality(scope: MappingScope, live: JsonObject): JsonObject {
  const document = scope.document.value;
  const elements = elementsIn(scope);
  const object = elements[1] ?? elements[0];
  // ODCS has no rules of the document, but files that a catalog exports do.
  const general = Object.hasOwn(document, 'quality') ? elements[0] : object;
  const rules = objectsOf(live['odcsQualityRules']);
  const placed = Map.groupBy(rules, ({ column }) =>
    column === undefined ? general : (elements.find((each) => each.column === column) ?? object),
  );
  const patch = elements.flatMap((each): Operation[] => {
    const former = listAt(each.element, 'quality');
    const own = placed.get(each) ?? [];
    if (!former && own.length === 0) return [];
    const value = restateRules(own, objectsIn(former), each.column);
    return [{ op: 'add', path: formatPointer([...each.element.pointer, 'quality']), value }];
  });
  const restated = evaluate(document, patch);
  return isObject(restated) ? restated : document;
}

// A written rule is one live rule's alone, and first of all that of the one which says the same.
function restateRules(
  live: readonly JsonObject[],
  written: readonly PlacedObject[],
  column: string | undefined,
): JsonObject[] {
  const left = written.map(({ value }) => value);
  const take = (isMeant: (rule: JsonObject) => boolean): JsonObject | undefined => {
    const index = left.findIndex((rule) => isMeant(rule));
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const whole = live.map((rule) =>
    take((each) => deepEqual(essenceOf({ column: column ?? null, ...each }), essenceOf(rule))),
  );
  return live.map((rule, index) => {
    const namesake = () => take((each) => deepEqual(nameOf(each), nameOf(rule)));
    return whole[index] ?? restateRule(rule, namesake() ?? {}, column);
  });
}

function restateRule(live: JsonObject, same: JsonObject, column: string | undefined): JsonObject {
  const stated = Object.entries(live).filter(([member, value]) =>
    member === 'column' ? value !== column : !isEmpty(value) || Object.hasOwn(same, member),
  );
  const left = Object.entries(same).filter(([member]) => !isKept(same, member));
  return Object.fromEntries([...stated, ...left]);
}

function nameOf({ id, name, metric, rule, query }: JsonObject): JsonValue | undefined {
  return id ?? name ?? metric ?? rule ?? query;
}

// Without what the server adds to a rule by itself.
function essenceOf(rule: JsonObject): JsonObject {
  const members = Object.entries(rule).filter(
    ([member, value]) =>
      isKept(rule, member) && !isEmpty(value) && !(member === 'type' && value === 'library'),
  );
  return Object.fromEntries(members);
}
