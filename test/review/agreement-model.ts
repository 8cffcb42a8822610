/** Pull requests over time, as random as they come, and what must hold whenever one is applied. */

import fc from 'fast-check';
import { expect } from 'vitest';
import type { DownstreamAsset } from '../../src/contract/lineage.ts';
import type { ReaderAgreement } from '../../src/plan/plan.ts';
import type { ReaderRules } from '../../src/plan/rules.ts';
import {
  askReaders,
  type Evidence,
  judgeAgreement,
  markReaders,
  type ReviewApproval,
  type ShownChange,
  stateOf,
} from '../../src/review/agreement.ts';

const people = ['ada', 'ben', 'cat', 'dan'];
const owners = ['finance', 'growth', 'audit'];

const assets = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c').map((letter) => letter.repeat(8)),
    owners: fc.option(fc.subarray(owners), { nil: undefined, freq: 5 }),
    // Of it: columns that are known, none that matter, or the asset alone.
    reads: fc.constantFrom('column', 'column', 'column', 'others', 'unknown'),
    status: fc.constantFrom('Active', 'Active', 'Active', 'Draft', undefined),
  }),
  { maxLength: 3 },
);

const events = fc.oneof(
  // A push: of the same change, or of another one. Its plan is shown.
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('push'), change: fc.constantFrom('A', 'A', 'B') }),
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
  { weight: 1, arbitrary: fc.constant({ kind: 'plan' } as const) },
);

export const stories = fc.record({
  assets,
  isWhole: fc.constantFrom(false, false, true),
  lineage: fc.constantFrom('read', 'read', 'read', 'read', 'unread'),
  handles: fc.dictionary(fc.constantFrom(...owners), fc.constantFrom('ada', '@ben', '@acme/crew')),
  fallback: fc.option(fc.constant('platform'), { nil: undefined }),
  crew: fc.option(fc.subarray(people), { nil: undefined, freq: 4 }),
  platform: fc.option(fc.subarray(people), { nil: undefined, freq: 4 }),
  author: fc.constantFrom(...people),
  events: fc.array(events, { maxLength: 14 }),
});

export type Story = typeof stories extends fc.Arbitrary<infer Each> ? Each : never;
type Assets = Story['assets'];

const timeOf = (step: number) => new Date(Date.UTC(2026, 0, 1, 0, step)).toISOString();

/** Applies what the story has come to, by the code, and holds it against the log of what happened. */
export function tell(story: Story): void {
  const { author, crew, platform, fallback, isWhole } = story;
  const rules: ReaderRules = { handles: story.handles, fallback, notice: undefined };
  const accounts = new Map<string, readonly string[] | { readonly unread: string }>([
    ...people.map((each) => [`@${each}`, [each]] as const),
    ['@acme/crew', crew ?? { unread: '403' }],
    ['platform', platform ?? { unread: '403' }],
  ]);

  let current = story.assets;
  let change = 'A';
  let commit = 0;
  let shown: { readonly change: string; readonly of: ShownChange } | undefined;
  const latest = new Map<string, ReviewApproval & { readonly approves: boolean }>();
  const log: Log = { plans: [], reviews: [] };

  const judge = (withHead: boolean): ReaderAgreement => {
    const unread = { unknown: 'no answer' };
    const downstream = story.lineage === 'read' ? { assets: assetsOf(current) } : unread;
    const asked: Pick<ReaderAgreement, 'readers' | 'unknown'> = {
      readers: [],
      ...askReaders(downstream, { active: 'Active', isWhole }, rules),
    };
    const agreement: ReaderAgreement = {
      ...asked,
      announced: [],
      allowed: [],
      state: stateOf(asked),
    };
    const before = shown?.change === change ? shown.of : undefined;
    const known =
      before && withHead ? { ...before, commits: [...before.commits, `c${commit}`] } : before;
    const approvals = [...latest.values()].filter(({ approves }) => approves);
    const evidence: Evidence = { author, approvals, shown: known, accounts };
    return agreement.state === 'held' && agreement.unknown === undefined
      ? judgeAgreement(agreement, evidence)
      : agreement;
  };
  const plan = (step: number): void => {
    const agreement = judge(true);
    const before = shown?.change === change ? shown.of : undefined;
    const { since = timeOf(step), commits = [] } = before ?? {};
    const readers = markReaders(agreement, before);
    shown = { change, of: { since, commits: [...commits, `c${commit}`], readers } };
    log.plans.push({ step, change, commit, assets: current });
  };

  plan(0);
  for (const [index, event] of story.events.entries()) {
    const step = index + 1;
    switch (event.kind) {
      case 'push':
        commit += 1;
        change = event.change;
        plan(step);
        break;
      case 'plan':
        plan(step);
        break;
      case 'lineage':
        current = event.assets;
        break;
      case 'review': {
        const of = Math.max(0, commit - event.back);
        const { login, approves } = event;
        latest.set(login, { login, commit: `c${of}`, at: timeOf(step), approves });
        log.reviews.push({ step, login, commit: of, approves });
        break;
      }
    }
  }
  const { state, readers } = judge(false);
  const truth = judgeByLog(log, current, story);
  expect({ state, ...namesIn(readers) }).toEqual(truth);
}

