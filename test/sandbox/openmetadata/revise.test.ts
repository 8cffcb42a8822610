import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import type { KeptContract, Reference, Row } from '../../../src/sandbox/openmetadata/contract.ts';
import type { Means } from '../../../src/sandbox/openmetadata/recorded.ts';
import { findSessionBase, revise } from '../../../src/sandbox/openmetadata/revise.ts';

const minute = 60_000;
const start = 1_790_000_000_000;

const contract: KeptContract = {
  id: '0a000000-0000-4000-8000-000000000001',
  name: 'orders',
  fullyQualifiedName: 'shop.orders.dataContract_orders',
  description: 'Before.',
  version: 0.1,
  updatedAt: start,
  updatedBy: 'ada',
  createdAt: start,
  createdBy: 'ada',
  entityStatus: 'Draft',
  entity: { id: '0b000000-0000-4000-8000-000000000001', type: 'table' },
  schema: [{ name: 'id', dataType: 'INT', tags: [], children: [] }],
  owners: [],
  reviewers: [],
  deleted: false,
};

const fresh: Row = { current: contract, history: [], results: [] };

type Step = { readonly by?: string; readonly at?: number; readonly means?: Means };

/** The row after a change; minutes are counted from the creation. */
function after(row: Row, content: JsonObject, { by = 'ada', at = 0, means = 'patch' }: Step = {}) {
  const author = { name: by, now: start + at * minute };
  const next = { ...row.current, ...content };
  return revise(row, next, { author, means, mayReview: ({ length }) => length === 0 });
}

function rowAfter(row: Row, content: JsonObject, step?: Step): Row {
  return after(row, content, step).row;
}

function person(name: string): Reference {
  const id = `0c000000-0000-4000-8000-00000000000${name.length}`;
  return { id, type: 'user', name, fullyQualifiedName: name, displayName: name, deleted: false };
}

const author = (name: string, at: number) => ({ name, now: start + at * minute });

describe('a session', () => {
  const edited = rowAfter(fresh, { description: 'One.' }, { at: 1 });

  test.each([
    ['by the same author within ten minutes', edited, author('ada', 11), 0.1],
    ['not after ten minutes and more', edited, author('ada', 11.001), undefined],
    ['not by another author', edited, author('mira', 2), undefined],
    ['not on a first version', fresh, author('ada', 0), undefined],
    ['not without an earlier version', { ...edited, history: [] }, author('ada', 2), undefined],
  ])('is joined %s', (_, row, by, base) => {
    expect(findSessionBase(row, by)?.version).toBe(base);
  });

  test('makes its version anew, and forgets the value in between', () => {
    const { current, history } = rowAfter(edited, { description: 'Two.' }, { at: 2 });
    expect(current).toMatchObject({ version: 0.2, description: 'Two.' });
    expect(history.map(({ description }) => description)).toEqual(['Before.']);
    expect(current.changeDescription?.fieldsUpdated).toEqual([
      { name: 'description', oldValue: 'Before.', newValue: 'Two.' },
    ]);
    expect(current.incrementalChangeDescription?.fieldsUpdated).toEqual([
      { name: 'description', oldValue: 'One.', newValue: 'Two.' },
    ]);
  });

  test('goes back in version, time and author when all is undone', () => {
    const byMira = rowAfter(edited, { description: 'Mira.' }, { by: 'mira', at: 2 });
    const { current, history } = rowAfter(byMira, { description: 'One.' }, { by: 'mira', at: 3 });
    expect(current).toMatchObject({
      version: 0.2,
      updatedAt: start + minute,
      updatedBy: 'ada',
      changeDescription: edited.current.changeDescription,
    });
    expect(history.map(({ version }) => version)).toEqual([0.1]);
  });

  test('is lengthened by a patch that changes nothing', () => {
    const { current } = rowAfter(edited, {}, { at: 9 });
    expect(current).toMatchObject({ version: 0.2, updatedAt: start + 9 * minute });
  });

  test.each<Means>(['put', 'guarded patch'])('is not joined by a %s', (means) => {
    expect(rowAfter(edited, { description: 'Two.' }, { at: 2, means }).current.version).toBe(0.3);
  });
});

