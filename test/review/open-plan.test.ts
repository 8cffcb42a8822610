import { expect, test } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import { patchOf, sealPlan, withPatches, makePlan } from '../../src/plan/seal.ts';
import { planMissing } from '../../src/plan/contract-plan.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Change, Plan, UpdatePlan } from '../../src/plan/plan.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { openPlan } from '../../src/review/open-plan.ts';
import { desiredOf, updateOf } from '../support/contracts.ts';

const update = updateOf(
  { description: 'Old.', tags: ['a', 'b'], updatedAt: 1 },
  { description: 'New.', tags: ['c', 'b'] },
);

const { arrays } = defaultRules;
const plan = makePlan('https://catalog.example.com/api', [update], [], { arrays });

const shown = withPatches(plan);
const written = sealPlan(shown);

const { id, fullyQualifiedName, source } = update;
const unchanged = { action: 'unchanged', id, fullyQualifiedName, source, problems: [] };

const reader = { id: 'a', type: 'table', name: 'b', fullyQualifiedName: 'a.b', distance: 1 };

function open(document: object): Plan {
  return openPlan(JSON.stringify(document), 'plan.json');
}

/** With a checksum that is right, as anybody can make one. */
function resealed(changes: object): object {
  return sealPlan(Object.assign({}, shown, changes));
}

test('a plan is read with any white space and order of members', () => {
  expect(openPlan(JSON.stringify(written, null, 2), 'plan.json')).toEqual(shown);
  const members = Object.entries(written).toReversed();
  expect(open(Object.fromEntries(members))).toEqual(shown);
});

test.for<[string, object]>([
  ['an operation', { contracts: [{ ...update, changes: [] }] }],
  ['the state that guards it', { contracts: [{ ...update, liveUpdatedAt: 2 }] }],
  ['what is shown', { summary: { ...plan.summary, update: 2 } }],
  ['the catalog', { catalogUrl: 'https://other.example.com/api' }],
  ['a verdict', { errored: true }],
  ['the hash', { planHash: `sha256:${'0'.repeat(64)}` }],
  ['the checksum', { checksum: `sha256:${'0'.repeat(64)}` }],
  ['a further member', { note: 'harmless' }],
])('a file in which %s was edited is refused', ([, edit]) => {
  expect(() => open({ ...written, ...edit })).toThrow(
    expect.objectContaining({ code: 'plan-edited' }),
  );
});

const restated = [
  ...update.changes.map((each) => ({ ...each, after: each.before ?? null })),
  ...update.changes,
];

test.for<[string, object]>([
  ['another operation', { changes: update.changes.map((each) => ({ ...each, kind: 'remove' })) }],
  ['another value', { changes: update.changes.map((each) => ({ ...each, after: 'Other.' })) }],
  [
    'one more operation',
    {
      changes: [
        ...update.changes,
        { kind: 'add', path: '/extension', place: '/extension', label: 'extension', after: 1 },
      ],
    },
  ],
  ['an operation that changes nothing', { changes: restated, patch: patchOf(restated) }],
  ['another place', { changes: update.changes.map((each) => ({ ...each, place: '/owners' })) }],
  ['another target', { target: { description: 'Other.' } }],
  ['other values before', { changes: update.changes.map((each) => ({ ...each, before: 'x' })) }],
  ['another patch', { patch: [{ op: 'replace', path: '/description', value: 'Other.' }] }],
  ['another order of the patch', { patch: patchOf(update.changes).toReversed() }],
  ['no patch', { patch: undefined }],
  ['another fingerprint', { fingerprint: `sha256:${'0'.repeat(64)}` }],
])('%s under the hash of the plan is refused, though the checksum is right', ([, edit]) => {
  const edited = Object.assign({}, shown.contracts[0], edit);
  expect(() => open(resealed({ contracts: [edited] }))).toThrow(
    expect.objectContaining({ code: 'plan-edited' }),
  );
});

const columns = (...descriptions: readonly string[]) =>
  descriptions.map((description, index) => ({ name: `c${index}`, description }));

const steps = (...all: readonly string[]) => ({
  extension: { steps: all.map((step) => ({ step })) },
});

test.for<[string, object]>([
  ['a verdict', { errored: true }],
  ['other counts', { summary: { ...plan.summary, update: 2 } }],
  ['another hash', { planHash: `sha256:${'0'.repeat(64)}` }],
  [
    'a contract that is changed and unchanged at once',
    { contracts: [...shown.contracts, unchanged] },
  ],
])('%s of the whole plan is refused, though the checksum is right', ([, edit]) => {
  expect(() => open(resealed(edit))).toThrow(expect.objectContaining({ code: 'plan-edited' }));
});

const moveOf = (from: number, to: number): Change => ({
  kind: 'move',
  from: `/schema/${from}`,
  path: `/schema/${to}`,
  place: '/schema/{name=c1}',
  label: `schema[${to} c1]`,
});

