import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { JsonValue } from '../../../src/core/json.ts';
import { strongTag, type Version } from '../../../src/sandbox/openmetadata/contract.ts';
import { patchContract } from '../../../src/sandbox/openmetadata/patch-contract.ts';
import { findSessionBase } from '../../../src/sandbox/openmetadata/revise.ts';
import { sow } from '../../../src/sandbox/openmetadata/seed.ts';
import { makeWorld, requireContract } from '../../../src/sandbox/openmetadata/world.ts';

const start = 1_790_000_000_000;
const id = '0a000000-0000-4000-8000-000000000001';

/** Recorded and unrecorded changes, so few that they are often undone and repeated. */
const operations: readonly JsonValue[] = [
  { op: 'add', path: '/description', value: 'One.' },
  { op: 'add', path: '/description', value: 'Two.' },
  { op: 'add', path: '/entityStatus', value: 'Draft' },
  { op: 'add', path: '/entityStatus', value: 'Approved' },
  { op: 'add', path: '/sla', value: { retention: { period: 1, unit: 'day' } } },
  { op: 'add', path: '/sla', value: null },
  { op: 'add', path: '/schema/0/description', value: 'Unrecorded.' },
  { op: 'add', path: '/schema/0/description', value: 'Unrecorded too.' },
  { op: 'add', path: '/owners', value: [{ type: 'user', fullyQualifiedName: 'ada' }] },
  { op: 'add', path: '/owners', value: [] },
  { op: 'move', from: '/schema/0', path: '/schema/1' },
];

type Step = {
  readonly patch: readonly JsonValue[];
  readonly user: string;
  /** How long after the step before. */
  readonly minutes: number;
  /** With If-Match. */
  readonly guarded: boolean;
};

const walks = fc.array(
  fc.record<Step>({
    patch: fc.subarray([...operations], { maxLength: 3 }),
    user: fc.constantFrom('ada', 'mira'),
    // No sum of them is ten minutes: the server's clock ticks between two looks at it.
    minutes: fc.constantFrom(0, 1.3, 8.1, 12.7),
    guarded: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** What becomes of a contract, patch by patch. */
function* walk(steps: readonly Step[]) {
  let passed = 0;
  const world = makeWorld(() => start + passed);
  const schema = ['id', 'amount'].map((name) => ({ name, dataType: 'INT' }));
  const entity = { fullyQualifiedName: 'shop.sales.web.orders' };
  sow(world, { contracts: [{ id, name: 'orders', entity, schema }] });
  for (const { patch, user, minutes, guarded } of steps) {
    passed += minutes * 60_000;
    const before = requireContract(world, id);
    const base = findSessionBase(before, { name: user, now: start + passed });
    const { answer, change } = patchContract(world, {
      id,
      caller: { name: user, isAdmin: true, isBot: false, roles: [] },
      text: JSON.stringify(patch),
      ifMatch: guarded ? `"${strongTag(before.current)}"` : undefined,
    });
    const after = requireContract(world, id);
    yield { before, after, answer, change, inSession: base !== undefined && !guarded };
  }
}

const tenths = ({ version }: Version): number => Math.round(version * 10);

test.prop([walks])('versions are a tenth apart, and each names the one before', (steps) => {
  for (const { after } of walk(steps)) {
    const versions = [after.current, ...after.history];
    expect(versions.map(tenths)).toEqual(versions.map((_, index) => versions.length - index));
    expect(versions.map(({ changeDescription }) => changeDescription?.previousVersion)).toEqual([
      ...after.history.map(({ version }) => version),
      undefined,
    ]);
  }
});

test.prop([walks])('a version goes up by a tenth, or back by one in a session', (steps) => {
  for (const { before, after, inSession } of walk(steps)) {
    const way = tenths(after.current) - tenths(before.current);
    expect(inSession ? [-1, 0] : [0, 1]).toContain(way);
  }
});

test.prop([walks])('an answer is at the version that is stored', (steps) => {
  for (const { after, answer } of walk(steps)) {
    const { version, updatedAt, updatedBy } = after.current;
    expect(answer).toMatchObject({ version, updatedAt, updatedBy });
  }
});

test.prop([walks])(
  'an edit outside of a session is stored exactly where it changes something',
  (steps) => {
    for (const { before, after, change, inSession } of walk(steps)) {
      if (!inSession) expect(after === before).toBe(change === 'entityNoChange');
    }
  },
);

test.prop([walks])('earlier versions are forgotten, never changed', (steps) => {
  for (const { before, after } of walk(steps)) {
    const known = new Set<Version>([before.current, ...before.history]);
    expect(after.history.every((version) => known.has(version))).toBe(true);
  }
});
