import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/core/json.ts';
import { productOf } from '../../../../src/catalog/products/products.ts';
import { promises } from '../../../../src/contract/contract.ts';
import { makeScope } from '../../../../src/files/formats/odcs/scope.ts';
import { defaultOdcsSettings } from '../../../../src/files/formats/odcs/settings.ts';
import { withUnstated } from '../../../../src/contract/equality.ts';
import { inUnits, parseDuration } from '../../../../src/contract/duration.ts';
import { composeSla } from '../../../../src/files/formats/odcs/sla.ts';
import { importedFields, type MapOptions, mapSections, mapValue, problemsOf } from './mapping.ts';

/** The SLA's members that have a value. */
function sla(entries: string, options?: MapOptions): unknown {
  const { sla: members } = importedFields(`slaProperties: [${entries}]`, options);
  if (members === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(members as object).filter(([, value]) => value !== null),
  );
}

const problems = (entries: string): string[] =>
  problemsOf(mapSections(`slaProperties: [${entries}]\nschema: [{ name: t }]`));

describe('a duration', () => {
  test.each([
    [24, 'h', 24, 'hour'],
    ['24', 'HOURS', 24, 'hour'],
    [' 3 ', 'd', 3, 'day'],
    [1, 'm', 1, 'minute'],
    [1, 'min', 1, 'minute'],
    [1, 'mo', 1, 'month'],
    [1, 'yr', 1, 'year'],
    [2, 'weeks', 2, 'week'],
    [90, 's', 90, 'second'],
    ['P1Y', undefined, 1, 'year'],
    ['P1M', undefined, 1, 'month'],
    ['PT1M', undefined, 1, 'minute'],
    ['PT24H', undefined, 24, 'hour'],
    ['24h', undefined, 24, 'hour'],
    ['24 hours', undefined, 24, 'hour'],
  ])('%j with the unit %j is %i %s', (value, unit, amount, known) => {
    expect(parseDuration(value, unit)).toEqual({ amount, unit: known });
  });

  test.each([
    [24, undefined],
    ['24', undefined],
    [1.5, 'h'],
    ['1.5', 'h'],
    [-1, 'h'],
    ['24h', 'h'],
    ['P1Y', 'y'],
    ['P1Y2M', undefined],
    ['500ms', undefined],
    [1, 'percent'],
    [true, 'h'],
    [1, 5],
    ['99999999999999999999', 'h'],
    ['a while', undefined],
  ] as [JsonValue, JsonValue | undefined][])('%j with the unit %j is refused', (value, unit) => {
    expect(parseDuration(value, unit)).toBeUndefined();
  });

  test.each([
    [120, 'minute', ['hour', 'day'], 2, 'hour'],
    [48, 'hour', ['day'], 2, 'day'],
    [2880, 'minute', ['day'], 2, 'day'],
    [2, 'week', ['minute', 'hour', 'day'], 14, 'day'],
    [7200, 'second', ['hour'], 2, 'hour'],
    [0, 'second', ['hour'], 0, 'hour'],
  ] as const)('of %i %s is exact in %j: %i %s', (amount, unit, allowed, ...[expected, known]) => {
    expect(inUnits({ amount, unit }, allowed)).toEqual({ amount: expected, unit: known });
  });

  test.each([
    [90, 'minute', ['hour']],
    [36, 'hour', ['day']],
    [1, 'year', ['day']],
    [1, 'month', ['day']],
    [13, 'month', ['year']],
    [90, 'second', ['minute']],
  ] as const)('of %i %s is not exact in %j', (amount, unit, allowed) => {
    expect(inUnits({ amount, unit }, allowed)).toBeUndefined();
  });
});

