import {
  deepEqual,
  isArray,
  isEmpty,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { evaluate, type Operation } from '../../../patch/evaluate.ts';
import { formatPointer } from '../../../patch/pointer.ts';
import { childrenAt, columnName } from './columns.ts';
import {
  listAt,
  type MappingScope,
  objectsIn,
  objectsOf,
  type PlacedObject,
  type Stated,
  stateGroup,
  stateList,
  stateValue,
  textAt,
} from './scope.ts';

/** What a rule can be about, and the `column` by which the catalog tells it. */
type Element = { readonly element: PlacedObject; readonly column?: string | undefined };

/** One list, as a catalog's own import makes it of the rules wherever they stand. */
export function mapQuality(scope: MappingScope): Stated | undefined {
  const lists = elementsIn(scope).flatMap(({ element, column }) => {
    const list = listAt(element, 'quality');
    return list ? [{ list, column }] : [];
  });
  const rules = lists.flatMap(({ list, column }) =>
    objectsIn(list).map((rule) => mapRule(rule, column)),
  );
  const [first] = lists;
  return first && stateList(first.list.pointer, rules);
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
  const isNamed = column === undefined || members['column'] !== undefined;
  return stateGroup(
    pointer,
    isNamed ? members : { ...members, column: stateValue(pointer, column) },
  );
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
