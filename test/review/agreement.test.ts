import { test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import type { DownstreamAsset } from '../../src/contract/lineage.ts';
import type { ReaderAgreement } from '../../src/plan/plan.ts';
import type { ReaderRules } from '../../src/plan/rules.ts';
import { askReaders, type Evidence, judgeAgreement, stateOf } from '../../src/review/agreement.ts';
import { rounds } from '../support/rounds.ts';
import { stories, tell } from './agreement-model.ts';

const payouts: DownstreamAsset = {
  id: 'payouts-1',
  type: 'table',
  name: 'payouts',
  fullyQualifiedName: 'shop.payouts',
  distance: 1,
  columns: ['iban'],
  owners: ['finance'],
  contract: { status: 'Active' },
};
const { columns: _columns, ...unknownColumns } = payouts;
const { owners: _owners, ...unreadOwners } = payouts;

const rules: ReaderRules = { handles: { finance: 'acme/finance', olga: 'Olga' } };
const approval = { login: 'olga', commit: 'c2', at: '2026-03-02T10:00:00Z' };
const evidence: Evidence = {
  author: 'mira',
  approvals: [approval],
  shown: { since: '2026-03-02T09:00:00.500Z', commits: ['c1', 'c2'], readers: [] },
  accounts: new Map<string, readonly string[] | { readonly unread: string }>([
    ['@acme/finance', ['olga', 'ben']],
    ['@Olga', ['olga']],
    ['platform', ['mira', 'olga']],
  ]),
};

type Case = {
  readonly asset?: DownstreamAsset;
  readonly isWhole?: boolean;
  readonly rules?: ReaderRules;
  readonly given?: Partial<Evidence>;
};

function answerTo({ asset = payouts, isWhole = false, rules: own = rules, given }: Case) {
  const asked = askReaders({ assets: [asset] }, { active: 'Active', isWhole }, own);
  if ('unknown' in asked) return asked;
  const agreement: ReaderAgreement = {
    ...asked,
    announced: [],
    allowed: [],
    state: stateOf(asked),
  };
  const judged = judgeAgreement(agreement, { ...evidence, ...given });
  const [answer] = judged.readers.map((reader) => reader.answer);
  return answer && { ...answer, state: judged.state };
}

const agreed = { kind: 'agreed', by: 'olga', at: approval.at, state: 'agreed' };
const missing = (why: string) => ({ kind: 'missing', why, state: 'held' });
const early = missing('olga approved before this change was shown');

test.for<[string, Case, ReturnType<typeof missing> | object | undefined]>([
  ['a member of the owning team approves', {}, agreed],
  ['an owner by login approves', { asset: { ...payouts, owners: ['olga'] } }, agreed],
  ['nobody approves', { given: { approvals: [] } }, missing('not agreed yet')],
  [
    'somebody else approves',
    { given: { approvals: [{ ...approval, login: 'eve' }] } },
    missing('not agreed yet'),
  ],
  [
    'the approval is older than the comment',
    { given: { approvals: [{ ...approval, at: '2026-03-02T09:00:00Z' }] } },
    early,
  ],
  [
    'the approval is of a commit with another change',
    { given: { approvals: [{ ...approval, commit: 'c0' }] } },
    early,
  ],
  ['no comment has shown the change', { given: { shown: undefined } }, early],
  [
    'the members are unreadable',
    { given: { accounts: new Map([['@acme/finance', { unread: '403.' }]]) } },
    missing("the members of @acme/finance can't be read: 403."),
  ],
  [
    'the owners are unreadable',
    { asset: unreadOwners, rules: { ...rules, fallback: 'platform' } },
    missing("its owners can't be read"),
  ],
  [
    'no owner has a handle',
    { rules: { handles: {} } },
    missing('no owner has a handle in `comment.handles`, and `reviews.fallback` names no team'),
  ],
  ['the fallback approves', { rules: { handles: {}, fallback: 'platform' } }, agreed],
  [
    'the author is in the fallback team alone',
    {
      rules: { handles: {}, fallback: 'platform' },
      given: { accounts: new Map([['platform', ['mira']]]) },
    },
    missing('no account but the author could agree'),
  ],
  [
    'the author approves for a team of several',
    { given: { author: 'olga' } },
    missing('not agreed yet'),
  ],
  [
    'the author is the only owner',
    { asset: { ...payouts, owners: ['olga'] }, given: { author: 'olga', approvals: [] } },
    { kind: 'own', by: 'olga', state: 'agreed' },
  ],
  [
    'lineage knows the asset alone',
    { asset: unknownColumns },
    { kind: 'possible', state: 'needless' },
  ],
  ['all of the asset is concerned', { asset: unknownColumns, isWhole: true }, agreed],
  ['other columns are read', { asset: { ...payouts, columns: [] } }, undefined],
  ['the reader has no contract', { asset: { ...payouts, contract: {} } }, undefined],
  ['its contract is a draft', { asset: { ...payouts, contract: { status: 'Draft' } } }, undefined],
])('where %s, the reader answers so', ([, given, answer]) => {
  expect(answerTo(given)).toEqual(answer);
});

test('readers are unknown without lineage, and where their contracts were not listed', () => {
  const asked = { active: 'Active', isWhole: false };
  const down = { unknown: 'no answer' };
  expect(askReaders(down, asked, rules)).toEqual(down);
  expect(askReaders({ assets: [payouts], contractsUnread: true }, asked, rules)).toEqual({
    unknown: 'which of its readers have contracts was not asked for',
  });
});

property.prop([stories], { numRuns: rounds(400) })(
  'whatever is pushed, read and reviewed, a change is held for exactly those who have not agreed to it',
  tell,
);