test.for<[string, JsonObject, JsonObject, (change: UpdatePlan) => object]>([
  [
    'the place of another element',
    { schema: columns('A.', 'B.') },
    { schema: columns('A.', 'C.') },
    ({ changes }) => ({
      changes: changes.map((each) => ({ ...each, place: '/schema/{name=c0}/description' })),
    }),
  ],
  [
    'the place of another field that had the same value',
    { description: 'Old.', displayName: 'Old.' },
    { description: 'New.', displayName: 'Newer.' },
    ({ changes: [first, second] }) => ({
      changes: [
        { ...first, place: second?.place },
        { ...second, place: first?.place },
      ],
    }),
  ],
  [
    'two moves of which one undoes the other',
    { description: 'Old.', schema: columns('A.', 'B.') },
    { description: 'New.' },
    ({ changes, target, liveVersion }) => ({
      target: { ...target, schema: columns('A.', 'B.') },
      predictedVersions: standard.predictVersions(liveVersion, ['description', 'schema', 'schema']),
      changes: [...changes, moveOf(1, 0), moveOf(0, 1)],
    }),
  ],
])('a change with %s is refused', ([, before, managed, edit]) => {
  const changed = updateOf(before, managed);
  const made = withPatches(makePlan(plan.catalogUrl, [changed], [], { arrays }));
  expect(open(sealPlan(made))).toEqual(made);
  const edited: UpdatePlan = Object.assign({}, changed, edit(changed));
  const forged = withPatches({ ...made, contracts: [edited] });
  expect(() => open(sealPlan(forged))).toThrow(expect.objectContaining({ code: 'plan-edited' }));
});

test('an element without a key is added before another', () => {
  const added = updateOf(steps('a', 'b'), steps('x', 'a', 'b'));
  const made = withPatches(makePlan(plan.catalogUrl, [added], [], { arrays }));
  expect(added.changes).toMatchObject([
    { path: '/extension/steps/0', place: '/extension/steps/-' },
  ]);
  expect(open(sealPlan(made))).toEqual(made);
});

test.for(['0.9', '2.0', '10.0', 'x'])('the format %s is refused', (formatVersion) => {
  expect(() => open(resealed({ formatVersion }))).toThrow(
    expect.objectContaining({ code: 'not-a-plan' }),
  );
});

test('a plan with two files whose contracts are missing is read', () => {
  const entity = { type: 'table', fullyQualifiedName: 'shop.sales.web' };
  const [first, second] = ['orders', 'carts'].map((name) => {
    const file = { ...desiredOf({}), identity: { name, entity } };
    return planMissing({ desired: file }, { ...defaultRules, missing: 'report' });
  });
  const both = makePlan(
    plan.catalogUrl,
    [first, second].filter((each) => each !== undefined),
    [],
  );
  expect(open(sealPlan(withPatches(both)))).toEqual(withPatches(both));
});

test('a newer minor format with members of its own is read', () => {
  expect(open(resealed({ formatVersion: '1.7', later: true }))).toMatchObject({
    contracts: [{ id: update.id }],
  });
});

test.for<[string, string]>([
  ['nothing', ''],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['another document', '{}'],
  ['no hash', JSON.stringify(resealed({ planHash: null }))],
  ['no contracts', JSON.stringify(resealed({ contracts: 3 }))],
  [
    'more nesting than any plan has',
    `{"formatVersion":"1.0","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  ],
  ['a contract without an action', JSON.stringify(resealed({ contracts: [{}] }))],
  [
    'an update without changes',
    JSON.stringify(resealed({ contracts: [{ action: 'update', id: 'a' }] })),
  ],
  [
    'readers that are neither known nor unknown',
    JSON.stringify(resealed({ contracts: [{ ...update, downstream: {} }] })),
  ],
  [
    'a reader whose owners are no names',
    JSON.stringify(
      resealed({
        contracts: [{ ...update, downstream: { assets: [{ ...reader, owners: [{}] }] } }],
      }),
    ),
  ],
  [
    'a change that is none',
    JSON.stringify(
      resealed({ contracts: [{ ...update, changes: [{ kind: 'frobnicate', path: '' }] }] }),
    ),
  ],
])('a file with %s is refused as a plan', ([, text]) => {
  expect(() => openPlan(text, 'plan.json')).toThrow(
    expect.objectContaining({ code: 'not-a-plan' }),
  );
});

test('the outcomes of a run are refused as a plan, with the command that takes them', () => {
  const text = '{ "formatVersion": "1.0", "summary": {}, "outcomes": [], "diagnostics": [] }';
  expect(() => openPlan(text, 'outcomes.json')).toThrow(
    'outcomes.json is not a plan: it has the outcomes of a run, which `rollback --run` takes back.',
  );
});

test.for(['creat', 'delete', 'Update', '', 'toString'])(
  'the unknown action %j is refused in one sentence',
  (action) => {
    const contracts = [{ ...update, action }];
    expect(() => open(resealed({ contracts }))).toThrow(
      expect.objectContaining({
        code: 'not-a-plan',
        message: `plan.json is not a plan: contract 0 has the unknown action "${action}".`,
      }),
    );
  },
);
