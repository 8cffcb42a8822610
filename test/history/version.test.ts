import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import { parseVersions } from '../../src/history/version.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { at, standard, versionsOf } from './histories.ts';

const amount = { name: 'amount', dataType: 'INT' };
const city = { name: 'city', dataType: 'STRING' };

const changes: readonly (readonly [string, JsonObject, JsonObject, readonly JsonObject[]])[] = [
  [
    'a text that became another',
    { description: 'One.' },
    { description: 'Two.' },
    [
      {
        kind: 'replace',
        path: '/description',
        label: 'description',
        before: 'One.',
        after: 'Two.',
      },
    ],
  ],
  [
    'a member of an element, by its key though it moved',
    { schema: [amount, city] },
    { schema: [city, { ...amount, dataType: 'LONG' }] },
    [
      {
        kind: 'replace',
        path: '/schema/{name=amount}/dataType',
        label: 'schema[amount].dataType',
        before: 'INT',
        after: 'LONG',
      },
      { kind: 'move', path: '/schema/{name=city}', label: 'schema[city]' },
    ],
  ],
  [
    'an element that took the place of another as one gone and one come',
    { schema: [amount] },
    { schema: [city] },
    [
      { kind: 'remove', path: '/schema/{name=amount}', label: 'schema[amount]', before: amount },
      { kind: 'add', path: '/schema/{name=city}', label: 'schema[city]', after: city },
    ],
  ],
  [
    'a field that came and one that went',
    { description: 'One.' },
    { sla: { timezone: 'UTC' } },
    [
      { kind: 'remove', path: '/description', label: 'description', before: 'One.' },
      { kind: 'add', path: '/sla', label: 'sla', after: { timezone: 'UTC' } },
    ],
  ],
  ['the order of owners as nothing', { owners: ['a', 'b'] }, { owners: ['b', 'a'] }, []],
  [
    'what the catalog notes as nothing',
    { latestResult: { status: 'Success' } },
    { latestResult: { status: 'Failed' }, changeDescription: {}, impersonatedBy: 'bot' },
    [],
  ],
  ['the earlier name of the status as nothing', { status: 'Draft' }, { entityStatus: 'Draft' }, []],
  [
    'an owner of whom less was said as nothing',
    { owners: [{ id: 'u1', type: 'user' }] },
    { owners: [{ id: 'u1', type: 'user', displayName: 'Ada' }] },
    [],
  ],
];

test.each(changes)('a version has %s', (_, earlier, later, expected) => {
  expect(versionsOf([earlier, later])[0]?.changes).toEqual(expected);
});

test('a version has its number, time and user', () => {
  const [now, first] = versionsOf([{}, { updatedBy: 'mira', version: 1 }]);
  expect(now).toMatchObject({ version: '1.0', updatedAt: at(1), user: 'mira' });
  expect(first).toMatchObject({ version: '0.1', updatedAt: at(0), user: 'ada', changes: [] });
  const [byBot] = versionsOf([{ impersonatedBy: 'bot' }]);
  expect(byBot?.user).toBe('bot as ada');
});

test('a snapshot of few fields is a version; one without an id is skipped', () => {
  const versions = parseVersions([{ id: 'c1', description: 'One.' }, { name: 'c1' }], standard);
  expect(versions).toHaveLength(1);
  expect(versions[0]).toMatchObject({ changes: [], mayHoldMore: false });
  expect(versions[0]).not.toHaveProperty('user');
});

describe('a version shows no change of', () => {
  test('an empty list where the catalog takes it for an absent one', () => {
    const rules = { ...standard, equivalence: { ...standard.equivalence, emptyIsAbsent: true } };
    expect(versionsOf([{ schema: [] }, { semantics: [] }], rules)[0]?.changes).toEqual([]);
  });

  test('a place that the configuration ignores', () => {
    const ignore = [['schema', '*', 'tags']];
    const rules = { ...standard, equivalence: { ...standard.equivalence, ignore } };
    const states = [['pii'], ['gdpr']].map((tags) => ({ schema: [{ ...amount, tags }] }));
    expect(versionsOf(states, rules)[0]?.changes).toEqual([]);
  });
});

