/**
 * Pull requests over time, as random as they come: pushes, reviews, lineage that comes, goes and
 * fails, exceptions and notices; and what must hold whenever one is applied.
 */

import fc from 'fast-check';
import { expect } from 'vitest';
import type { CatalogReader } from '../../src/catalog/catalog.ts';
import { ApiError } from '../../src/catalog/fault.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import { withAgreements } from '../../src/commands/agreement.ts';
import { openLineage } from '../../src/commands/downstream.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import type { Lineage } from '../../src/contract/lineage.ts';
import { compareCodeUnits, type JsonObject } from '../../src/core/json.ts';
import { planUpdate } from '../../src/plan/update.ts';
import type { ReaderAgreement, UpdatePlan } from '../../src/plan/plan.ts';
import { defaultRules, type Exception, type Rules } from '../../src/plan/rules.ts';
import {
  type Evidence,
  judgeAgreement,
  markReaders,
  type ReviewApproval,
  type ShownChange,
} from '../../src/review/agreement.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';

const people = ['ada', 'ben', 'cat', 'dan'];
const owners = ['finance', 'growth', 'audit'];
const minute = 60_000;
const day = 24 * 60 * minute;
const start = Date.UTC(2026, 0, 1);
const notice = 30 * day;
const tenDays = 10 * day;

/** What a push does to `iban` and `fax`; its losses as an entry of `allow` names them. */
const changes = {
  'removes iban': [{ rule: 'column-removed', column: 'iban' }],
  'removes both': [
    { rule: 'column-removed', column: 'iban' },
    { rule: 'column-removed', column: 'fax' },
  ],
  'retypes iban': [{ rule: 'type-changed', column: 'iban' }],
  retires: [{ rule: 'transition-blocked', column: undefined }],
} as const;
type Change = keyof typeof changes;

const assets = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c').map((letter) => letter.repeat(8)),
    owners: fc.option(fc.subarray(owners), { nil: undefined, freq: 5 }),
    // Of it: columns that are known, none that matter, or the asset alone.
    reads: fc.constantFrom('iban', 'iban', 'iban', 'fax', 'others', 'unknown'),
    status: fc.constantFrom('Active', 'Active', 'Active', 'Draft', undefined),
  }),
  { maxLength: 3 },
);

const events = fc.oneof(
  // Its plan is shown.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('push'),
      change: fc.constantFrom<Change>(
        ...(['removes iban', 'removes iban', 'removes both', 'retypes iban', 'retires'] as const),
      ),
    }),
  },
  // A verdict of an account on one of the last commits.
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('review'),
      login: fc.constantFrom(...people),
      back: fc.constantFrom(0, 0, 0, 1),
      approves: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lineage'), assets }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('outage'), isOver: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait'), days: fc.constantFrom(1, 9) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'plan' } as const) },
);

