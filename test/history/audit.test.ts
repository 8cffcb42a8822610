import { describe, expect, test } from 'vitest';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { auditContracts, findDrift } from '../../src/history/drift.ts';
import {
  createManaged,
  type FileState,
  findProvenance,
  traceVersions,
} from '../../src/history/provenance.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { at, hour, versionsOf } from './histories.ts';

const { arrays } = defaultRules;

function file(commit: string, hours: number, managed: JsonObject): FileState {
  return { commit, author: 'Ada', time: at(hours), managed };
}

function sourcesOf(states: readonly JsonObject[], files: readonly FileState[]) {
  const versions = versionsOf(states);
  return traceVersions(versions, { states: files, knownFrom: -Infinity }, defaultRules);
}

function commitsOf(states: readonly JsonObject[], files: readonly FileState[]) {
  return sourcesOf(states, files).map(({ provenance }) => {
    if (!('commit' in provenance)) return 'no commit';
    return provenance.kind === 'git' ? provenance.commit : `since ${provenance.commit}`;
  });
}

describe('a version is from git', () => {
  test('where a commit asks for just that, and says who wrote it', () => {
    const [source] = sourcesOf([{ description: 'One.' }], [file('a1', 0, { description: 'One.' })]);
    expect(source?.provenance).toEqual({ kind: 'git', commit: 'a1', author: 'Ada' });
  });

  test('whatever it has beside the fields that the file manages', () => {
    const states = [{ description: 'One.', owners: [{ name: 'ada' }] }];
    expect(commitsOf(states, [file('a1', 0, { description: 'One.' })])).toEqual(['a1']);
  });

  test('of the last commit that was there by then', () => {
    const states = ['One.', 'Two.', 'One.'].map((description) => ({ description }));
    const files = [
      file('c3', 1.5, { description: 'One.' }),
      file('b2', 0.5, { description: 'Two.' }),
      file('a1', 0, { description: 'One.' }),
    ];
    expect(commitsOf(states, files)).toEqual(['c3', 'b2', 'a1']);
  });

  test('but not where it changed nothing that the file manages', () => {
    const states = [
      { description: 'One.', sla: { timezone: 'UTC' } },
      { description: 'One.', sla: { timezone: 'CET' } },
    ];
    expect(commitsOf(states, [file('a1', 0, { description: 'One.' })])).toEqual([
      'no commit',
      'a1',
    ]);
  });

  test('or nobody knows, where it is older than the commits that are known', () => {
    const versions = versionsOf(['One.', 'Two.', 'Three.'].map((description) => ({ description })));
    const states = [file('b2', 1.5, { description: 'Two.' })];
    const found = findProvenance(versions, { states, knownFrom: at(1.5) }, defaultRules);
    expect(found.map(({ kind }) => kind)).toEqual(['no-commit', 'unknown', 'unknown']);
  });

  test.for([1, 60])('not from the commit that pulled it into the file %i s later', (seconds) => {
    const files = [file('a1', seconds / 3600, { description: 'One.' })];
    expect(commitsOf([{ description: 'One.' }], files)).toEqual(['since a1']);
  });

  test('where a plan would leave it as it is', () => {
    const versions = versionsOf([
      {
        owners: [
          { id: 'u2', name: 'mira' },
          { id: 'u1', name: 'ada' },
        ],
        schema: [{ name: 'id', dataType: 'INT', tags: [], dataLength: 1 }],
      },
    ]);
    const managed = {
      owners: [{ name: 'ada' }, { name: 'mira' }],
      schema: [{ name: 'id', dataType: 'INT' }],
      sla: null,
    };
    const equivalence = { ...openmetadata.equivalence, ignore: [] };
    const sources = findProvenance(
      versions,
      { states: [file('a1', 0, managed)], knownFrom: -Infinity },
      { equivalence, arrays },
    );
    expect(sources).toMatchObject([{ kind: 'git', commit: 'a1' }]);
  });
});

test('a version is in git since the first commit after it that asks for what it changed', () => {
  const files = [3, 2, 0.5].map((hours) =>
    file(`at ${hours}`, hours, { description: hours === 0.5 ? 'One.' : 'Two.' }),
  );
  const states = [{ description: 'One.' }, { description: 'Two.' }, { description: 'Three.' }];
  expect(commitsOf(states, files)).toEqual(['no commit', 'since at 2', 'since at 0.5']);
});