test('a number that repeats or goes back is marked', () => {
  const versions = versionsOf([{ version: 0.2 }, { version: 0.2 }, { version: 0.1 }, {}]);
  const numberings = versions.map(({ numbering = 'goes-on' }) => numbering);
  expect(numberings).toEqual(['goes-on', 'goes-back', 'repeats', 'goes-on']);
});

const notes: readonly (readonly [string, boolean, JsonObject])[] = [
  ['the interface’s own notes', false, { changeDescription: { fieldsUpdated: [] } }],
  ['one write', false, madeFrom(0.1, 0.1)],
  ['two writes that were merged', true, madeFrom(0.1, 0.2)],
  ['a write that took a later version back', true, madeFrom(0.1, 0.3)],
  ['no note of its last write', true, { changeDescription: { previousVersion: 0.1 } }],
  ['nothing', false, {}],
];

test.each(notes)('a version with %s may hold more: %s', (_, expected, note) => {
  expect(versionsOf([{}, note])[0]?.mayHoldMore).toBe(expected);
});

function madeFrom(version: number, lastWriteTo: number): JsonObject {
  return {
    changeDescription: { previousVersion: version },
    incrementalChangeDescription: { previousVersion: lastWriteTo },
  };
}

/** Stories that a real server told; of each the last history that was asked for. */
const stories: readonly (readonly [string, readonly string[]])[] = [
  ['session-two-edits', ['0.2 admin at least description', '0.1 admin']],
  ['session-undo', ['0.2 admin description', '0.1 admin at least']],
  ['session-undo-partly', ['0.2 admin at least entityStatus', '0.1 admin']],
  [
    'session-two-users',
    [
      '0.5 ada description',
      '0.4 admin description',
      '0.3 ada description',
      '0.2 admin description',
      '0.1 admin',
    ],
  ],
  ['wait-after-validate', ['0.3 admin description', '0.2 admin at least description', '0.1 admin']],
  [
    'put-update',
    [
      '0.4 admin entityStatus',
      '0.3 admin description entityStatus owners[ada] owners[mira] schema semantics sla',
      '0.2 admin description displayName effectiveFrom entityStatus reviewers schema semantics sla termsOfUse',
      '0.1 admin',
    ],
  ],
];

test.each(stories)('the history of the story %s is as it was', (story, expected) => {
  const equivalence = { ...openmetadata.equivalence, ignore: [] };
  const versions = parseVersions(lastHistoryOf(story), { ...defaultRules, equivalence });
  const lines = versions.map(({ version, user, mayHoldMore, changes: made }) =>
    [version, user, ...(mayHoldMore ? ['at least'] : []), ...made.map(({ label }) => label)].join(
      ' ',
    ),
  );
  expect(lines).toEqual(expected);
});

function lastHistoryOf(story: string): readonly JsonObject[] {
  const file = new URL(`../sandbox/openmetadata/traces/${story}.json`, import.meta.url);
  const trace: JsonValue = JSON.parse(readFileSync(file, 'utf8'));
  const steps = isObject(trace) && isArray(trace['steps']) ? trace['steps'] : [];
  const histories = steps.filter(isObject).flatMap(({ request, response }) => {
    const path = isObject(request) ? request['path'] : undefined;
    const body = isObject(response) ? response['body'] : undefined;
    return typeof path === 'string' && path.endsWith('/versions') && isObject(body)
      ? [body['versions']]
      : [];
  });
  const texts = histories.at(-1);
  return isArray(texts) ? texts.map(parseSnapshot).filter(isObject) : [];
}

function parseSnapshot(text: JsonValue): JsonValue {
  return isObject(text) ? (text['$json'] ?? null) : text;
}
