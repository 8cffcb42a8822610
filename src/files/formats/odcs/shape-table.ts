import type { OdcsField } from './settings.ts';

export type ValueKind = 'text' | 'number' | 'flag' | 'list' | 'mapping';

/** What a value of an ODCS document may be. */
export type ExpectedShape = {
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
export function odcsShape(fields: readonly OdcsField[]): ExpectedShape {
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

/** Some tools write a mere text. */
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