describe('the SLA', () => {
  test.each([
    ['{ property: retention, value: 3, unit: y }', { retention: { period: 3, unit: 'year' } }],
    ['{ property: " RE ", value: P2Y }', { retention: { period: 2, unit: 'year' } }],
    ['{ property: retention, value: 48, unit: h }', { retention: { period: 2, unit: 'day' } }],
    ['{ property: latency, value: 90, unit: m }', { maxLatency: { value: 90, unit: 'minute' } }],
    ['{ property: maxLatency, value: 2, unit: w }', { maxLatency: { value: 14, unit: 'day' } }],
    [
      '{ property: freshness, value: 24, unit: h }',
      { refreshFrequency: { interval: 24, unit: 'hour' } },
    ],
    [
      '{ property: Frequency, value: 120, unit: m }',
      { refreshFrequency: { interval: 2, unit: 'hour' } },
    ],
    ['{ property: timeOfAvailability, value: "09:00" }', { availabilityTime: '09:00' }],
    ['{ property: availabilityTime, value: 09:00 UTC }', { availabilityTime: '09:00 UTC' }],
  ])('%s', (entry, members) => {
    expect(sla(entry)).toEqual(members);
  });

  test('has its four members from the file, so what no entry is about is removed', () => {
    expect(
      importedFields('slaProperties: [{ property: retention, value: 1, unit: d }]')['sla'],
    ).toEqual({
      refreshFrequency: null,
      maxLatency: null,
      retention: { period: 1, unit: 'day' },
      availabilityTime: null,
    });
  });

  test('is empty where the list is, and not managed where no entry can be held', () => {
    expect(sla('')).toEqual({});
    expect(sla('{ property: availability, value: 95, unit: "%" }')).toBeUndefined();
    expect(sla('{ property: retention, value: forever }')).toBeUndefined();
    expect(importedFields('slaProperties: ~')).toEqual({});
  });

  test.each([
    ['refreshFrequency', '{ property: frequency, value: 15, unit: min }'],
    ['retention', '{ property: retention, value: 36, unit: h }'],
    ['retention', '{ property: retention, value: 3 }'],
    ['retention', '{ property: retention, value: 4294967295, unit: d }'],
    ['maxLatency', '{ property: latency, value: 1, unit: mo }'],
    ['maxLatency', '{ property: latency, value: 500ms }'],
    ['availabilityTime', '{ property: availabilityTime, value: 9 }'],
  ])("leaves the live %s where it cannot hold the file's, with a warning: %s", (member, entry) => {
    expect(problems(entry)).toEqual(['warning sla-not-representable /slaProperties/0/value']);
    const other = member === 'retention' ? 'latency' : 'retention';
    const text = `slaProperties: [${entry}, { property: ${other}, value: 1, unit: d }]`;
    expect(importedFields(text)['sla']).not.toHaveProperty(member);
  });

  test('of a standard catalog may have any unit', () => {
    const entry = '{ property: frequency, value: 15, unit: min }';
    expect(sla(entry, { run: { takesAnyUnit: true } })).toEqual({
      refreshFrequency: { interval: 15, unit: 'minute' },
    });
  });

  describe.each(['standard', 'openmetadata', 'auto'])(
    'as an import from %s writes it',
    (dialect) => {
      const { takesAnyUnit } = productOf(dialect);
      const run = { takesAnyUnit };
      const units = ['minute', 'hour', 'day', 'week', 'month', 'year', 'fortnight'];
      const cases = Object.entries(promises).flatMap(([member, promise]) =>
        units.map((unit) => ({ member, unit, ...promise })),
      );
      test.each(cases)('reads back without a warning: $member in $unit', (each) => {
        const { member, amount, unit } = each;
        const live = { [member]: { [amount]: 15, unit } };
        const head = { apiVersion: 'v3.1.0', kind: 'DataContract', schema: [{ name: 't' }] };
        const placed = { value: head, pointer: [] };
        const whole = { today: '', takesAnyUnit };
        const scope = makeScope(placed, { odcs: { settings: defaultOdcsSettings, run: whole } });
        const composed = composeSla(live, scope);
        const mapped = mapValue({ ...head, ...composed }, { run });
        expect(problemsOf(mapped)).toEqual([]);
        const isHeld = takesAnyUnit
          ? unit !== 'fortnight'
          : (each.units as readonly string[]).includes(unit);
        const [contract] = mapped.contracts;
        if ('slaProperties' in composed) {
          const { fields = {}, coarse = [] } = contract ?? {};
          const { sla: stated } = withUnstated({ managed: fields, coarse }, { sla: live });
          expect(stated).toEqual(live);
        } else expect(isHeld).toBe(false);
      });
    },
  );

  test('keeps a live time of day where the file has one with an offset', () => {
    const text = '{ property: timeOfAvailability, value: 09:00-08:00 }';
    expect(problems(text)).toEqual([]);
    expect(sla(text)).toBeUndefined();
    const both = importedFields(
      `slaProperties: [${text}, { property: latency, value: 1, unit: h }]`,
    );
    expect(both['sla']).not.toHaveProperty('availabilityTime');
  });
});

describe('of several entries for one member', () => {
  const day = 'value: 1, unit: d';
  test.each([
    [
      'refreshFrequency',
      `{ property: freshness, value: 2, unit: d }, { property: frequency, ${day} }`,
    ],
    [
      'refreshFrequency',
      `{ property: frequency, value: 2, unit: d }, { property: refreshFrequency, ${day} }`,
    ],
    ['maxLatency', `{ property: ly, value: 2, unit: d }, { property: maxLatency, ${day} }`],
    [
      'maxLatency',
      `{ property: latency, ${day}, driver: legal }, { property: ly, value: 24, unit: h, driver: other }, { property: latency, ${day} }`,
    ],
    ['maxLatency', `{ property: latency, ${day} }, { property: ly, value: 1, unit: days }`],
  ])('the preferred one decides %s: %s', (member, entries) => {
    expect(problems(entries)).toEqual([]);
    expect(sla(entries)).toMatchObject({ [member]: { unit: 'day' } });
    expect(Object.values((sla(entries) as Record<string, object>)[member] ?? {})).toContain(1);
  });

  test.each([
    `{ property: latency, ${day} }, { property: latency, value: 2, unit: d }`,
    `{ property: latency, ${day}, driver: a }, { property: latency, value: 2, unit: d, driver: b }`,
  ])('no entry is guessed: %s', (entries) => {
    expect(problems(entries)).toEqual(['warning sla-ambiguous /slaProperties/0']);
    expect(sla(entries)).toBeUndefined();
  });
});

const latencies = (entries: string): unknown[] =>
  mapSections(
    `schema: [{ name: a, physicalName: A_1 }, { name: b }]\nslaProperties: [${entries}]`,
  ).contracts.map(
    ({ fields }) => (fields['sla'] as Record<string, JsonValue> | undefined)?.['maxLatency'],
  );

const entry = (element: string, value = 1): string =>
  `{ property: latency, value: ${value}, unit: d, element: "${element}" }`;

describe('an entry with an element', () => {
  const one = { value: 1, unit: 'day' };

  test.each([
    ['a.x', [one, undefined]],
    ['A_1.x', [one, undefined]],
    ['b', [undefined, one]],
    [' b ', [undefined, one]],
    ['a.x, b.y', [one, one]],
    ['tab1.x', [one, one]],
    ['x', [one, one]],
    ['ab.x', [one, one]],
  ])('%s is for the object that it names', (element, expected) => {
    expect(latencies(entry(element))).toEqual(expected);
  });

  test('may be another one for each object', () => {
    expect(latencies(`${entry('a.x', 1)}, ${entry('b.x', 2)}`)).toEqual([
      one,
      { value: 2, unit: 'day' },
    ]);
  });
});
