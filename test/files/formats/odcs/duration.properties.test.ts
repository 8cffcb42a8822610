import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/core/json.ts';
import { withUnstated } from '../../../../src/contract/equality.ts';
import { mapValue } from './mapping.ts';

/** Seconds, or months, in what the words stand for; ISO 8601 has a letter for each. */
const units = [
  { words: ['s', 'sec', 'Seconds'], iso: ['PT', 'S'], base: 'second', size: 1 },
  { words: ['m', 'min', 'MINUTES'], iso: ['PT', 'M'], base: 'second', size: 60 },
  { words: ['h', 'hr', 'hours'], iso: ['PT', 'H'], base: 'second', size: 3600 },
  { words: ['d', 'day', 'Days'], iso: ['P', 'D'], base: 'second', size: 86_400 },
  { words: ['w', 'wk', 'weeks'], iso: ['P', 'W'], base: 'second', size: 604_800 },
  { words: ['mo', 'month', 'Months'], iso: ['P', 'M'], base: 'month', size: 1 },
  { words: ['y', 'yr', 'years'], iso: ['P', 'Y'], base: 'month', size: 12 },
] as const;

type Spelling = { readonly value: JsonValue; readonly unit?: string; readonly size: string };

/** One of the ways that ODCS has to say so many of a unit. */
const spellings: fc.Arbitrary<Spelling> = fc
  .record({
    // Many of them are as long as another one in another unit.
    amount: fc.oneof(
      fc.nat(100),
      fc.constantFrom(0, 1, 2, 7, 12, 14, 24, 36, 48, 60, 120, 168, 1440, 2880, 3600, 7200, 86_400),
    ),
    unit: fc.constantFrom(...units),
    form: fc.constantFrom('number', 'text', 'spaced', 'iso', 'alone'),
    word: fc.nat(2),
  })
  .map(({ amount, unit, form, word }) => {
    const { words, iso, base } = unit;
    const named = words[word] ?? words[0];
    const total = amount * unit.size;
    const size = total === 0 ? 'nothing' : `${total} ${base}`;
    if (form === 'iso') return { value: `${iso[0]}${amount}${iso[1]}`, size };
    if (form === 'alone') return { value: `${amount} ${named}`, size };
    const value = form === 'number' ? amount : form === 'text' ? `${amount}` : ` ${amount} `;
    return { value, unit: named, size };
  });

const properties = fc.constantFrom('latency', 'retention', 'frequency');

/** The contract of a file with one entry; its SLA is undefined where the catalog can't hold it. */
function map(property: string, { value, unit }: Spelling, takesAnyUnit: boolean) {
  const entry = { property, value, ...(unit !== undefined && { unit }) };
  const document = {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    slaProperties: [entry],
    schema: [{ name: 't' }],
  };
  const [contract] = mapValue(document, { run: { takesAnyUnit } }).contracts;
  if (!contract) throw new Error('There is no contract.');
  return contract;
}

function membersOf(fields: JsonObject): JsonValue {
  const members = Object.entries((fields['sla'] ?? {}) as JsonObject);
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}

const cases = { property: properties, a: spellings, b: spellings, takesAnyUnit: fc.boolean() };

test.prop([fc.record(cases)])(
  'a duration in another spelling is a change only where its length differs',
  ({ property, a, b, takesAnyUnit }) => {
    const [before, after] = [a, b].map((each) => map(property, each, takesAnyUnit));
    fc.pre(before?.fields['sla'] !== undefined && after?.fields['sla'] !== undefined);
    if (!before || !after) return;
    const live = { sla: membersOf(before.fields) };
    const refined = withUnstated({ managed: after.fields, coarse: after.coarse }, live);
    const isSame = a.size === b.size;
    expect(membersOf(refined)).toEqual(isSame ? live.sla : membersOf(after.fields));
    if (!isSame) expect(membersOf(refined)).not.toEqual(live.sla);
  },
);

test.prop([fc.record(cases)])(
  'two entries of one duration are one, and two of different ones are a problem',
  ({ property, a, b, takesAnyUnit }) => {
    const entries = [a, b].map(({ value, unit }) => ({ property, value, ...(unit && { unit }) }));
    const sole = [a, b].map((each) => map(property, each, takesAnyUnit).fields['sla']);
    fc.pre(!sole.includes(undefined));
    const { contracts, diagnostics } = mapValue(
      {
        apiVersion: 'v3.1.0',
        kind: 'DataContract',
        slaProperties: entries,
        schema: [{ name: 't' }],
      },
      { run: { takesAnyUnit } },
    );
    const isTold = diagnostics.some(({ code }) => code === 'sla-ambiguous');
    expect(isTold).toBe(a.size !== b.size);
    expect(contracts).toHaveLength(1);
  },
);