describe('an unrecorded change alone', () => {
  const constraint = { schema: [{ name: 'id', dataType: 'INT', constraint: 'UNIQUE' }] };

  test('is answered and lost outside of a session', () => {
    const revision = after(fresh, constraint, { at: 1 });
    expect(revision).toMatchObject({ change: 'entityNoChange', answer: constraint });
    expect(revision.row).toBe(fresh);
  });

  test('is stored inside one, without a version', () => {
    const edited = rowAfter(fresh, { description: 'One.' }, { at: 1 });
    const revision = after(edited, constraint, { at: 2 });
    expect(revision).toMatchObject({ change: 'entityNoChange' });
    expect(revision.row.current).toMatchObject({
      version: 0.2,
      schema: [expect.objectContaining({ constraint: 'UNIQUE' })],
    });
  });

  test('stays after an undo that says that nothing has happened', () => {
    const edited = rowAfter(fresh, { description: 'One.' }, { at: 1 });
    const { current } = rowAfter(edited, { ...constraint, description: 'Before.' }, { at: 2 });
    expect(current).toMatchObject({ version: 0.1, updatedAt: start });
    expect(current['schema']).toMatchObject(constraint.schema);
  });
});

describe('a guarded patch', () => {
  test('loses sections that come alone, and keeps them beside a common field', () => {
    const sla = { sla: { availabilityTime: '09:00' } };
    expect(rowAfter(fresh, sla, { means: 'guarded patch' })).toBe(fresh);
    const both = rowAfter(fresh, { ...sla, description: 'X' }, { means: 'guarded patch' });
    expect(both.current['sla']).toMatchObject(sla.sla);
    expect(both.current.changeDescription?.fieldsAdded).toEqual([]);
  });
});

describe('a step out of review', () => {
  const inReview: Row = {
    ...fresh,
    current: {
      ...contract,
      entityStatus: 'In Review',
      owners: [person('ada')],
      reviewers: [person('zoe1')],
    },
  };

  test('is for reviewers alone, and refused leaves all as it was', () => {
    const revision = after(inReview, { entityStatus: 'Approved' }, { at: 1 });
    expect(revision).toEqual({ kind: 'refused', row: inReview });
  });

  test('is refused for where its session began, and then owners are as they were there', () => {
    const detour = rowAfter(
      inReview,
      { entityStatus: 'Draft', owners: [], reviewers: [], description: 'New.' },
      { at: 1 },
    );
    const { kind, row } = after(detour, { entityStatus: 'Approved' }, { at: 2 });
    expect(kind).toBe('refused');
    expect(row.current).toMatchObject({
      version: 0.2,
      description: 'New.',
      owners: [{ name: 'ada' }],
      reviewers: [{ name: 'zoe1' }],
    });
  });

  test('is allowed once another author has led it out of review', () => {
    const detour = rowAfter(inReview, { entityStatus: 'Draft' }, { by: 'mira', at: 1 });
    const revision = after(detour, { entityStatus: 'Approved' }, { at: 2 });
    expect(revision).toMatchObject({ kind: 'revised', row: { current: { version: 0.3 } } });
  });
});

test('the version after 0.9 is 1.0', () => {
  const row = { ...fresh, current: { ...contract, version: 0.9 } };
  expect(rowAfter(row, { description: 'X' }, { by: 'mira' }).current.version).toBe(1);
});

test('a reference sent twice is answered twice and kept once', () => {
  const owners = [person('ada'), person('ada')];
  const revision = after(fresh, { owners }, { at: 1 });
  expect(revision).toMatchObject({ answer: { owners } });
  expect(revision.row.current.owners).toHaveLength(1);
});
