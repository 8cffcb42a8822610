/** Which losses of a change readers have to agree to, by exceptions, notices and lineage. */

import { describe, expect, test } from 'vitest';
import type { CatalogReader } from '../../src/catalog/catalog.ts';
import { ApiError } from '../../src/catalog/fault.ts';
import { withAgreements } from '../../src/commands/agreement.ts';
import type { Downstream, ReaderAgreement } from '../../src/plan/plan.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { defaultRules, type Exception, type Rules } from '../../src/plan/rules.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';

const day = 24 * 3_600_000;
const now = Date.UTC(2026, 0, 31);

const column = (name: string, more = {}) => ({ name, dataType: 'INT', ...more });
const names = ['id', 'iban', 'fax'];
const mark = { description: 'Deprecated: goes soon.' };
const schemaWith = (...marked: readonly string[]) =>
  names.map((name) => column(name, marked.includes(name) ? mark : {}));

const removing = (...gone: readonly string[]) => ({
  schema: schemaWith().filter(({ name }) => !gone.includes(name)),
});
const retyping = { schema: schemaWith().with(1, column('iban', { dataType: 'TEXT' })) };
const retiring = { entityStatus: 'Deprecated' };

const asset = { id: 'payouts-1', type: 'table', name: 'payouts', fullyQualifiedName: 'a.payouts' };
const reads = {
  distance: 1,
  columns: ['iban'],
  owners: ['finance'],
  contract: { status: 'Active' },
};
const payouts: Downstream = { assets: [{ ...asset, ...reads }] };

const exception: Exception = {
  rule: 'column-removed',
  place: 'schema.iban',
  reason: 'agreed',
  until: '2026-12-31',
  expired: false,
  pattern: [],
  isShared: false,
  source: { file: 'contract-sync.yaml', line: 1, column: 1 },
};
const { until: _until, ...endless } = exception;
const { place: _place, ...placeless } = exception;

type Given = {
  readonly exceptions?: readonly Exception[];
  /** Days for which a removal has to be announced. */
  readonly notice?: number;
  /** Oldest first: how many days ago a version came, and which columns it marks. */
  readonly versions?: readonly (readonly [days: number, ...marked: string[]])[];
  readonly isUnread?: boolean;
  readonly status?: string;
  /** Days that the catalog's clock is ahead. */
  readonly ahead?: number;
};

async function agreementOn(managed: Parameters<typeof desiredOf>[0], given: Given) {
  const { exceptions = [], notice, versions = [[60]], isUnread, ahead = 0 } = given;
  const entityStatus = given.status ?? 'Active';
  const snapshots = versions
    .map(([days, ...marked], index) => ({
      ...liveOf({ entityStatus, schema: schemaWith(...marked) }).document,
      version: (index + 1) / 10,
      updatedAt: now - days * day,
    }))
    .toReversed();
  const live = liveOf(snapshots[0]);
  const readers = { handles: {}, ...(notice !== undefined && { notice: notice * day }) };
  const rules: Rules = {
    ...defaultRules,
    compatibility: { ...defaultRules.compatibility, levels: new Map([['Active', 'warn']]) },
    reviews: { ...defaultRules.reviews, readers },
    exceptions,
    exceptionsFor: () => exceptions,
  };
  const planned = planUpdate(live, desiredOf(managed), rules);
  const request = { operation: 'versions', method: 'GET', url: new URL('http://a') } as const;
  const fault = { code: 'server-error', message: 'It fails.', transient: true } as const;
  const reader = {
    versions: async () => {
      if (isUnread) throw new ApiError(request, { ...fault, mayHaveLanded: false }, 1);
      return Promise.resolve({ entityType: 'dataContract', versions: snapshots });
    },
  } as unknown as CatalogReader;
  const asked: (readonly (readonly string[])[] | undefined)[] = [];
  const [plan] = await withAgreements(
    [planned],
    { pairs: [{ live }], rules },
    { reader, clockAhead: async () => Promise.resolve(ahead * day) },
    async ({ columns }) => {
      asked.push(columns);
      return Promise.resolve(payouts);
    },
    now,
  );
  return { agreement: plan?.action === 'update' ? plan.agreement : undefined, asked };
}

