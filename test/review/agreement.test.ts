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
  ['nobody approves', { given: { approvals: [] } }, missing('not agreed yet')],
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
])('where %s, the reader answers so', ([, given, answer]) => {
  expect(answerTo(given)).toEqual(answer);
});

const other: DownstreamAsset = { ...payouts, id: 'payouts-2', name: 'ledger', owners: ['olga'] };
const late: DownstreamAsset = { ...payouts, id: 'payouts-3', name: 'late', owners: ['ann'] };

// Each a plan with these readers, of which some had agreed before; the last one is judged.
test.for<[string, readonly (readonly DownstreamAsset[])[], readonly string[], string]>([
  ['only after the others agreed, is named', [[payouts], [payouts, late]], ['olga'], 'later'],
  ['before the others agreed, has to agree', [[payouts], [payouts, late]], [], 'missing'],
  ['where nobody was asked before, has to agree', [[], [late]], ['olga'], 'missing'],
  [
    'again, after its lineage was lost for a while, has to agree',
    [[payouts, late], [payouts], [payouts, late]],
    ['olga'],
    'missing',
  ],
  [
    'again, after all lineage was lost for a while, has to agree',
    [[payouts, late], [], [payouts, late]],
    ['olga'],
    'missing',
  ],
])('a reader that lineage shows %s', ([, plans, approving, kind]) => {
  const given = { ...rules, handles: { ...rules.handles, ann: 'ann' } };
  const accounts = new Map([...evidence.accounts, ['@ann', ['ann']]]);
  const approvals = approving.map((login) => ({ ...approval, login }));
  let readers: readonly string[] = [];
  let answers: readonly ReaderAnswer[] = [];
  for (const assets of plans) {
    const agreement = agreementOn(assets, given);
    const shown = { since: '2026-03-02T09:00:00.500Z', commits: ['c1', 'c2'], readers };
    const judged = judgeAgreement(agreement, { ...evidence, accounts, approvals, shown });
    answers = judged.readers.map(({ answer }) => answer);
    readers = markReaders({ ...update, agreement: judged }, readers);
  }
  expect(answers.at(-1)?.kind).toBe(kind);
});

test('when an exception or a notice ends, its readers have to agree, whichever others have agreed', () => {
  const given = { handles: { ...rules.handles, ann: 'ann' } };
  const accounts = new Map([...evidence.accounts, ['@ann', ['ann']]]);
  const iban = { rule: 'column-removed', place: 'schema.iban' };
  const fax = { rule: 'column-removed', place: 'schema.fax' };
  const before = { ...agreementOn([payouts], given), losses: [iban] };
  const readers = markReaders({ ...update, agreement: before });
  const shown = { since: '2026-03-02T09:00:00.500Z', commits: ['c2'], readers };
  const judged = (losses: ReaderAgreement['losses']) =>
    judgeAgreement(
      { ...agreementOn([payouts, late], given), losses },
      { ...evidence, accounts, shown },
    ).readers.map(({ answer }) => answer.kind);
  expect(judged([iban])).toEqual(['agreed', 'later']);
  expect(judged([iban, fax])).toEqual(['agreed', 'missing']);
});

test('a reader under an ended exception has to agree, though lineage lost it as the exception ended', () => {
  const given = { handles: { ...rules.handles, ann: 'ann' } };
  const accounts = new Map([...evidence.accounts, ['@ann', ['ann']]]);
  const iban = { rule: 'column-removed', place: 'schema.iban' };
  const losses = [iban, { rule: 'column-removed', place: 'schema.fax' }];
  const allowed = { ...agreementOn([payouts], given), losses: [iban] };
  const lost = { ...agreementOn([payouts], given), losses };
  const both = { ...update, downstream: { assets: [payouts, late] } };
  let readers = markReaders({ ...both, agreement: allowed });
  readers = markReaders({ ...update, agreement: lost }, readers);
  const shown = { since: '2026-03-02T09:00:00.500Z', commits: ['c2'], readers };
  const judged = judgeAgreement(
    { ...agreementOn([payouts, late], given), losses },
    { ...evidence, accounts, shown },
  );
  expect(judged.readers.map(({ answer }) => answer.kind)).toEqual(['agreed', 'missing']);
});

test('a reader beside an author who owns the others alone has to agree, whenever lineage shows it', () => {
  const given = { handles: { olga: 'olga', ann: 'ann' } };
  const shown = {
    since: approval.at,
    commits: ['c2'],
    readers: markReaders({ ...update, agreement: agreementOn([other], given) }),
  };
  const accounts = new Map([
    ['@olga', ['olga']],
    ['@ann', ['ann']],
  ]);
  const judged = judgeAgreement(agreementOn([other, late], given), {
    author: 'olga',
    approvals: [],
    shown,
    accounts,
  });
  expect(judged.readers.map(({ answer }) => answer.kind)).toEqual(['own', 'missing']);
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
  const nobody = { readers: [], unasked: [] };
  expect(askReaders(down, 'Active', false, rules)).toEqual({ ...nobody, ...down });
  expect(askReaders({ assets: [payouts], contractsUnread: true }, 'Active', false, rules)).toEqual({
    ...nobody,
    unknown: 'which of its readers have contracts was not asked for',
  });
});

property.prop([stories], { numRuns: rounds(400) })(
  'whatever is pushed, read and reviewed, a change is held for exactly those who have not agreed to it',
  tell,
);
