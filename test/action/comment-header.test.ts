import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatHeader,
  packPlan,
  parseHeader,
  type RecordedChange,
  recordPlan,
  shownIn,
  unpackPlan,
} from '../../src/action/record/comment.ts';
import { type Plan, type ReaderAgreement, type UpdatePlan, updates } from '../../src/plan/plan.ts';
import { makePlan, differencesOf } from '../../src/plan/seal.ts';
import { updateOf } from '../support/contracts.ts';

const header = {
  key: 'k',
  inputs: { 'catalog-url': 'https://catalog.example.com/api', paths: '' },
  isOutcome: false,
  label: 'prod',
  head: 'a'.repeat(40),
  base: 'b'.repeat(40),
  run: 1,
  attempt: 2,
  time: '2026-01-02T03:04:05.678Z',
  planHash: 'sha256:0',
  part: 1,
  parts: 2,
  changes: [
    { fingerprint: '0123456789abcdefghij-_', contract: 'Az_-0123', hasLanded: false },
    { fingerprint: 'jihgfedcba9876543210_-', contract: 'zA-_9876', hasLanded: true },
    {
      fingerprint: 'jihgfedcba98765432_-10',
      contract: 'zA-_9876',
      hasLanded: false,
      asked: { from: 1, readers: ['zA-_9876', 'Az_-0123'] },
    },
    {
      fingerprint: 'jihgfedcba987654_-3210',
      contract: 'zA-_9876',
      hasLanded: true,
      asked: { from: 10, readers: [] },
    },
  ],
  plans: [
    { commit: 'a'.repeat(40), at: '2026-01-02T03:04:05.678Z' },
    { commit: 'b'.repeat(40), at: '2026-01-02T04:04:05.678Z' },
  ],
};
const catalogUrl = 'https://catalog.example.com/api';

describe('the header of a comment', () => {
  test('is read as it was written', () => {
    expect(parseHeader(`${formatHeader(header)}\r\n## Plan`)).toEqual(header);
  });

  test.for([
    ` ${formatHeader(header)}`,
    `> ${formatHeader(header)}`,
    `text\n${formatHeader(header)}`,
    formatHeader(header).replace('"v":1', '"v":2'),
    formatHeader({ ...header, parts: 201 }),
    '<!-- contract-sync -->',
    '<!-- contract-sync {"v":1} -->',
    '<!-- contract-sync [1] -->',
    '<!-- contract-sync null -->',
    '<!-- contract-sync {"v":1,"key":1,"head":2,"run":"x","attempt":{}} -->',
  ])('is nothing else: %j', (body) => {
    expect(parseHeader(body)).toBeUndefined();
  });

  test('never throws, for any text of a comment', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseHeader(`<!-- contract-sync ${text} -->`)).toBeUndefined();
      }),
    );
  });
});

test.for([
  { amount: 0, sizes: [0] },
  { amount: 1452, sizes: [1451, 1] },
  { amount: 20_000, sizes: [...Array.from({ length: 13 }, () => 1451), 1137] },
])('a plan of $amount changes is recorded by comments of $sizes', ({ amount, sizes }) => {
  const change = updateOf({ description: 'Old.' }, { description: 'New.' });
  const changes = Array.from({ length: amount }, (_, id) => ({ ...change, id: String(id) }));
  const plan = makePlan(catalogUrl, changes, []);
  const recorded = recordPlan(plan, undefined, { commit: 'c1', at: '' });
  expect(recorded.changes.map((part) => part.length)).toEqual(sizes);
});

/** Each waits for so many readers. */
function askingPlan(amount: number, readers: number) {
  const change = updateOf({ description: 'Old.' }, { description: 'New.' });
  const agreement: ReaderAgreement = {
    state: 'held',
    readers: Array.from({ length: readers }, (_, index) => ({
      id: `0a000000-0000-4000-8000-${index}`,
      name: 'payouts',
      agreers: ['@acme/finance'],
      answer: { kind: 'missing', why: 'not agreed yet' },
    })),
    losses: [],
    unasked: [],
    announced: [],
    noticed: [],
    allowed: [],
  };
  const changes = Array.from({ length: amount }, (_, index) => {
    const fingerprint = `sha256:${createHash('sha256').update(String(index)).digest('hex')}`;
    return { ...change, id: String(index), fingerprint, agreement };
  });
  return makePlan(catalogUrl, changes, []);
}