describe('a version is from no commit', () => {
  test('where no commit asks for it', () => {
    const states = [{ description: 'One.' }, { description: 'One.', sla: {} }];
    const files = [file('a1', 0, { description: 'One.', sla: null })];
    expect(commitsOf(states, files)).toEqual(['no commit', 'a1']);
  });
});

const declared = { description: 'One.', schema: [{ name: 'id', dataType: 'INT' }] };
const retyped = { schema: [{ name: 'id', dataType: 'LONG' }] };
const isManaged = createManaged({ managed: declared }, defaultRules);

function driftsOf(states: readonly JsonObject[]) {
  const sources = sourcesOf(states, [file('a1', 0, declared)]);
  return findDrift(sources, isManaged, arrays).map(({ label, from, until }) =>
    [label, from.version, until?.version ?? 'lives'].join(' '),
  );
}

describe('drift', () => {
  test('lives from an edit by hand until somebody takes it back', () => {
    const states = [
      declared,
      { ...declared, description: 'Two.' },
      { ...declared, ...retyped, description: 'Three.' },
      { ...declared, ...retyped },
    ];
    expect(driftsOf(states)).toEqual(['description 0.2 0.4', 'schema[id].dataType 0.3 lives']);
  });

  test('ends when git asks for what was edited', () => {
    const sources = sourcesOf(
      [declared, { ...declared, ...retyped }, { ...retyped, description: 'Two.' }],
      [file('b2', 1.5, { ...retyped, description: 'Two.' }), file('a1', 0, declared)],
    );
    const drifts = findDrift(sources, isManaged, arrays);
    expect(drifts).toMatchObject([{ from: { version: '0.2' }, until: { version: '0.3' } }]);
  });

  test('is nothing before git has said anything', () => {
    expect(driftsOf([{ description: 'Two.' }, { description: 'Three.' }])).toEqual([]);
  });

  test('is nothing of a field that the file does not manage', () => {
    expect(driftsOf([declared, { ...declared, sla: { timezone: 'UTC' } }])).toEqual([]);
  });
});

test('an audit counts versions, users, places and the life of drift', () => {
  const states = [
    declared,
    { ...declared, description: 'Two.', updatedBy: 'mira' },
    declared,
    { ...declared, ...retyped, updatedBy: 'mira' },
    { ...declared, ...retyped, description: 'Two.', updatedBy: 'zoe' },
    { ...declared, ...retyped, description: 'Two.', sla: {}, updatedBy: 'zoe' },
  ];
  const versions = sourcesOf(states, [file('a1', 0, declared)]);
  const drifts = findDrift(versions, isManaged, arrays);
  const contracts = [{ contract: 'orders', versions, isManaged, drifts }];
  expect(auditContracts(contracts, { since: at(0), now: at(10) })).toEqual({
    fromGit: 1,
    gitSince: 0,
    noCommit: 3,
    unknown: 0,
    users: [
      { user: 'mira', fromGit: 0, gitSince: 0, noCommit: 2, unknown: 0 },
      { user: 'zoe', fromGit: 0, gitSince: 0, noCommit: 1, unknown: 0 },
      { user: 'ada', fromGit: 1, gitSince: 0, noCommit: 0, unknown: 0 },
    ],
    places: [
      { contract: 'orders', label: 'description', times: 2, longest: 6 * hour, isDrifting: true },
      {
        contract: 'orders',
        label: 'schema[id].dataType',
        times: 1,
        longest: 7 * hour,
        isDrifting: true,
      },
    ],
    drift: { ended: 1, living: 2, unknown: 0, median: 6 * hour, longest: 7 * hour },
  });
});

test('an audit leaves out what was over before its time', () => {
  const states = [declared, { ...declared, description: 'Two.' }, declared];
  const versions = sourcesOf(states, [file('a1', 0, declared)]);
  const drifts = findDrift(versions, isManaged, arrays);
  const contracts = [{ contract: 'orders', versions, isManaged, drifts }];
  expect(auditContracts(contracts, { since: at(5), now: at(10) })).toEqual({
    fromGit: 0,
    gitSince: 0,
    noCommit: 0,
    unknown: 0,
    users: [],
    places: [],
    drift: { ended: 0, living: 0, unknown: 0, median: 0, longest: 0 },
  });
});
