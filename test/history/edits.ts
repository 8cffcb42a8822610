import fc from 'fast-check';
import { isArray, isObject, type JsonArray, type JsonObject } from '../../src/core/json.ts';

/** One thing that somebody does to a contract of orders; so few that they are often undone. */
export type PlaceEdit =
  | { readonly kind: 'describe'; readonly text: string }
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'retain'; readonly days: number | null }
  | { readonly kind: 'own'; readonly owners: readonly string[] }
  | { readonly kind: 'require'; readonly rule: string; readonly text: string | null }
  | { readonly kind: 'retype'; readonly column: string; readonly dataType: string }
  | { readonly kind: 'explain'; readonly column: string; readonly text: string }
  | { readonly kind: 'drop' | 'append' | 'to-front'; readonly column: string };

const texts = fc.constantFrom('One.', 'Two.', 'Three.');
const columns = fc.constantFrom('id', 'amount', 'city', 'note');

export const placeEdits: fc.Arbitrary<PlaceEdit> = fc.oneof(
  fc.record({ kind: fc.constant('describe'), text: texts }),
  fc.record({ kind: fc.constant('status'), status: fc.constantFrom('Draft', 'Deprecated') }),
  fc.record({ kind: fc.constant('retain'), days: fc.constantFrom(1, 2, null) }),
  fc.record({ kind: fc.constant('own'), owners: fc.shuffledSubarray(['ada', 'mira', 'zoe']) }),
  fc.record({
    kind: fc.constant('require'),
    rule: fc.constantFrom('r1', 'r2'),
    text: fc.option(texts),
  }),
  fc.record({
    kind: fc.constant('retype'),
    column: columns,
    dataType: fc.constantFrom('INT', 'BIGINT'),
  }),
  fc.record({ kind: fc.constant('explain'), column: columns, text: texts }),
  fc.record({ kind: fc.constantFrom('drop', 'append', 'to-front'), column: columns }),
);

/** The top-level field that an edit sets; null removes it. */
export function fieldAfter(document: JsonObject, edit: PlaceEdit): JsonObject {
  switch (edit.kind) {
    case 'describe':
      return { description: edit.text };
    case 'status':
      return { entityStatus: edit.status };
    case 'retain':
      return { sla: edit.days === null ? null : { retention: { period: edit.days, unit: 'day' } } };
    case 'own':
      return {
        owners: edit.owners.map((name) => ({ type: 'user', name, fullyQualifiedName: name })),
      };
    case 'require':
      return { semantics: rulesAfter(elementsOf(document['semantics']), edit) };
    default:
      return { schema: columnsAfter(elementsOf(document['schema']), edit) };
  }
}

function elementsOf(value: JsonObject[string] | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

function rulesAfter(
  rules: readonly JsonObject[],
  { rule: name, text }: PlaceEdit & { readonly kind: 'require' },
): JsonArray {
  const found = rules.find((each) => each['name'] === name);
  if (text === null) return rules.filter((each) => each !== found);
  const required = { ...found, name, description: text, rule: '{"==":[1,1]}' };
  return found ? rules.map((each) => (each === found ? required : each)) : [...rules, required];
}

type ColumnEdit = Extract<PlaceEdit, { readonly column: string }>;

function columnsAfter(schema: readonly JsonObject[], edit: ColumnEdit): JsonArray {
  const own = schema.filter(({ name }) => name === edit.column);
  const others = schema.filter(({ name }) => name !== edit.column);
  switch (edit.kind) {
    case 'retype':
      return changed(schema, edit.column, { dataType: edit.dataType });
    case 'explain':
      return changed(schema, edit.column, { description: edit.text });
    case 'drop':
      return others;
    case 'append':
      return own.length > 0 ? schema : [...schema, { name: edit.column, dataType: 'INT' }];
    case 'to-front':
      return [...own, ...others];
  }
}

function changed(schema: readonly JsonObject[], column: string, members: JsonObject): JsonArray {
  return schema.map((each) => (each['name'] === column ? { ...each, ...members } : each));
}