// Of two assets with one id, a catalog has the last.
function distinct(all: Assets): Assets {
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

function assetsOf(all: Assets): DownstreamAsset[] {
  return distinct(all).map(({ id, owners: own, reads, status }) => ({
    id,
    type: 'table',
    name: id,
    fullyQualifiedName: id,
    distance: 1,
    ...(reads !== 'unknown' && { columns: reads === 'column' ? ['x'] : [] }),
    ...(own && { owners: own }),
    ...(status !== undefined && { contract: { status } }),
  }));
}

function namesIn(readers: ReaderAgreement['readers']) {
  const idsOf = (...kinds: readonly string[]) =>
    readers.filter(({ answer }) => kinds.includes(answer.kind)).map(({ id }) => id);
  return { missing: idsOf('missing'), agreed: idsOf('agreed', 'own'), excused: idsOf('later') };
}

type Log = {
  readonly plans: { step: number; change: string; commit: number; assets: Assets }[];
  readonly reviews: { step: number; login: string; commit: number; approves: boolean }[];
};

/** The oracle: goes through the log once more, question by question. */
function judgeByLog({ plans, reviews }: Log, current: Assets, story: Story) {
  const nothing = { missing: [], agreed: [], excused: [] };
  if (story.lineage === 'unread') return { state: 'held', ...nothing };
  const last = plans.at(-1);
  const start = plans.findLastIndex(({ change }) => change !== last?.change) + 1;
  const showing = plans.slice(start);
  const reading = (all: Assets) =>
    distinct(all).filter(({ status, reads }) => {
      if (status !== 'Active') return false;
      return story.isWhole || reads === 'column';
    });

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
  const hasAgreed = (
    asset: Assets[number],
    until: number,
    known: readonly Log['plans'][number][],
  ) => {
    const { logins, isOwn } = mayAgree(asset);
    if (isOwn) return true;
    return logins.some((login) => {
      const verdict = reviews.findLast((each) => each.login === login && each.step <= until);
      if (!verdict?.approves || verdict.step < (known[0]?.step ?? Infinity)) return false;
      return known.some(({ commit }) => commit === verdict.commit);
    });
  };

  const areDone = (all: Assets, until: number, known: readonly Log['plans'][number][]): boolean =>
    all.some((each) => !mayAgree(each).isOwn) && all.every((each) => hasAgreed(each, until, known));

  // Who has to agree, from plan to plan: once all of those have that lineage shows, nobody is added.
  const required: string[] = [];
  for (const [index, { step, assets: then }] of showing.entries()) {
    const now = reading(then);
    const asked = now.filter(({ id }) => required.includes(id));
    const known = showing.slice(0, index + 1);
    const isDone = index > 0 && areDone(asked, step, known);
    const counted = isDone
      ? now.filter((each) => asked.includes(each) || hasAgreed(each, step, known))
      : now;
    for (const { id } of counted) required.push(id);
  }
  const now = reading(current);
  const asked = now.filter(({ id }) => required.includes(id));
  const isDone = areDone(asked, Infinity, showing);
  const agreed = now.filter((each) => hasAgreed(each, Infinity, showing));
  const rest = now.filter((each) => !agreed.includes(each)).map(({ id }) => id);
  return {
    state: now.length === 0 ? 'needless' : isDone || rest.length === 0 ? 'agreed' : 'held',
    missing: isDone ? [] : rest,
    agreed: agreed.map(({ id }) => id),
    excused: isDone ? rest : [],
  };
}
