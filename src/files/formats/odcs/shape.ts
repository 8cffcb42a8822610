import { isArray, isObject, type JsonValue } from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import type { OdcsField, OdcsSettings } from './settings.ts';

/**
 * What of a document is not as ODCS has it: an error where it is mapped, one warning for each kind
 * of mistake elsewhere. All else is left to a linter of the standard.
 */
export function odcsShapeProblems(
  document: JsonValue,
  settings: OdcsSettings,
): PointerDiagnostic[] {
  const shape = odcsShape(settings.fields);
  const misfits = findMisfits(document, shape, []);
  const elsewhere = Map.groupBy(
    misfits.filter((misfit) => !misfit.shape.isMapped),
    ({ pointer }) => pointer.filter((token) => !/^\d+$/u.test(token)).join('.'),
  );
  return [
    ...misfits.filter((misfit) => misfit.shape.isMapped).map(wrongType),
    ...[...elsewhere.values()].map(wrongShape),
    ...unknownKeys(document, shape),
  ];
}

type Misfit = {
  readonly value: JsonValue;
  readonly shape: ExpectedShape;
  readonly pointer: Pointer;
};

function findMisfits(value: JsonValue, shape: ExpectedShape, pointer: Pointer): Misfit[] {
  const kind = kindOf(value);
  if (kind === 'null' || !shape.kinds.includes(kind)) return [{ value, shape, pointer }];
  const { items, members = {} } = shape;
  if (isArray(value) && items) {
    return value.flatMap((item, index) => findMisfits(item, items, [...pointer, String(index)]));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const expected = Object.hasOwn(members, key) ? members[key]?.() : undefined;
    return expected && member !== null ? findMisfits(member, expected, [...pointer, key]) : [];
  });
}

function kindOf(value: JsonValue): ValueKind | 'null' {
  if (isArray(value)) return 'list';
  if (value === null) return 'null';
  switch (typeof value) {
    case 'object':
      return 'mapping';
    case 'boolean':
      return 'flag';
    case 'number':
      return 'number';
    default:
      return 'text';
  }
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
  const name = pointer.findLast((token) => !/^\d+$/u.test(token));
  const isItem = name !== undefined && name !== pointer.at(-1);
  const subject = isItem ? `An item of \`${name}\`` : `\`${name ?? 'document'}\``;
  const actual = typeof value === 'boolean' ? String(value) : kindNames[kindOf(value)];
  return `${subject} must be ${wanted}, not ${actual}`;
}

function wrongType(misfit: Misfit): PointerDiagnostic {
  return {
    code: 'wrong-type',
    message: `${describe(misfit)}.`,
    hint: typeHint(misfit),
    pointer: misfit.pointer,
  };
}

function typeHint({ value, shape }: Misfit): string {
  const actual = kindOf(value);
  if (shape.kinds.includes('flag')) return yesOrNo(value);
  if (shape.kinds.includes('list')) return 'Begin each item with a hyphen and a space.';
  if (shape.kinds.includes('mapping')) return 'Write `key: value` for each of its members.';
  if (shape.kinds.includes('number')) return 'Write a number, without quotes.';
  return actual === 'number' || actual === 'flag' ? 'Quote it.' : 'Write one text.';
}

/** YAML 1.1, which many ODCS tools still read, has more words for true and false. */
function yesOrNo(value: JsonValue): string {
  const isOldWord = typeof value === 'string' && /^(?:yes|no|on|off|y|n)$/iu.test(value);
  return isOldWord
    ? `Write true or false: ${quote(value)} is text in YAML 1.2, and a flag only in YAML 1.1.`
    : 'Write true or false, without quotes.';
}

function wrongShape(misfits: readonly Misfit[]): PointerDiagnostic {
  const [first, ...others] = misfits;
  return {
    code: 'odcs-shape',
    severity: 'warning',
    message: `${first ? describe(first) : ''}${others.length > 0 ? ` (and at ${others.length} more)` : ''}.`,
    hint: 'It is ignored here; other tools may reject the file.',
    pointer: first?.pointer ?? [],
  };
}

function unknownKeys(document: JsonValue, { members = {} }: ExpectedShape): PointerDiagnostic[] {
  if (!isObject(document)) return [];
  const known = Object.keys(members);
  return Object.keys(document)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      code: 'unknown-key',
      severity: 'warning',
      message: `Unknown key ${quote(key)}.`,
      hint: didYouMean(key, known) ?? 'ODCS has no such key, so it is ignored.',
      pointer: [key],
      atKey: true,
    }));
}

type ValueKind = 'text' | 'number' | 'flag' | 'list' | 'mapping';

