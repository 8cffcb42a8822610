import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatHeader,
  packPlan,
  parseHeader,
  recordChanges,
  unpackPlan,
  whyNotRecorded,
} from '../../src/action/record/comment.ts';
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
  { amount: 0, sizes: [0], isRefused: false },
  { amount: 1401, sizes: [1400, 1], isRefused: false },
  { amount: 20_000, sizes: [...Array.from({ length: 14 }, () => 1400), 400], isRefused: false },
  { amount: 20_001, sizes: undefined, isRefused: true },
])(
  'a plan of $amount changes is recorded by comments of $sizes',
  ({ amount, sizes, isRefused }) => {
    const change = updateOf({ description: 'Old.' }, { description: 'New.' });
    const changes = Array.from({ length: amount }, (_, id) => ({ ...change, id: String(id) }));
    const plan = makePlan(catalogUrl, changes, []);
    expect(whyNotRecorded(plan)?.code).toBe(isRefused ? 'plan-too-large' : undefined);
    if (sizes) expect(recordChanges(plan).map(({ length }) => length)).toEqual(sizes);
  },
);

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
