import { isArray, isObject, type JsonValue } from '../../../core/json.ts';
import { differByAtMost, quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import { describeMisfit, hintForType, typeOf } from '../format.ts';
import type { OdcsField, OdcsSettings } from './settings.ts';

/** Checks what is mapped. The rest is left to a linter of the standard. */
export function odcsShapeProblems(
  document: JsonValue,
  { fields }: OdcsSettings,
): PointerDiagnostic[] {
  return shapeProblems(document, odcsShape(fields), []);
}

type Shape = {
  /** As a JSON schema calls them; absent where any is fine. */
  readonly kinds?: readonly string[];
  readonly items?: Shape | undefined;
  /** What is mapped; undefined where its field isn't managed. */
  readonly members?: { readonly [key: string]: Shape | undefined };
};

function shapeProblems(
  value: JsonValue,
  { kinds, items, members = {} }: Shape,
  pointer: Pointer,
): PointerDiagnostic[] {
  if (kinds && !kinds.includes(typeOf(value))) return [wrongType(value, kinds, pointer)];
  if (isArray(value) && items) {
    return value.flatMap((item, index) => shapeProblems(item, items, [...pointer, String(index)]));
  }
  if (!isObject(value)) return [];
  const absent = Object.keys(members).filter((key) => members[key] && !Object.hasOwn(value, key));
  return Object.entries(value).flatMap(([key, member]) => {
    const own = [...pointer, key];
    if (!Object.hasOwn(members, key)) return misspeltKey(key, absent, own);
    const shape = members[key];
    return shape && member !== null ? shapeProblems(member, shape, own) : [];
  });
}

// Only where a mapped key is absent, which the misspelt one is meant to be.
function misspeltKey(
  key: string,
  absent: readonly string[],
  pointer: Pointer,
): PointerDiagnostic[] {
  const lower = key.toLowerCase();
  // Two slips in a short key make another one: `minLength`, `maxLength`.
  const meant = absent.find((each) =>
    differByAtMost(lower, each.toLowerCase(), each.length > 9 ? 2 : 1),
  );
  if (meant === undefined) return [];
  const parent = pointer.slice(0, -1).findLast(isName);
  const within = parent === undefined ? '' : ` in \`${parent}\``;
  const message = `Unknown key ${quote(key)}${within}.`;
  return [{ code: 'unknown-key', message, hint: `Did you mean "${meant}"?`, pointer, atKey: true }];
}

function isName(token: string): boolean {
  return !/^\d+$/u.test(token);
}

function wrongType(value: JsonValue, kinds: readonly string[], pointer: Pointer) {
  const name = pointer.findLast(isName);
  const isItem = name !== undefined && name !== pointer.at(-1);
  const subject = isItem ? `An item of \`${name}\`` : `\`${name ?? 'document'}\``;
  const message = `${subject} ${describeMisfit(value, kinds)}.`;
  return { code: 'wrong-type', message, hint: hintForType(value, kinds), pointer };
}

const text: Shape = { kinds: ['string'] };
const flag: Shape = { kinds: ['boolean'] };

function listOf(items: Shape): Shape {
  return { kinds: ['array'], items };
}

function mapping(members: Shape['members'] = {}): Shape {
  return { kinds: ['object'], members };
}

// ODCS 3.0.0 to 3.2.0.
function odcsShape(fields: readonly OdcsField[]): Shape {
  const managed = (field: OdcsField, shape: Shape): Shape | undefined =>
    fields.includes(field) ? shape : undefined;
  const quality = managed('odcsQualityRules', listOf(mapping()));
  // Without kinds: `contractSync.movedFrom` may stand beside whatever is not mapped.
  const customProperties = { items: { members: { property: managed('extension', text) } } };
  const property: Shape = mapping({
    name: text,
    physicalName: text,
    physicalType: text,
    logicalType: text,
    semanticType: text,
    description: text,
    primaryKey: flag,
    unique: flag,
    required: flag,
    logicalTypeOptions: { members: { maxLength: { kinds: ['number'] } } },
    tags: managed('tags', listOf(text)),
    quality,
    get properties() {
      return listOf(property);
    },
    get items() {
      return property;
    },
  });
  const object = mapping({
    name: text,
    physicalName: text,
    properties:
      managed('schema', listOf(property)) ?? managed('odcsQualityRules', listOf(property)),
    quality,
    customProperties,
  });
  const entry = mapping({ property: text, value: {}, unit: {}, element: {} });
  return mapping({
    kind: text,
    status: managed('entityStatus', text),
    team: managed('owners', { kinds: ['object', 'array'] }),
    description: managed('description', {
      kinds: ['object', 'string'],
      members: { purpose: text, limitations: text, usage: text },
    }),
    schema: listOf(object),
    servers: listOf(mapping()),
    slaProperties: managed('sla', listOf(entry)),
    customProperties,
    quality,
  });
}
