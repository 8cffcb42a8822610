import { describe, expect, test } from 'vitest';
import { properties } from '../../../src/catalog/products/openmetadata/check.ts';
import type { JsonValue } from '../../../src/core/json.ts';

const enumOf = (multiSelect: boolean): JsonValue => ({
  values: ['bronze', 'silver', 'gold'],
  multiSelect,
});
const oneLevel = ['enum', enumOf(false)] as const;
const someLevels = ['enum', enumOf(true)] as const;
const day = ['date-cp', 'yyyy-MM-dd'] as const;
const moment = ['dateTime-cp', 'dd/MM/yyyy HH:mm:ss'] as const;
const clock = ['time-cp', 'hh:mm a'] as const;
const table = ['table-cp', { columns: ['x', 'y'] }] as const;
const steward = ['entityReference', ['user', 'team']] as const;

/** How the plan checks a value as files write it. */
function problemsOf(type: string, config: JsonValue, written: JsonValue): readonly string[] {
  const definition = { name: 'level', type, config };
  const value = properties.asStored(written, definition);
  return properties
    .check(value, definition)
    .map(
      ({ code, pointer, message, hint }) => `${code} at ${pointer.join('/')}: ${message} ${hint}`,
    );
}

describe('a custom property', () => {
  test.each<[type: string, config: JsonValue, value: JsonValue]>([
    ['string', null, ''],
    ['markdown', null, '# Title'],
    ['duration', null, 'P1D'],
    ['integer', null, 4_000_000_000],
    ['number', null, 1.5],
    ['timestamp', null, 1_767_312_000_000],
    ['email', null, 'ada@example.com'],
    [...oneLevel, 'gold'],
    [...oneLevel, ['gold']],
    [...oneLevel, []],
    [...someLevels, ['gold', 'bronze']],
    [...day, '2024-02-29'],
    [...moment, '31/01/2026 23:59:59'],
    [...clock, '06:30 PM'],
    ['date-cp', 'd MMMM yyyy', '1 May 2026'],
    ['date-cp', 'dd/MM/yyyy (yyyy)', '31/01/2026 (2026)'],
    ['timeInterval', null, { start: 1, end: 2 }],
    ['hyperlink-cp', null, { url: 'https://example.com/a', displayText: 'A' }],
    [...table, { columns: ['y', 'x'], rows: [{ x: '1', y: '2' }] }],
    [...steward, { type: 'user', fullyQualifiedName: 'ada' }],
    ['entityReferenceList', ['user'], [{ type: 'user', id: 'c5f8' }]],
    ['a type of later releases', null, { any: [1] }],
  ])('of the type %s (%j) takes %j', (type, config, value) => {
    expect(problemsOf(type, config, value)).toEqual([]);
  });

  test.each<[type: string, config: JsonValue, value: JsonValue, problem: string]>([
    ['string', null, 5, 'wrong-type at extension/level: `level` must be text. Quote it.'],
    ['number', null, '1', '`level` must be a number. Write a number, without quotes.'],
    ['integer', null, 1.5, '`level` must be a whole number. Write a number, without quotes.'],
    [
      'timestamp',
      null,
      '2026-01-02',
      '`level` must be a whole number. Write the milliseconds since 1970.',
    ],
    ['email', null, 'ada', '`level` must be an e-mail address. Write it like ada@example.com.'],
    [
      ...oneLevel,
      'goldd',
      'unknown-value at extension/level/0: The catalog has no level "goldd". Did you mean "gold"?',
    ],
    [...oneLevel, 'x', 'The catalog has no level "x". Write bronze, silver, gold.'],
    [...oneLevel, ['bronze', 'gold'], '`level` must be one value. Write bronze or silver or gold.'],
    [...someLevels, [1], 'The catalog has no level "1". Write bronze, silver, gold.'],
    ['enum', { values: ['1'] }, [1], '`level[0]` must be text. Quote it.'],
    [...oneLevel, true, '`level` must be a list. Start each item with a dash.'],
    [...day, '2026-1-2', '`level` must be of the form yyyy-MM-dd. Write it like 2026-01-31.'],
    [...day, '2026-02-30', '`level` must be of the form yyyy-MM-dd. Write it like 2026-01-31.'],
    [
      ...moment,
      '2026-01-02 03:04:05',
      '`level` must be of the form dd/MM/yyyy HH:mm:ss. Write it like 31/01/2026 18:30:00.',
    ],
    [
      ...moment,
      '31/01/2026 24:00:00',
      '`level` must be of the form dd/MM/yyyy HH:mm:ss. Write it like 31/01/2026 18:30:00.',
    ],
    [...clock, '18:30', '`level` must be of the form hh:mm a. Write it like 06:30 PM.'],
    [
      'timeInterval',
      null,
      { start: '1' },
      '`start` must be a whole number. Write the milliseconds since 1970.',
    ],
    ['hyperlink-cp', null, { displayText: 'A' }, '`level` needs a `url`. Add it.'],
    [
      'hyperlink-cp',
      null,
      { url: 'javascript:x()' },
      '`url` must be an address. Write it like https://example.com/page.',
    ],
    [...table, { columns: ['third'] }, 'The catalog has no columns "third". Write x, y.'],
    [...table, { columns: ['x'], rows: [{ x: 1 }] }, '`x` must be text. Quote it.'],
    [...steward, 'ada', '`level` must be a mapping. Write it with its keys, as `key: value`.'],
    [
      ...steward,
      { type: 'table', id: 'c5f8' },
      'The catalog has no type "table". Write user, team.',
    ],
    ['entityReferenceList', null, [{ id: 'c5f8' }], '`level[0]` needs a `type`. Add it.'],
  ])('of the type %s (%j) refuses %j', (type, config, value, problem) => {
    expect(problemsOf(type, config, value)).toEqual([expect.stringContaining(problem)]);
  });
});
