import { test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import type { DownstreamAsset } from '../../src/contract/lineage.ts';
import type { ReaderAgreement, ReaderAnswer } from '../../src/plan/plan.ts';
import type { ReaderRules } from '../../src/plan/rules.ts';
import {
  askReaders,
  type Evidence,
  judgeAgreement,
  markReaders,
  stateOf,
  wayToLift,
} from '../../src/review/agreement.ts';
import { updateOf } from '../support/contracts.ts';
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

const update = updateOf({ description: 'Old.' }, { description: 'New.' });

type Case = {
  readonly asset?: DownstreamAsset;
  readonly isWhole?: boolean;
  readonly rules?: ReaderRules;
  readonly given?: Partial<Evidence>;
};

function agreementOn(
  assets: readonly DownstreamAsset[],
  given: ReaderRules,
  isWhole = false,
): ReaderAgreement {
  const asked = askReaders({ assets }, 'Active', isWhole, given);
  return { ...asked, losses: [], announced: [], noticed: [], allowed: [], state: stateOf(asked) };
}

function answerTo({ asset = payouts, isWhole = false, rules: own = rules, given }: Case) {
  const judged = judgeAgreement(agreementOn([asset], own, isWhole), { ...evidence, ...given });
  const [answer] = judged.readers.map((reader) => reader.answer);
  return answer && { ...answer, state: judged.state };
}

const agreed = { kind: 'agreed', by: 'olga', at: approval.at, state: 'agreed' };
const missing = (why: string) => ({ kind: 'missing', why, state: 'held' });
const early = missing('olga approved before this change was shown');

test.for<[string, Case, ReturnType<typeof missing> | object | undefined]>([
  ['a member of the owning team approves', {}, agreed],
  ['an owner by login approves', { asset: { ...payouts, owners: ['olga'] } }, agreed],
  ['there is no approval', { given: { approvals: [] } }, missing('not agreed yet')],
  [
    'somebody else approves',
    { given: { approvals: [{ ...approval, login: 'eve' }] } },
    missing("eve approved, but can't agree for @acme/finance"),
  ],
  [
    'somebody else approves for two owners and the fallback',
    {
      asset: { ...payouts, owners: ['finance', 'olga', 'audit'] },
      rules: { ...rules, fallback: 'platform' },
      given: {
        approvals: [
          { ...approval, login: 'eve' },
          { ...approval, login: 'zoe' },
        ],
      },
    },
    missing("eve and zoe approved, but can't agree for @acme/finance or @Olga or platform"),
  ],
  [
    'the approval is older than the comment',
    { given: { approvals: [{ ...approval, at: '2026-03-02T09:00:00Z' }] } },
    early,
  ],
  [
    'the approval is of the moment at which the comment showed the change',
    { given: { approvals: [{ ...approval, at: '2026-03-02T09:00:00.500Z' }] } },
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
    'there is no owner, and the author is alone in the fallback team',
    {
      asset: { ...payouts, owners: [] },
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
    'the author is one of two owners, and the other has no handle',
    { asset: { ...payouts, owners: ['olga', 'audit'] }, given: { author: 'olga' } },
    missing('no account but the author could agree: give audit a handle in `comment.handles`'),
  ],
  [
    'the author is one of two owners, and the team of the other has no members',
    {
      asset: { ...payouts, owners: ['olga', 'finance'] },
      given: {
        author: 'olga',
        accounts: new Map([...evidence.accounts, ['@acme/finance', []]]),
      },
    },
    missing('no account but the author could agree'),
  ],
  [
    'one of two owners has no handle, the fallback approves',
    {
      asset: { ...payouts, owners: ['finance', 'audit'] },
      rules: { ...rules, fallback: 'platform' },
      given: { accounts: new Map([...evidence.accounts, ['@acme/finance', ['ben']]]) },
    },
    agreed,
  ],
  [
    'an app whose name is that of the owner approves',
    {
      asset: { ...payouts, owners: ['olga'] },
      given: { approvals: [{ ...approval, login: 'olga[bot]' }] },
    },
    missing("olga[bot] approved, but can't agree for @Olga"),
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
])('where %s, the reader has answered so', ([, given, answer]) => {
  expect(answerTo(given)).toEqual(answer);
});

const other: DownstreamAsset = { ...payouts, id: 'payouts-2', name: 'ledger', owners: ['olga'] };
const late: DownstreamAsset = { ...payouts, id: 'payouts-3', name: 'late', owners: ['ann'] };

type Planned = {
  readonly assets: readonly DownstreamAsset[];
  readonly losses?: readonly string[];
  /** What lineage shows besides those who have to agree. */
  readonly shown?: readonly DownstreamAsset[];
  readonly unknown?: string;
  /** By an exception for the whole contract. */
  readonly isAllowed?: boolean;
};

const { columns: _late, ...whole } = late;
const { contract: _none, ...contractless } = late;

const iban = ['iban'];
const both = ['iban', 'fax'];

// Each a plan with these readers; the answers to the last plan.
test.for<[string, readonly Planned[], readonly string[], string, author?: string]>([
  [
    'only after the others agreed, is named',
    [{ assets: [payouts] }, { assets: [payouts, late] }],
    ['olga'],
    'agreed later',
  ],
  [
    'only after the others agreed, is named in each further plan',
    [{ assets: [payouts] }, { assets: [payouts, late] }, { assets: [payouts, late] }],
    ['olga'],
    'agreed later',
  ],
  [
    'before the others agreed, has to agree',
    [{ assets: [payouts] }, { assets: [payouts, late] }],
    [],
    'missing missing',
  ],
  ['first of all, has to agree', [{ assets: [] }, { assets: [late] }], ['olga'], 'missing'],
  [
    'again, after its lineage was lost for a while, has to agree',
    [{ assets: [payouts, late] }, { assets: [payouts] }, { assets: [payouts, late] }],
    ['olga'],
    'agreed missing',
  ],
  [
    'again, after all lineage was lost for a while, has to agree',
    [{ assets: [payouts, late] }, { assets: [] }, { assets: [payouts, late] }],
    ['olga'],
    'agreed missing',
  ],
  [
    'as an exception or a notice ends, has to agree',
    [
      { assets: [payouts], losses: iban },
      { assets: [payouts, late], losses: both },
    ],
    ['olga'],
    'agreed missing',
  ],
  [
    'under an exception, and not as that ends, has to agree',
    [
      { assets: [payouts], losses: iban, shown: [payouts, late] },
      { assets: [payouts], losses: both },
      { assets: [payouts, late], losses: both },
    ],
    ['olga'],
    'agreed missing',
  ],
  [
    'under an exception for the whole contract, and not as that ends, has to agree',
    [
      { assets: [payouts], losses: iban, isAllowed: true, shown: [payouts, whole] },
      { assets: [payouts], losses: both },
      { assets: [payouts, late], losses: both },
    ],
    ['olga'],
    'agreed missing',
  ],
  [
    'without a contract of its own until the others agreed, is named',
    [{ assets: [payouts], shown: [payouts, contractless] }, { assets: [payouts, late] }],
    ['olga'],
    'agreed later',
  ],
  [
    'after it failed as an exception ended, has to agree',
    [
      { assets: [payouts], losses: iban },
      { assets: [], losses: both, unknown: 'no answer' },
      { assets: [payouts, late], losses: both },
    ],
    ['olga'],
    'agreed missing',
  ],
  [
    'beside an author who owns the others alone, has to agree',
    [{ assets: [other] }, { assets: [other, late] }],
    [],
    'own missing',
    'olga',
  ],
])('a reader that lineage shows %s', ([, plans, approving, kinds, author = 'mira']) => {
  const given = { ...rules, handles: { ...rules.handles, olga: 'olga', ann: 'ann' } };
  const accounts = new Map([...evidence.accounts, ['@olga', ['olga']], ['@ann', ['ann']]]);
  const approvals = approving.map((login) => ({ ...approval, login }));
  let readers: readonly string[] = [];
  let answers: readonly ReaderAnswer[] = [];
  for (const { assets, losses = [], shown: known, unknown, isAllowed } of plans) {
    const lost = losses.map((column) => ({ rule: 'column-removed', place: `schema.${column}` }));
    const allowed = isAllowed ? [{ reason: 'agreed', until: '2026-12-31' }] : [];
    const asked = { ...agreementOn(assets, given), losses: lost, allowed };
    const agreement = { ...asked, ...(unknown && { unknown }) };
    const shown = { since: '2026-03-02T09:00:00.500Z', commits: ['c1', 'c2'], readers };
    const judged = judgeAgreement(agreement, { author, accounts, approvals, shown });
    answers = judged.readers.map(({ answer }) => answer);
    const downstream = known && { downstream: { assets: known } };
    readers = markReaders({ ...update, ...downstream, agreement: judged }, readers);
  }
  expect(answers.map((answer) => answer.kind).join(' ')).toBe(kinds);
});

test('a proven reader without an active contract of its own is named, and need not agree', () => {
  const { contract: _contract, ...without } = payouts;
  const { contract: _other, ...unsure } = unknownColumns;
  expect(agreementOn([without, { ...unsure, name: 'other' }, other], rules)).toMatchObject({
    unasked: ['payouts.iban'],
    readers: [{ name: 'ledger' }],
  });
});

const allow = 'ame it in `allow` with a place, a reason and `until`.';

test.for<[string, Partial<ReaderAgreement>, string]>([
  [
    'who can agree',
    agreementOn([payouts, other, { ...payouts, owners: ['audit'] }], {
      ...rules,
      fallback: 'platform',
    }),
    `Have @acme/finance, @Olga and the team platform approve the pull request, then run the job again. Or n${allow}`,
  ],
  [
    'whose handle is missing',
    agreementOn([{ ...payouts, owners: ['audit', 'growth'] }], rules),
    `Give audit and growth a handle in \`comment.handles\`, or name a team in \`reviews.fallback\`. Or n${allow}`,
  ],
  ['what is left where owners are unreadable', agreementOn([unreadOwners], rules), `N${allow}`],
  [
    'what is left where readers are unknown',
    { unknown: 'no answer' },
    `Plan again once the catalog tells who reads it. Or n${allow}`,
  ],
])('a held change says %s', ([, given, way]) => {
  const agreement = { ...agreementOn([], rules), ...given };
  expect(wayToLift([{ ...update, agreement }], true)).toBe(way);
});

test('readers are unknown without lineage, and where their contracts were not listed', () => {
  const down = { unknown: 'no answer' };
  const none = { readers: [], unasked: [] };
  expect(askReaders(down, 'Active', false, rules)).toEqual({ ...none, ...down });
  expect(askReaders({ assets: [payouts], contractsUnread: true }, 'Active', false, rules)).toEqual({
    ...none,
    unknown: 'which of its readers have contracts was not asked for',
  });
  expect(stateOf({ ...none, ...down })).toBe('held');
});

property.prop([stories], { numRuns: rounds(400) })(
  'whatever is pushed, read and reviewed, a change is held for exactly those who have not agreed to it',
  tell,
);