/** What its comments hold after so many pushes, one a minute. */
function recordPushes(planAt: (push: number) => Plan, pushes: number) {
  let body = '';
  let changes: readonly RecordedChange[] = [];
  for (let push = 1; push <= pushes; push += 1) {
    const earlier = parseHeader(body);
    const shown = {
      commit: String(push).padStart(40, 'c'),
      at: `minute ${push}`.replace(' ', '-'),
    };
    const recorded = recordPlan(planAt(push), earlier && { header: earlier, changes }, shown);
    const [first = []] = recorded.changes;
    body = formatHeader({ ...header, plans: recorded.plans, changes: first });
    changes = recorded.changes.flatMap(
      (part) => parseHeader(formatHeader({ ...header, changes: part }))?.changes ?? [],
    );
  }
  const read = parseHeader(body);
  if (!read) throw new Error('There is no header');
  return { body, shownIn: (change: UpdatePlan) => shownIn({ header: read, changes }, change) };
}

test.for([
  { amount: 80, readers: 10, since: 'minute-6', known: 10, longest: 20_000 },
  { amount: 1000, readers: 40, since: 'minute-6', known: 40, longest: 50_000 },
])(
  'after 25 pushes, $amount changes for $readers readers each leave the comment room',
  ({ amount, readers, since, known, longest }) => {
    const plan = askingPlan(amount, readers);
    const { body, shownIn: shown } = recordPushes(() => plan, 25);
    expect(body.length).toBeLessThan(longest);
    for (const change of updates(plan)) {
      const found = shown(change);
      expect(found).toMatchObject({ since, commits: { length: 20 } });
      expect(found?.readers?.length).toBe(known);
    }
  },
);

test('a change keeps the time at which it came, however many pushes follow', () => {
  const { shownIn: shown } = recordPushes((push) => askingPlan(push < 10 ? 1 : 2, 1), 25);
  const [, later] = updates(askingPlan(2, 1)).toSorted((a, b) => Number(a.id) - Number(b.id));
  expect(later && shown(later)).toMatchObject({ since: 'minute-10', commits: { length: 16 } });
});

test('a new plan of the same pull request marks what is new in it', () => {
  const one = askingPlan(1, 1);
  const two = askingPlan(2, 1);
  const first = recordPlan(one, undefined, { commit: 'c1', at: 'noon' });
  const earlier = { header: { ...header, plans: first.plans }, changes: first.changes.flat() };
  const again = recordPlan(two, earlier, { commit: 'c1', at: 'night' });
  const later = { header: { ...header, plans: again.plans }, changes: again.changes.flat() };
  const times = updates(two).map((change) => shownIn(later, change)?.since);
  expect(new Set(times)).toEqual(new Set(['night', 'noon']));
  expect(recordPlan(one, earlier, { commit: 'c1', at: 'night' }).plans).toEqual(first.plans);
});

describe('a packed plan', () => {
  const update = updateOf({ description: 'Old.', version: 0.1 }, { description: 'Ü\u2028`<!--' });
  const plan = makePlan(catalogUrl, [update], []);
  const hash = plan.planHash ?? '';

  test('is the plan of its hash again', () => {
    expect(unpackPlan(packPlan(plan), hash, undefined)).toMatchObject([
      { id: update.id, fingerprint: update.fingerprint, differences: differencesOf(update) },
    ]);
  });

  test('is refused where it is not the plan of the hash', () => {
    const planHash = `sha256:${'0'.repeat(64)}`;
    expect(unpackPlan(packPlan(plan), planHash, undefined)).toBeUndefined();
  });

  test.for([
    ['no base64 of ours', 'AAAA'],
    ['no JSON', deflateRawSync('x').toString('base64')],
    ['no list', deflateRawSync('{}').toString('base64')],
    ['a list of anything', deflateRawSync('[null, 1]').toString('base64')],
    ['100 MB of blanks', deflateRawSync(' '.repeat(100_000_000)).toString('base64')],
  ])('is refused where it is %s', ([, text = '']) => {
    expect(unpackPlan(text, hash, undefined)).toBeUndefined();
  });
});