type ExpectedShape = {
  readonly kinds: readonly ValueKind[];
  /** Whether a contract's fields are made from it: then another kind of value is an error. */
  readonly isMapped: boolean;
  readonly items?: ExpectedShape;
  readonly members?: Members;
};

/** By functions: properties hold properties. */
type Members = { readonly [key: string]: () => ExpectedShape };

const elsewhere =
  (...kinds: ValueKind[]) =>
  (): ExpectedShape => ({ kinds, isMapped: false });
const mapped =
  (...kinds: ValueKind[]) =>
  (): ExpectedShape => ({ kinds, isMapped: true });

const anyText = elsewhere('text');
const anyList = elsewhere('list');
const anyNumber = elsewhere('number');

function listOf(items: ExpectedShape, isMapped = items.isMapped): () => ExpectedShape {
  return () => ({ kinds: ['list'], isMapped, items });
}

const customProperties = listOf({
  kinds: ['mapping'],
  isMapped: false,
  members: { property: anyText },
});

/** ODCS 3.0.0 to 3.2.0 as far as it is mapped, and the outlines of the rest. */
function odcsShape(fields: readonly OdcsField[]): ExpectedShape {
  const is = (field: OdcsField, ...kinds: ValueKind[]) =>
    fields.includes(field) ? mapped(...kinds) : elsewhere(...kinds);
  return {
    kinds: ['mapping'],
    isMapped: true,
    members: {
      apiVersion: elsewhere('text', 'number'),
      kind: mapped('text'),
      id: anyText,
      name: anyText,
      version: anyText,
      status: is('entityStatus', 'text'),
      domain: anyText,
      tenant: anyText,
      dataProduct: anyText,
      contractCreatedTs: anyText,
      slaDefaultElement: anyText,
      description: () => descriptionShape(fields.includes('description')),
      schema: listOf(objectShape(fields.includes('schema')), true),
      servers: listOf({ kinds: ['mapping'], isMapped: true }),
      slaProperties: listOf(slaShape(fields.includes('sla'))),
      team: elsewhere('mapping', 'list'),
      context: elsewhere('mapping', 'text'),
      price: elsewhere('mapping'),
      authoritativeDefinitions: anyList,
      customProperties,
      roles: anyList,
      support: anyList,
      tags: anyList,
    },
  };
}

function descriptionShape(isMapped: boolean): ExpectedShape {
  const text = (): ExpectedShape => ({ kinds: ['text'], isMapped });
  return {
    kinds: ['mapping', 'text'],
    isMapped,
    members: {
      purpose: text,
      limitations: text,
      usage: text,
      authoritativeDefinitions: anyList,
      customProperties,
    },
  };
}

/** Names are part of identities, whatever is synced. */
function objectShape(isMapped: boolean): ExpectedShape {
  return {
    kinds: ['mapping'],
    isMapped: true,
    members: {
      ...elementMembers,
      name: mapped('text'),
      physicalName: mapped('text'),
      description: anyText,
      physicalType: anyText,
      properties: listOf(propertyShape(isMapped)),
      dataGranularityDescription: anyText,
    },
  };
}

const elementMembers: Members = {
  authoritativeDefinitions: anyList,
  businessName: anyText,
  customProperties,
  quality: anyList,
  relationships: anyList,
  tags: anyList,
};

function propertyShape(isMapped: boolean): ExpectedShape {
  const is = (kind: ValueKind) => (): ExpectedShape => ({ kinds: [kind], isMapped });
  return {
    kinds: ['mapping'],
    isMapped,
    members: {
      ...elementMembers,
      name: is('text'),
      physicalName: is('text'),
      physicalType: is('text'),
      logicalType: is('text'),
      description: is('text'),
      semanticType: is('text'),
      primaryKey: is('flag'),
      unique: is('flag'),
      required: is('flag'),
      properties: () => listOf(propertyShape(isMapped))(),
      items: () => propertyShape(isMapped),
      logicalTypeOptions: () => ({
        kinds: ['mapping'],
        isMapped: false,
        members: { maxLength: is('number') },
      }),
      classification: anyText,
      criticalDataElement: elsewhere('flag'),
      examples: anyList,
      partitioned: elsewhere('flag'),
      partitionKeyPosition: anyNumber,
      primaryKeyPosition: anyNumber,
    },
  };
}

function slaShape(isMapped: boolean): ExpectedShape {
  return {
    kinds: ['mapping'],
    isMapped,
    members: {
      property: () => ({ kinds: ['text'], isMapped }),
      value: elsewhere('text', 'number', 'flag'),
      unit: anyText,
      element: anyText,
    },
  };
}
