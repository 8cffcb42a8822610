import { isArray, isObject, type JsonValue } from '../../../core/json.ts';
import { differByAtMost, quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import type { OdcsField, OdcsSettings } from './settings.ts';

/** Checks what is mapped. The rest is left to a linter of the standard. */
export function odcsShapeProblems(
  document: JsonValue,
  { fields }: OdcsSettings,
): PointerDiagnostic[] {
  return shapeProblems(document, odcsShape(fields), []);
}

type ValueKind = 'text' | 'number' | 'flag' | 'list' | 'mapping';

type Shape = {
  /** Absent where any kind is fine. */
  readonly kinds?: readonly ValueKind[];
  readonly items?: Shape | undefined;
  /** What is mapped; undefined where its field isn't managed. */
  readonly members?: { readonly [key: string]: Shape | undefined };
};

function shapeProblems(
  value: JsonValue,
  { kinds, items, members = {} }: Shape,
  pointer: Pointer,
): PointerDiagnostic[] {
  if (kinds && !kinds.some((kind) => kind === kindOf(value)))
    return [wrongType(value, kinds, pointer)];
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

function kindOf(value: JsonValue): ValueKind | 'null' {
  if (value === null) return 'null';
  if (typeof value === 'object') return isArray(value) ? 'list' : 'mapping';
  if (typeof value === 'boolean') return 'flag';
  return typeof value === 'number' ? 'number' : 'text';
}

const kindNames: { readonly [kind in ValueKind | 'null']: string } = {
  text: 'text',
  number: 'a number',
  flag: 'true or false',
  list: 'a list',
  mapping: 'a mapping',
  null: 'null',
};

function wrongType(value: JsonValue, kinds: readonly ValueKind[], pointer: Pointer) {
  const wanted = kinds.map((kind) => kindNames[kind]).join(' or ');
  const name = pointer.findLast(isName);
  const isItem = name !== undefined && name !== pointer.at(-1);
  const subject = isItem ? `An item of \`${name}\`` : `\`${name ?? 'document'}\``;
  const actual = typeof value === 'boolean' ? String(value) : kindNames[kindOf(value)];
  const message = `${subject} must be ${wanted}, not ${actual}.`;
  return { code: 'wrong-type', message, hint: typeHint(value, kinds), pointer };
}

function typeHint(value: JsonValue, kinds: readonly ValueKind[]): string {
  if (kinds.includes('flag')) {
    // YAML 1.1, which many ODCS tools still read, has more words for true and false.
    const isOldWord = typeof value === 'string' && /^(?:yes|no|on|off|y|n)$/iu.test(value);
    return isOldWord
      ? `Write true or false: ${quote(value)} is text in YAML 1.2, and a flag only in YAML 1.1.`
      : 'Write true or false, without quotes.';
  }
  if (kinds.includes('list')) return 'Begin each item with a hyphen and a space.';
  if (kinds.includes('mapping')) return 'Write `key: value` for each of its members.';
  if (kinds.includes('number')) return 'Write a number, without quotes.';
  return ['number', 'flag'].includes(kindOf(value)) ? 'Quote it.' : 'Write one text.';
}

const text: Shape = { kinds: ['text'] };
const flag: Shape = { kinds: ['flag'] };

function listOf(items: Shape): Shape {
  return { kinds: ['list'], items };
}

function mapping(members: Shape['members'] = {}): Shape {
  return { kinds: ['mapping'], members };
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
    team: managed('owners', { kinds: ['mapping', 'list'] }),
    description: managed('description', {
      kinds: ['mapping', 'text'],
      members: { purpose: text, limitations: text, usage: text },
    }),
    schema: listOf(object),
    servers: listOf(mapping()),
    slaProperties: managed('sla', listOf(entry)),
    customProperties,
    quality,
  });
}
