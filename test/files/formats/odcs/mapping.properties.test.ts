import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/core/json.ts';
import { detectFormat, type MappedContract } from '../../../../src/files/formats/odcs/read.ts';
import { withUnstated } from '../../../../src/contract/equality.ts';
import { originIn } from '../../../../src/files/formats/odcs/scope.ts';
import { parseTemplate } from '../../../../src/files/formats/odcs/settings.ts';
import { type Pointer, valueAt } from '../../../../src/patch/pointer.ts';
import { type MapOptions, mapValue, rule } from './mapping.ts';
import { rounds } from '../../../support/rounds.ts';

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;

/** Documents of the standard; with noise there is now and then something else in their places. */
function documents(noise: number): fc.Arbitrary<JsonObject> {
  const or = (values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
    fc.oneof({ weight: 20, arbitrary: values }, { weight: noise, arbitrary: json });
  const among = (...values: JsonValue[]): fc.Arbitrary<JsonValue> => or(fc.constantFrom(...values));
  const list = (items: fc.Arbitrary<JsonValue>, maxLength = 3): fc.Arbitrary<JsonValue> =>
    or(fc.array(or(items), { maxLength, depthIdentifier: 'list' }));
  const group = (
    members: Record<string, fc.Arbitrary<JsonValue>>,
    ...required: string[]
  ): fc.Arbitrary<JsonObject> => fc.record(members, { requiredKeys: noise === 0 ? required : [] });

  const name = among('a', 'b', 'c', 'd.e', 'F', 'g', '${V}', 'ä');
  const text = among('', 'Text.', 'With ${V:-default}.');
  const flag = or(fc.boolean());
  const { property } = fc.letrec<{ property: JsonValue }>((tie) => ({
    property: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      group({ name, physicalType: among('varchar(9)', 'int', 'array<int>', 'Name') }, 'name'),
      group(
        {
          name,
          physicalName: name,
          physicalType: among('decimal(9,2)', 'text[]', 'json', 'struct', 'Name'),
          logicalType: among('string', 'integer', 'array', 'object', 'vector', 'datetime'),
          logicalTypeOptions: or(group({ maxLength: or(fc.nat(20)) })),
          description: text,
          semanticType: among('column', 'measure', 'dimension'),
          primaryKey: flag,
          unique: flag,
          required: flag,
          properties: list(tie('property')),
          items: tie('property'),
        },
        'name',
      ),
    ),
  }));
  const customProperties = list(group({ property: among('a', 'C', '__proto__'), value: json }));
  const slaEntry = group(
    {
      property: among('latency', 'retention', 'frequency', 'freshness', 'timeOfAvailability', 'x'),
      value: or(fc.oneof(fc.nat(100), fc.constantFrom('24h', 'P1Y', '09:00', '9:00-08:00'))),
      unit: among('d', 'h', 'm', 'y', 'w', 's'),
      element: among('a', 'a.b', 'b.a', 'x'),
      driver: text,
    },
    'property',
    'value',
  );
  const owner = group({
    username: name,
    role: among('owner', 'dev'),
    dateOut: among('2020-01-01'),
  });
  return group(
    {
      apiVersion: among('v3.0.2', 'v3.1.0', 'v3.2.0'),
      kind: among('DataContract'),
      id: name,
      status: among('draft', 'active', 'Retired'),
      description: or(fc.oneof(text, group({ purpose: text, usage: text, limitations: text }))),
      servers: list(group({ server: name, database: name, schema: name }), 1),
      schema: list(
        group(
          {
            name,
            physicalName: name,
            description: text,
            properties: list(property, 6),
            customProperties,
          },
          'name',
        ),
      ),
      slaProperties: list(slaEntry, 4),
      team: list(owner),
      customProperties,
    },
    'apiVersion',
    'schema',
  );
}

const document = documents(0);
const noisyDocument = documents(1);

const options: MapOptions = {
  settings: {
    entity: [
      rule('pg.{server.database}.{object.physicalName}'),
      rule('pg.${V:-v}.{object.name|quote}'),
    ],
    fields: ['entityStatus', 'description', 'schema', 'sla', 'owners', 'extension'],
    extension: ['a', '__proto__', 'C'],
    variables: { V: 'value' },
  },
};

function leavesOf(value: JsonValue, pointer: Pointer = []): Pointer[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  return Object.entries(value).flatMap(([name, child]) => leavesOf(child, [...pointer, name]));
}

test.prop([fc.oneof(json, noisyDocument, document)], { numRuns: rounds(250) })(
  'nothing makes the mapping throw, and no problem is without a place',
  (value) => {
    const detected = detectFormat(value);
    const { diagnostics } = mapValue(value, options);
    const all = [...diagnostics, ...('diagnostics' in detected ? detected.diagnostics : [])];
    for (const { pointer, message } of all) {
      expect(valueAt(value, pointer.slice(0, -1)), message).toBeDefined();
      expect(message).toMatch(/\S\.$/u);
    }
  },
);

test.prop([document], { numRuns: rounds(150) })(
  'every value of a contract comes from a place of the document',
  (value) => {
    for (const { fields, trace } of mapValue(value, options).contracts) {
      for (const leaf of leavesOf(fields)) {
        expect(valueAt(value, originIn(trace, leaf).pointer), leaf.join('/')).toBeDefined();
      }
    }
  },
);

test.prop([document], { numRuns: rounds(150) })(
  'a document without errors declares each of its objects',
  (value) => {
    const { contracts, diagnostics } = mapValue(value, options);
    const objects = value['schema'];
    if (diagnostics.some(({ severity = 'error' }) => severity === 'error')) return;
    expect(contracts).toHaveLength(Array.isArray(objects) ? objects.length : 0);
  },
);

/** Live, with the fields as they are to become. */
function applied(live: JsonObject, fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...live, ...fields }).filter(([, value]) => value !== null),
  );
}

function contractsOf(value: JsonValue): readonly MappedContract[] {
  return mapValue(value, options).contracts;
}

test.prop([document, document], { numRuns: rounds(150) })(
  'an applied document changes nothing more',
  (file, other) => {
    for (const { fields, coarse } of contractsOf(file)) {
      for (const { fields: before } of [{ fields: {} }, ...contractsOf(other)]) {
        const live = applied({}, before);
        const once = withUnstated({ managed: fields, coarse }, live);
        expect(withUnstated({ managed: fields, coarse }, applied(live, once))).toEqual(once);
      }
    }
  },
);

test.prop([document], { numRuns: rounds(150) })('no null is left below the top level', (file) => {
  for (const { fields, coarse } of contractsOf(file)) {
    for (const leaf of leavesOf(withUnstated({ managed: fields, coarse }, {}))) {
      const refined = withUnstated({ managed: fields, coarse }, {});
      // A list or a mapping of a custom property is the catalog's to judge.
      const isWhole = leaf[0] === 'extension' && leaf.length > 2;
      if (leaf.length > 1 && !isWhole)
        expect(valueAt(refined, leaf), leaf.join('/')).not.toBeNull();
    }
  }
});

test.prop([fc.string(), fc.stringMatching(/^[{}$|.a-z]{0,12}$/u)])(
  'any text is a template or an error that says why not',
  (...texts) => {
    for (const text of texts) {
      const parsed = parseTemplate(text);
      expect('problem' in parsed ? parsed.problem.message : parsed.template.length).toBeTruthy();
    }
  },
);
