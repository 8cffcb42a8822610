import { isArray, isObject, type JsonValue } from '../../../core/json.ts';
import { didYouMean, differByAtMost, quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import type { OdcsField, OdcsSettings } from './settings.ts';

/** Checks what is mapped, and all keys. The rest is left to a linter of the standard. */
export function odcsShapeProblems(
  document: JsonValue,
  settings: OdcsSettings,
): PointerDiagnostic[] {
  const found = findFaults(document, odcsShape(settings.fields), []);
  const misfits = found.filter((each) => 'kinds' in each);
  return [
    ...misfits.map((misfit) => ({
      code: 'wrong-type',
      message: `${describe(misfit)}.`,
      hint: typeHint(misfit),
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
  // The same mistake is often made in each column.
  const kinds = Map.groupBy(
    keys.filter(({ meant }) => meant === undefined),
    ({ pointer }) => pointer.filter(isName).join('.'),
  );
  return [
    ...keys.flatMap((each) =>
      each.meant === undefined ? [] : problem(each, `Did you mean "${each.meant}"?`),
    ),
    ...[...kinds.values()].flatMap(([unknown, ...others], index): PointerDiagnostic[] => {
      if (!unknown) return [];
      const { key, known, isSure } = unknown;
      const more = others.length > 0 ? ` (and at ${others.length} more)` : '';
      const near = index < mostSuggestions ? didYouMean(key, known) : undefined;
      if (!isSure && near === undefined) return [];
      const hint = near ?? 'ODCS has no such key, so it is ignored.';
      return [{ ...problem(unknown, hint, more), severity: 'warning' }];
    }),
  ];
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
  readonly kinds: readonly ValueKind[];
  readonly pointer: Pointer;
};

function findFaults(
  value: JsonValue,
  { kinds, items, members, unknown }: ExpectedShape,
  pointer: Pointer,
): (Misfit | UnknownKey)[] {
  if (kinds && !kinds.some((kind) => kind === kindOf(value))) return [{ value, kinds, pointer }];
  if (isArray(value) && items) {
    return value.flatMap((item, index) => findFaults(item, items, [...pointer, String(index)]));
  }
  if (!isObject(value) || !members) return [];
  const known = Object.keys(members);
  const absent = known.filter((key) => members[key]?.kinds && !Object.hasOwn(value, key));
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

function describe({ value, kinds, pointer }: Misfit): string {
  const wanted = kinds.map((kind) => kindNames[kind]).join(' or ');
  const name = pointer.findLast(isName);
  const isItem = name !== undefined && name !== pointer.at(-1);
  const subject = isItem ? `An item of \`${name}\`` : `\`${name ?? 'document'}\``;
  const actual = typeof value === 'boolean' ? String(value) : kindNames[kindOf(value)];
  return `${subject} must be ${wanted}, not ${actual}`;
}

function typeHint({ value, kinds }: Misfit): string {
  const actual = kindOf(value);
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
  return actual === 'number' || actual === 'flag' ? 'Quote it.' : 'Write one text.';
}

type ValueKind = 'text' | 'number' | 'flag' | 'list' | 'mapping';

type Members = { readonly [key: string]: ExpectedShape };

type ExpectedShape = {
  /** Absent where nothing is mapped. */
  readonly kinds?: readonly ValueKind[];
  readonly items?: ExpectedShape;
  readonly members?: Members;
  /** The keys beside `members` to warn of: `not-synced` names others of columns. */
  readonly unknown?: 'all' | 'misspelt';
};

function named(keys: string, shape: ExpectedShape = unmapped): Members {
  return Object.fromEntries(keys.split(/\s+/u).map((key) => [key, shape]));
}

function mapped(...kinds: readonly ValueKind[]): ExpectedShape {
  return { kinds };
}

const unmapped: ExpectedShape = {};

// ODCS 3.0.0 to 3.2.0: the mapped parts in full, the keys of the rest.
function odcsShape(fields: readonly OdcsField[]): ExpectedShape {
  const kindsIf = (field: OdcsField, ...kinds: ValueKind[]): ExpectedShape =>
    fields.includes(field) ? { kinds } : unmapped;
  const customProperties: ExpectedShape = {
    items: { members: { property: kindsIf('extension', 'text') } },
  };
  const rules: ExpectedShape = {
    ...kindsIf('odcsQualityRules', 'list'),
    items: kindsIf('odcsQualityRules', 'mapping'),
  };
  return {
    kinds: ['mapping'],
    members: {
      ...named(`id name version domain tenant dataProduct contractCreatedTs slaDefaultElement
        authoritativeDefinitions roles support tags price apiVersion context`),
      ...(fields.includes('odcsQualityRules') && { quality: rules }),
      ...named('kind', mapped('text')),
      status: kindsIf('entityStatus', 'text'),
      team: kindsIf('owners', 'mapping', 'list'),
      description: {
        ...kindsIf('description', 'mapping', 'text'),
        members: {
          ...named('purpose limitations usage', kindsIf('description', 'text')),
          ...named('authoritativeDefinitions'),
          customProperties,
        },
        unknown: 'misspelt',
      },
      schema: {
        ...mapped('list'),
        items: objectShape(kindsIf, { customProperties, quality: rules }),
      },
      servers: { ...mapped('list'), items: mapped('mapping') },
      slaProperties: {
        ...kindsIf('sla', 'list'),
        items: {
          ...kindsIf('sla', 'mapping'),
          members: {
            property: kindsIf('sla', 'text'),
            ...named(`id value valueExt unit element driver description scheduler schedule
              authoritativeDefinitions`),
            customProperties,
          },
          unknown: 'all',
        },
      },
      customProperties,
    },
    unknown: 'all',
  };
}

type KindsIf = (field: OdcsField, ...kinds: ValueKind[]) => ExpectedShape;

function objectShape(kindsIf: KindsIf, shared: Members): ExpectedShape {
  const common: Members = {
    ...named('id businessName authoritativeDefinitions relationships synonyms tags deprecated'),
    ...shared,
  };
  const property: ExpectedShape = {
    ...kindsIf('schema', 'mapping'),
    members: {
      ...common,
      ...named('name physicalName physicalType logicalType', kindsIf('schema', 'text')),
      ...named('description semanticType', kindsIf('schema', 'text')),
      ...named('primaryKey unique required', kindsIf('schema', 'flag')),
      tags: { ...kindsIf('tags', 'list'), items: kindsIf('tags', 'text') },
      ...named(`classification encryptedName transformDescription transformLogic
        criticalDataElement partitioned enum examples transformSourceObjects
        partitionKeyPosition primaryKeyPosition`),
      logicalTypeOptions: {
        members: { ...named(otherOptions), maxLength: kindsIf('schema', 'number') },
        unknown: 'misspelt',
      },
      get properties() {
        return { ...kindsIf('schema', 'list'), items: property };
      },
      get items() {
        return property;
      },
    },
    unknown: 'misspelt',
  };
  return {
    ...mapped('mapping'),
    members: {
      ...common,
      // Names are part of identities, so they are checked in any case.
      ...named('name physicalName', mapped('text')),
      ...named('description logicalType physicalType dataGranularityDescription context'),
      properties: { ...kindsIf('schema', 'list'), items: property },
    },
    unknown: 'misspelt',
  };
}

const otherOptions = `defaultTimezone dimensions distanceMetric elementType embeddingModel
  embeddingModelVersion exclusiveMaximum exclusiveMinimum format maxItems maxProperties maximum
  minItems minLength minProperties minimum multipleOf normalized pattern required timezone
  uniqueItems`;