const placesOf = (
  agreement: ReaderAgreement | undefined,
  of: 'losses' | 'announced' | 'noticed' | 'allowed',
) => (agreement?.[of] ?? []).map(({ place }) => place?.replace('schema.', '') ?? 'all');

type Row = readonly [title: string, managed: Parameters<typeof desiredOf>[0], Given, string];

const allowed = { exceptions: [exception] };
const marked = (days: number): Given => ({ notice: 30, versions: [[90], [days, 'iban']] });

describe('readers have to agree', () => {
  test.for<Row>([
    ['to a removed column', removing('iban'), {}, 'held iban'],
    ['to a retyped column', retyping, {}, 'held iban'],
    ['to a retirement', retiring, {}, 'held all'],
    ['to nothing that is described anew', { description: 'New.' }, {}, 'none'],
    ['to nothing of a draft', removing('iban'), { status: 'Draft' }, 'none'],
    ['to nothing that an exception allows', removing('iban'), allowed, 'needless, allowed iban'],
    ['to the other of two removals', removing('iban', 'fax'), allowed, 'held fax, allowed iban'],
    [
      'despite an exception without a last day',
      removing('iban'),
      { exceptions: [endless] },
      'held iban',
    ],
    [
      'despite an exception that has ended',
      removing('iban'),
      { exceptions: [{ ...exception, expired: true }] },
      'held iban',
    ],
    [
      'despite an exception for all places',
      removing('iban'),
      { exceptions: [placeless] },
      'held iban',
    ],
    ['despite an exception of another rule', retyping, allowed, 'held iban'],
    [
      'to no removal announced for 30 days',
      removing('iban'),
      marked(30),
      'needless, announced iban',
    ],
    ['to one announced for 29', removing('iban'), marked(29), 'held iban, noticed iban'],
    [
      'to one that 29 days by the clock of the catalog announce',
      removing('iban'),
      { ...marked(30), ahead: -1 },
      'held iban, noticed iban',
    ],
    [
      'to none that 30 days by the clock of the catalog announce',
      removing('iban'),
      { ...marked(29), ahead: 1 },
      'needless, announced iban',
    ],
    [
      'to a retyped column beside a removal that was announced',
      { schema: retyping.schema.slice(0, 2) },
      { notice: 30, versions: [[90], [60, 'iban', 'fax']] },
      'held iban, announced fax',
    ],
    ['to a retyped column despite its mark', retyping, marked(60), 'held iban'],
    [
      'without a notice in the policy',
      removing('iban'),
      { versions: marked(60).versions ?? [] },
      'held iban',
    ],
    ['while versions are unread', removing('iban'), { ...marked(60), isUnread: true }, 'held iban'],
    [
      'to what was announced and allowed to nobody',
      removing('iban', 'fax'),
      { ...allowed, notice: 30, versions: [[90], [60, 'fax']] },
      'needless, announced fax, allowed iban',
    ],
  ])('%s', async ([, managed, given, expected]) => {
    const { agreement } = await agreementOn(managed, given);
    const found = (['announced', 'noticed', 'allowed'] as const).flatMap((each) =>
      placesOf(agreement, each).map((place) => `${each} ${place}`),
    );
    const losses = placesOf(agreement, 'losses').join(' ');
    const state = [agreement?.state ?? 'none', losses].filter(Boolean).join(' ');
    expect([state, ...found].join(', ')).toBe(expected);
  });
});

test.for<[string, Parameters<typeof desiredOf>[0], Given, readonly unknown[]]>([
  ['of the columns that change', removing('iban', 'fax'), {}, [[['iban'], ['fax']]]],
  [
    'of those that are neither allowed nor announced',
    removing('iban', 'fax'),
    allowed,
    [[['fax']]],
  ],
  [
    'of the whole asset, where the contract retires',
    { ...removing('iban'), ...retiring },
    {},
    [undefined],
  ],
  ['of nothing, where all is allowed', removing('iban'), allowed, []],
])('the catalog is asked for the readers %s', async ([, managed, given, expected]) => {
  expect((await agreementOn(managed, given)).asked).toEqual(expected);
});