export const stories = fc.record({
  assets,
  handles: fc.dictionary(fc.constantFrom(...owners), fc.constantFrom('ada', '@ben', '@acme/crew')),
  fallback: fc.option(fc.constant('platform'), { nil: undefined }),
  crew: fc.option(fc.subarray(people), { nil: undefined, freq: 4 }),
  platform: fc.option(fc.subarray(people), { nil: undefined, freq: 4 }),
  author: fc.constantFrom(...people),
  hasNotice: fc.boolean(),
  /** Oldest first: how long before the pull request a version came, and what it marks. */
  versions: fc
    .array(
      fc.record({
        days: fc.constantFrom(1, 20, 29, 30, 31, 60),
        marks: fc.subarray(['iban', 'fax', 'contract']),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((versions) => versions.toSorted((a, b) => b.days - a.days)),
  allowed: fc.array(
    fc.record({
      rule: fc.constantFrom('column-removed', 'type-changed', 'transition-blocked'),
      place: fc.constantFrom('schema.iban', 'schema.fax', undefined),
      lasts: fc.constantFrom('until a day', 'ten days', 'ten days', 'for ever', 'no more'),
    }),
    { maxLength: 1 },
  ),
  events: fc.array(events, { maxLength: 14 }),
});

export type Story = typeof stories extends fc.Arbitrary<infer Each> ? Each : never;
type Assets = Story['assets'];

/** Applies what the story has come to, by the code, and holds it against the log of what happened. */
export async function tell(story: Story): Promise<void> {
  const { author, crew, platform } = story;
  const accounts = new Map<string, readonly string[] | { readonly unread: string }>([
    ...people.map((each) => [`@${each}`, [each]] as const),
    ['@acme/crew', crew ?? { unread: '403' }],
    ['platform', platform ?? { unread: '403' }],
  ]);

  let current = story.assets;
  let isOut = false;
  let change: Change = 'removes iban';
  let commit = 0;
  let now = start;
  let shown: { readonly change: string; readonly of: ShownChange } | undefined;
  const latest = new Map<string, ReviewApproval & { readonly approves: boolean }>();
  const log: Log = { plans: [], reviews: [] };
  const present = () => ({ change, now, readers: isOut ? undefined : current });

  const judge = async (withHead: boolean): Promise<Agreed> => {
    const planned = await planNow(story, present());
    const { agreement } = planned;
    const before = shown?.change === change ? shown.of : undefined;
    const known =
      before && withHead ? { ...before, commits: [...before.commits, `c${commit}`] } : before;
    const approvals = [...latest.values()].filter(({ approves }) => approves);
    const evidence: Evidence = { author, approvals, shown: known, accounts };
    if (agreement.state !== 'held') return planned;
    return { ...planned, agreement: judgeAgreement(agreement, evidence) };
  };
  const plan = async (step: number): Promise<void> => {
    const judged = await judge(true);
    const before = shown?.change === change ? shown.of : undefined;
    const { since = new Date(now).toISOString(), commits = [] } = before ?? {};
    const readers = markReaders(judged, before?.readers);
    shown = { change, of: { since, commits: [...commits, `c${commit}`], readers } };
    log.plans.push({ step, commit, ...present() });
  };

  await plan(0);
  for (const [index, event] of story.events.entries()) {
    const step = index + 1;
    now += minute;
    switch (event.kind) {
      case 'push':
        commit += 1;
        ({ change } = event);
        await plan(step);
        break;
      case 'plan':
        await plan(step);
        break;
      case 'lineage':
        current = event.assets;
        break;
      case 'outage':
        isOut = !event.isOver;
        break;
      case 'wait':
        now += event.days * day;
        break;
      case 'review': {
        const of = Math.max(0, commit - event.back);
        const { login, approves } = event;
        latest.set(login, { login, commit: `c${of}`, at: new Date(now).toISOString(), approves });
        log.reviews.push({ step, login, commit: of, approves });
        break;
      }
    }
  }
  const { agreement } = await judge(false);
  expect(summaryOf(agreement)).toEqual(judgeByLog(log, present(), story));
}

type Present = {
  readonly change: Change;
  readonly now: number;
  /** Undefined while the catalog's lineage fails. */
  readonly readers: Assets | undefined;
};

const orders = '11111111-1111-4111-8111-111111111111';
const asset = { id: 'orders', type: 'table', fullyQualifiedName: 'orders', isDeleted: false };

function fieldsWith(marks: readonly string[]): JsonObject {
  const column = (name: string) => ({
    name,
    dataType: 'INT',
    ...(marks.includes(name) && { description: 'Deprecated: goes soon.' }),
  });
  return {
    id: orders,
    entity: asset,
    entityStatus: 'Active',
    schema: [column('id'), column('iban'), column('fax')],
    ...(marks.includes('contract') && { description: '**Deprecated**' }),
  };
}

function targetOf(change: Change, { schema }: JsonObject): JsonObject {
  const columns = schema as readonly JsonObject[];
  const without = (...names: readonly string[]) =>
    columns.filter(({ name }) => !names.some((each) => each === name));
  switch (change) {
    case 'removes iban':
      return { schema: without('iban') };
    case 'removes both':
      return { schema: without('iban', 'fax') };
    case 'retypes iban':
      return {
        schema: columns.map((each) =>
          each['name'] === 'iban' ? { ...each, dataType: 'TEXT' } : each,
        ),
      };
    case 'retires':
      return { entityStatus: 'Deprecated' };
  }
}

const known = new Map<string, UpdatePlan>();

/** The plan of a change, which a few thousand stories share. */
function planOf(change: Change, live: LiveContract, marks: readonly string[], rules: Rules) {
  const key = JSON.stringify([change, marks]);
  const planned =
    known.get(key) ?? planUpdate(live, desiredOf(targetOf(change, live.document)), rules);
  if (planned.action === 'unchanged') throw new Error('no change');
  known.set(key, planned);
  return planned;
}

type Agreed = UpdatePlan & { readonly agreement: ReaderAgreement };

/** Before anybody is asked. */
async function planNow(story: Story, { change, now, readers }: Present) {
  const { handles, fallback, versions, hasNotice, allowed } = story;
  const active = defaultRules.compatibility;
  const exceptions = allowed.map(({ rule, place, lasts }): Exception => ({
    rule,
    ...(place !== undefined && { place }),
    reason: 'agreed',
    ...(lasts !== 'for ever' && { until: '2026-12-31' }),
    expired: lasts === 'no more' || (lasts === 'ten days' && now >= start + tenDays),
    pattern: [],
    isShared: false,
    source: { file: 'contract-sync.yaml', line: 1, column: 1 },
  }));
  const rules: Rules = {
    ...defaultRules,
    compatibility: { ...active, levels: new Map([['Active', 'warn']]) },
    reviews: {
      ...defaultRules.reviews,
      readers: { handles, fallback, notice: hasNotice ? notice : undefined },
    },
    exceptions,
    exceptionsFor: () => exceptions,
  };
  const snapshots = versions
    .map(({ days, marks }, index) => ({
      ...fieldsWith(marks),
      version: (index + 1) / 10,
      updatedAt: start - days * day,
    }))
    .toReversed();
  const live = liveOf(snapshots[0]);
  const listed = distinct(readers ?? []);
  const pairs = listed.flatMap(({ id, status }) =>
    status === undefined
      ? []
      : [{ live: liveOf({ id: `of-${id}`, entity: { id, type: 'table' }, entityStatus: status }) }],
  );
  const reader = {
    versions: async () => Promise.resolve({ entityType: 'dataContract', versions: snapshots }),
    fetchOwners: async ({ id }: { readonly id: string }) =>
      Promise.resolve(listed.find((each) => each.id === id)?.owners),
    fetchLineage: async () => {
      if (readers) return Promise.resolve(null);
      throw new ApiError(request, fault, 1);
    },
  } as unknown as CatalogReader;
  const product = { ...standard, parseLineage: () => lineageOf(listed) };
  const marks = versions.at(-1)?.marks ?? [];
  const lineage = openLineage({ pairs, listsAll: true }, { reader, product });
  const columns = changes[change].flatMap(({ column }) => (column ? [[column]] : []));
  const subject = { live, columns: columns.length > 0 ? columns : undefined };
  const plan = { ...planOf(change, live, marks, rules), downstream: await lineage(subject) };
  const found = { pairs: [{ live }, ...pairs], rules };
  const [planned] = await withAgreements([plan], found, { reader }, lineage, now);
  if (planned?.action !== 'update' || !planned.agreement) throw new Error('no agreement');
  return { ...planned, agreement: planned.agreement };
}

const fault = {
  code: 'server-error',
  message: 'It fails.',
  hint: '',
  transient: true,
  mayHaveLanded: false,
} as const;
const request = {
  operation: 'versions',
  method: 'GET',
  url: new URL('https://catalog.example.com'),
} as const;

function lineageOf(all: Assets): Lineage {
  return {
    asset,
    assets: all.map(({ id }) => ({ ...asset, id, fullyQualifiedName: id })),
    edges: all.map(({ id, reads }) => ({
      from: asset.id,
      to: id,
      columns: reads === 'unknown' ? [] : [{ from: [`orders.${reads}`], to: `${id}.x` }],
    })),
  };
}

// Of two assets with one id, a catalog has the last.
function distinct(all: Assets): Assets {
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

function idsOf(all: readonly { readonly id: string }[]): string[] {
  return all.map(({ id }) => id).toSorted(compareCodeUnits);
}

function summaryOf({ state, readers, announced, allowed }: ReaderAgreement) {
  const answering = (...kinds: readonly string[]) =>
    idsOf(readers.filter(({ answer }) => kinds.includes(answer.kind)));
  return {
    state,
    missing: answering('missing'),
    agreed: answering('agreed', 'own'),
    excused: answering('later'),
    announced: announced.map(({ place }) => place),
    allowed: allowed.map(({ place }) => place),
  };
}

type Log = {
  readonly plans: (Present & { readonly step: number; readonly commit: number })[];
  readonly reviews: { step: number; login: string; commit: number; approves: boolean }[];
};

/** What of a change is left to agree to, and why not the rest. */
function lossesAt({ change, now }: Present, { allowed, hasNotice, versions }: Story) {
  const lost = changes[change].map(({ rule, column }) => ({
    rule,
    column,
    place: column && `schema.${column}`,
  }));
  const isValid = ({ lasts }: Story['allowed'][number]) =>
    lasts === 'until a day' || (lasts === 'ten days' && now < start + tenDays);
  const isAllowed = ({ rule, place }: (typeof lost)[number]) =>
    allowed.some((each) => isValid(each) && each.rule === rule && each.place === place);
  const isAnnounced = ({ rule, column }: (typeof lost)[number]): boolean => {
    if (!hasNotice || rule === 'type-changed') return false;
    const isMarked = ({ marks }: Story['versions'][number]) =>
      marks.includes('contract') || (column !== undefined && marks.includes(column));
    const gap = versions.findLastIndex((version) => !isMarked(version));
    const first = versions[gap + 1];
    return first !== undefined && now - (start - first.days * day) >= notice;
  };
  const kept = lost.filter((each) => !isAllowed(each));
  return {
    all: lost,
    allowed: lost.filter(isAllowed).map(({ place }) => place),
    announced: kept.filter(isAnnounced).map(({ place }) => place),
    open: kept.filter((each) => !isAnnounced(each)),
  };
}

/** The oracle: goes through the log once more, question by question. */
function judgeByLog({ plans, reviews }: Log, present: Present, story: Story) {
  const { open, all: _, ...lifted } = lossesAt(present, story);
  const nothing = { missing: [], agreed: [], excused: [], ...lifted };
  if (open.length === 0) return { state: 'needless', ...nothing };
  if (!present.readers) return { state: 'held', ...nothing };
  const last = plans.at(-1);
  const since = plans.findLastIndex(({ change }) => change !== last?.change) + 1;
  const showing = plans.slice(since);
  const readersOf = (at: Present, losses: readonly { readonly column: string | undefined }[]) => {
    const isWhole = losses.some(({ column }) => column === undefined);
    return distinct(at.readers ?? []).filter(
      ({ reads }) =>
        losses.length > 0 && (isWhole || losses.some(({ column }) => column === reads)),
    );
  };
  const reading = (at: Present): Assets =>
    readersOf(at, lossesAt(at, story).open).filter(({ status }) => status === 'Active');

  const mayAgree = ({ owners: own }: Assets[number]): { logins: string[]; isOwn: boolean } => {
    if (!own) return { logins: [], isOwn: false };
    const standIns = story.fallback === undefined ? [] : (story.platform ?? []);
    const ofOwners = own.map((owner) => {
      const handle = Object.hasOwn(story.handles, owner) ? story.handles[owner] : undefined;
      if (handle === undefined) return { logins: standIns, isAuthor: false };
      const logins = handle === '@acme/crew' ? (story.crew ?? []) : [handle.replace('@', '')];
      return { logins, isAuthor: logins.join() === story.author };
    });
    const logins = own.length === 0 ? standIns : ofOwners.flatMap((each) => each.logins);
    const isOwn = own.length > 0 && ofOwners.every(({ isAuthor }) => isAuthor);
    return { logins: logins.filter((each) => each !== story.author), isOwn };
  };

  // By the verdicts given until then, of commits whose plans had shown the change.
  const hasAgreed = (each: Assets[number], until: number, known: Log['plans']) => {
    const { logins, isOwn } = mayAgree(each);
    if (isOwn) return true;
    return logins.some((login) => {
      const verdict = reviews.findLast((review) => review.login === login && review.step <= until);
      if (!verdict?.approves || verdict.step < (known[0]?.step ?? Infinity)) return false;
      return known.some(({ commit }) => commit === verdict.commit);
    });
  };
  const areDone = (all: Assets, until: number, known: Log['plans']): boolean =>
    all.some((each) => !mayAgree(each).isOwn) && all.every((each) => hasAgreed(each, until, known));

  // Who has to agree, from plan to plan: once all of those have that lineage shows, nobody is added
  // who wasn't there before, unless something more is lost.
  const required: string[] = [];
  const asked: string[] = [];
  const isDoneAt = (at: Present, step: number, shown: Log['plans']): boolean => {
    const now = reading(at).filter(({ id }) => required.includes(id));
    const isMore = lossesAt(at, story).open.some(({ rule, place }) => {
      return !asked.includes(`${rule} ${place}`);
    });
    return !isMore && areDone(now, step, shown);
  };
  for (const [index, shown] of showing.entries()) {
    const until = showing.slice(0, index + 1);
    const now = reading(shown);
    const isDone = index > 0 && isDoneAt(shown, shown.step, until);
    const isExcused = (each: Assets[number]) =>
      isDone &&
      now.includes(each) &&
      !required.includes(each.id) &&
      !hasAgreed(each, shown.step, until);
    const { all, open: losses } = lossesAt(shown, story);
    const known = readersOf(shown, all).filter(({ status }) => status !== undefined);
    required.push(...idsOf(known.filter((each) => !isExcused(each))));
    if (shown.readers) for (const { rule, place } of losses) asked.push(`${rule} ${place}`);
  }
  const now = reading(present);
  const isDone = isDoneAt(present, Infinity, showing);
  const agreed = now.filter((each) => hasAgreed(each, Infinity, showing));
  const rest = idsOf(now.filter((each) => !agreed.includes(each)));
  return {
    state: now.length === 0 ? 'needless' : isDone || rest.length === 0 ? 'agreed' : 'held',
    missing: isDone ? [] : rest,
    agreed: idsOf(agreed),
    excused: isDone ? rest : [],
    ...lifted,
  };
}
