import { isArray, isObject, type JsonValue } from '../../../core/json.ts';
import { didYouMean, differByAtMost, quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import type { OdcsField, OdcsSettings } from './settings.ts';

/**
 * Checks what is mapped as errors, and gives one warning for each kind of mistake elsewhere. The
 * rest is left to a linter of the standard.
 */
export function odcsShapeProblems(
  document: JsonValue,
  settings: OdcsSettings,
): PointerDiagnostic[] {
  const shape = odcsShape(settings.fields);
  const found = findFaults(document, shape, []);
  const misfits = found.filter((each) => 'value' in each);
  return [
    ...misfits
      .filter((misfit) => misfit.shape.isMapped)
      .map((misfit) => ({
        code: 'wrong-type',
        message: `${describe(misfit)}.`,
        hint: typeHint(misfit),
        pointer: misfit.pointer,
      })),
    ...firstOfKind(misfits.filter((misfit) => !misfit.shape.isMapped)).map(([misfit, more]) => ({
      code: 'odcs-shape',
      severity: 'warning' as const,
      message: `${describe(misfit)}${more}.`,
      hint: 'It is ignored here; other tools may reject the file.',
      pointer: misfit.pointer,
    })),
    ...unknownKeyProblems(found.filter((each) => 'key' in each)),
  ];
}

// A file can have any number of keys, and the nearest known one takes a while to find.
const mostSuggestions = 200;

function unknownKeyProblems(keys: readonly UnknownKey[]): PointerDiagnostic[] {
  const problem = ({ key, pointer }: UnknownKey, hint: string, more = '') => {
    const parent = pointer.slice(0, -1).findLast(isName);
    const within = parent === undefined ? '' : ` in \`${parent}\``;
    const message = `Unknown key ${quote(key)}${within}${more}.`;
    return { code: 'unknown-key', message, hint, pointer, atKey: true };
  };
  const warnings = firstOfKind(keys.filter(({ meant }) => meant === undefined));
  return [
    ...keys.flatMap((each) =>
      each.meant === undefined ? [] : problem(each, `Did you mean "${each.meant}"?`),
    ),
    ...warnings.flatMap(([unknown, more], index): readonly PointerDiagnostic[] => {
      const { key, known, isSure } = unknown;
      const near = index < mostSuggestions ? didYouMean(key, known) : undefined;
      if (!isSure && near === undefined) return [];
      const hint = near ?? 'ODCS has no such key, so it is ignored.';
      return [{ ...problem(unknown, hint, more), severity: 'warning' }];
    }),
  ];
}

// The same mistake is often made in each column.
function firstOfKind<Found extends { readonly pointer: Pointer }>(found: readonly Found[]) {
  const kinds = Map.groupBy(found, ({ pointer }) => pointer.filter(isName).join('.'));
  return [...kinds.values()].flatMap(([first, ...others]) => {
    const more = others.length > 0 ? ` (and at ${others.length} more)` : '';
    return first ? [[first, more] as const] : [];
  });
}

function isName(token: string): boolean {
  return !/^\d+$/u.test(token);
}

type UnknownKey = {
  readonly key: string;
  readonly known: readonly string[];
  /** The mapped key that is absent because it is misspelt so. */
  readonly meant: string | undefined;
  /** Whether it is a mistake even if it resembles no known key. */
  readonly isSure: boolean;
  readonly pointer: Pointer;
};

type Misfit = {
  readonly value: JsonValue;
  readonly shape: ExpectedShape;
  readonly pointer: Pointer;
};

function findFaults(
  value: JsonValue,
  shape: ExpectedShape,
  pointer: Pointer,
): (Misfit | UnknownKey)[] {
  const kind = kindOf(value);
  if (kind === 'null' || !shape.kinds.includes(kind)) return [{ value, shape, pointer }];
  const { items, members = {}, unknown } = shape;
  if (isArray(value) && items) {
    return value.flatMap((item, index) => findFaults(item, items, [...pointer, String(index)]));
  }
  if (!isObject(value)) return [];
  const known = Object.keys(members);
  const absent = known.filter((key) => members[key]?.isMapped && !Object.hasOwn(value, key));
  return Object.entries(value).flatMap(([key, member]) => {
    const own = [...pointer, key];
    const expected = Object.hasOwn(members, key) ? members[key] : undefined;
    if (expected) return member === null ? [] : findFaults(member, expected, own);
    if (!unknown) return [];
    const meant = absent.find((each) => differByAtMost(key.toLowerCase(), each.toLowerCase(), 1));
    return [{ key, known, meant, isSure: unknown === 'all', pointer: own }];
  });
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

function describe({ value, shape, pointer }: Misfit): string {
  const wanted = shape.kinds.map((kind) => kindNames[kind]).join(' or ');
  const name = pointer.findLast(isName);
  const isItem = name !== undefined && name !== pointer.at(-1);
  const subject = isItem ? `An item of \`${name}\`` : `\`${name ?? 'document'}\``;
  const actual = typeof value === 'boolean' ? String(value) : kindNames[kindOf(value)];
  return `${subject} must be ${wanted}, not ${actual}`;
}

function typeHint({ value, shape }: Misfit): string {
  const actual = kindOf(value);
  if (shape.kinds.includes('flag')) {
    // YAML 1.1, which many ODCS tools still read, has more words for true and false.
    const isOldWord = typeof value === 'string' && /^(?:yes|no|on|off|y|n)$/iu.test(value);
    return isOldWord
      ? `Write true or false: ${quote(value)} is text in YAML 1.2, and a flag only in YAML 1.1.`
      : 'Write true or false, without quotes.';
  }
  if (shape.kinds.includes('list')) return 'Begin each item with a hyphen and a space.';
  if (shape.kinds.includes('mapping')) return 'Write `key: value` for each of its members.';
  if (shape.kinds.includes('number')) return 'Write a number, without quotes.';
  return actual === 'number' || actual === 'flag' ? 'Quote it.' : 'Write one text.';
}

type ValueKind = 'text' | 'number' | 'flag' | 'list' | 'mapping';

type Members = { readonly [key: string]: ExpectedShape };

type ExpectedShape = {
  readonly kinds: readonly ValueKind[];
  readonly isMapped: boolean;
  readonly items?: ExpectedShape;
  readonly members?: Members;
  /** Which keys beside `members` are warned of: `not-synced` names others of columns. */
  readonly unknown?: 'all' | 'misspelt' | undefined;
};

function mapping(members: Members, isMapped = false, unknown?: 'all' | 'misspelt'): ExpectedShape {
  return { kinds: ['mapping'], isMapped, members, unknown };
}

function listOf(items: ExpectedShape, isMapped = items.isMapped): ExpectedShape {
  return { kinds: ['list'], isMapped, items };
}

function each(keys: string, kind: ValueKind, isMapped = false): Members {
  return Object.fromEntries(keys.split(' ').map((key) => [key, { kinds: [kind], isMapped }]));
}

// ODCS 3.0.0 to 3.2.0: the mapped parts in full, the outlines of the rest.
function odcsShape(fields: readonly OdcsField[]): ExpectedShape {
  const isMapped = (field: OdcsField): boolean => fields.includes(field);
  const texts = each('purpose limitations usage', 'text', isMapped('description'));
  const customProperties = listOf(mapping(each('property', 'text')));
  const sla = {
    ...each('property', 'text', isMapped('sla')),
    ...each('id unit element driver description scheduler schedule', 'text'),
    ...each('authoritativeDefinitions', 'list'),
    customProperties,
    valueExt: { kinds: ['text', 'number', 'flag'], isMapped: false },
    value: { kinds: ['text', 'number', 'flag'], isMapped: false },
  } as const;
  return mapping(
    {
      ...each('id name version domain tenant dataProduct', 'text'),
      ...each('contractCreatedTs slaDefaultElement', 'text'),
      ...each('authoritativeDefinitions roles support tags', 'list'),
      ...each('price', 'mapping'),
      ...each('kind', 'text', true),
      ...each('status', 'text', isMapped('entityStatus')),
      apiVersion: { kinds: ['text', 'number'], isMapped: false },
      team: { kinds: ['mapping', 'list'], isMapped: false },
      context: contextShape,
      description: {
        kinds: ['mapping', 'text'],
        isMapped: isMapped('description'),
        members: { ...texts, ...each('authoritativeDefinitions', 'list'), customProperties },
        unknown: 'misspelt',
      },
      schema: listOf(objectShape(isMapped('schema'), customProperties), true),
      servers: listOf(mapping({}, true)),
      slaProperties: listOf(mapping(sla, isMapped('sla'), 'all')),
      customProperties,
    },
    true,
    'all',
  );
}

function objectShape(isMapped: boolean, customProperties: ExpectedShape): ExpectedShape {
  const common = {
    ...each('id businessName', 'text'),
    ...each('authoritativeDefinitions quality relationships synonyms tags', 'list'),
    ...each('deprecated', 'flag'),
    customProperties,
  };
  const property: ExpectedShape = mapping(
    {
      ...common,
      ...each('name physicalName physicalType logicalType', 'text', isMapped),
      ...each('description semanticType', 'text', isMapped),
      ...each('primaryKey unique required', 'flag', isMapped),
      ...each('classification encryptedName transformDescription transformLogic', 'text'),
      ...each('criticalDataElement partitioned', 'flag'),
      ...each('enum examples transformSourceObjects', 'list'),
      ...each('partitionKeyPosition primaryKeyPosition', 'number'),
      logicalTypeOptions: mapping(
        { ...otherOptions, ...each('maxLength', 'number', isMapped) },
        false,
        'misspelt',
      ),
      get properties() {
        return listOf(property);
      },
      get items() {
        return property;
      },
    },
    isMapped,
    'misspelt',
  );
  return mapping(
    {
      ...common,
      // Names are part of identities, so they are checked in any case.
      ...each('name physicalName', 'text', true),
      ...each('description logicalType physicalType dataGranularityDescription', 'text'),
      context: contextShape,
      properties: listOf(property),
    },
    true,
    'misspelt',
  );
}

const contextShape: ExpectedShape = { kinds: ['mapping', 'text'], isMapped: false };

const otherOptions: Members = Object.fromEntries(
  `defaultTimezone dimensions distanceMetric elementType embeddingModel embeddingModelVersion
  exclusiveMaximum exclusiveMinimum format maxItems maxProperties maximum minItems minLength
  minProperties minimum multipleOf normalized pattern required timezone uniqueItems`
    .split(/\s+/u)
    .map((key) => [key, { kinds: ['text', 'number', 'flag', 'list', 'mapping'], isMapped: false }]),
);
