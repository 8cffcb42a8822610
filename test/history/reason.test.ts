import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { type FileState, type CommittedStates, createReasons } from '../../src/history/reason.ts';
import { parseVersions } from '../../src/history/version.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { at, hour } from './histories.ts';
import { rounds } from '../support/rounds.ts';

const places = ['description', 'displayName'] as const;
type Place = (typeof places)[number];

type Event =
  | { readonly kind: 'merge' | 'edit'; readonly place: Place; readonly value: 'new' | number }
  | { readonly kind: 'apply'; readonly of: readonly Place[] }
  | { readonly kind: 'undo' | 'pull' | 'manage' }
  | { readonly kind: 'pass'; readonly time: number };

const place = fc.constantFrom(...places);
const value = fc.oneof(fc.constant('new' as const), fc.nat(3));
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constantFrom('merge', 'edit'), place, value }),
  fc.record({ kind: fc.constant('apply' as const), of: fc.subarray([...places]) }),
  fc.record({ kind: fc.constantFrom('undo', 'pull', 'manage') }),
  fc.record({ kind: fc.constant('pass' as const), time: fc.constantFrom(40, 700, hour) }),
);

/** Lives through the events, and knows whether the last to change a place was somebody in the catalog. */
class World {
  time = Date.UTC(2026, 0, 1);
  readonly commits: FileState[] = [];
  readonly snapshots: JsonObject[] = [];
  git: Record<string, string> = {};
  live: Record<string, string> = { description: 'd0', displayName: 'n0' };
  /** What both said when they last agreed; where git says nothing, what live says. */
  agreed: Record<string, string> = {};
  readonly said: Record<Place, string[]> = { description: [], displayName: [] };
  readonly held: Record<Place, string[]> = { description: [], displayName: [] };
  readonly edits: { readonly place: Place; readonly before: string }[] = [];
  fresh = 0;
  readonly pace: number;

  /** `pace`: milliseconds from one event to the next. */
  constructor(pace: number) {
    this.pace = pace;
    this.write('ada');
    this.time += hour;
    this.commit({ description: 'd0' });
  }

  commit(git: Record<string, string>): void {
    this.git = git;
    for (const each of places) this.said[each].push(git[each] ?? '');
    const commit = String(this.commits.length);
    // git counts in seconds.
    const time = Math.floor(this.time / 1000) * 1000;
    this.commits.unshift({ commit, author: 'Ada', time, managed: git });
    this.agree();
  }

  write(user: string): void {
    const { length } = this.snapshots;
    this.snapshots.unshift({
      id: 'i',
      version: `0.${length + 1}`,
      updatedBy: user,
      updatedAt: this.time,
      ...this.live,
    });
    for (const each of places) this.held[each].push(this.live[each] ?? '');
    this.agree();
  }

  agree(): void {
    for (const each of places) {
      const [git, live] = [this.git[each], this.live[each] ?? ''];
      if (git === undefined || git === live) this.agreed[each] = live;
    }
  }

  set(at: Place, text: string): void {
    if (this.live[at] === text) return;
    this.live = { ...this.live, [at]: text };
    this.write('mira');
  }

  /** Something that nobody has said, or one of those that were. */
  choose(choice: 'new' | number, known: readonly string[]): string {
    return choice === 'new' ? `v${(this.fresh += 1)}` : (known.at(-1 - choice) ?? known[0] ?? '');
  }

  /** What git has said since the two agreed: a hand that types just that is taken for a late apply. */
  isPending(at: Place, text: string): boolean {
    const agreed = this.said[at].lastIndexOf(this.agreed[at] ?? '');
    return this.said[at].slice(agreed + 1).includes(text) && this.agreed[at] !== text;
  }

  happen(each: Event): void {
    this.time += this.pace;
    switch (each.kind) {
      case 'merge':
        return this.merge(each.place, each.value);
      case 'edit':
        return this.edit(each.place, this.choose(each.value, this.held[each.place]));
      case 'undo':
        return this.undo();
      case 'apply':
        return this.apply(each.of);
      case 'pull':
        return this.commit({ ...this.git, description: this.live['description'] ?? '' });
      case 'manage':
        return this.manage();
      case 'pass':
        this.time += each.time;
    }
  }

  merge(at: Place, choice: 'new' | number): void {
    if (this.git[at] === undefined) return;
    this.commit({ ...this.git, [at]: this.choose(choice, this.said[at]) });
  }

  edit(at: Place, text: string): void {
    if (this.isPending(at, text)) return;
    this.edits.push({ place: at, before: this.live[at] ?? '' });
    this.set(at, text);
  }

  undo(): void {
    const last = this.edits.pop();
    if (last && !this.isPending(last.place, last.before)) this.set(last.place, last.before);
  }

  apply(of: readonly Place[]): void {
    const asked = Object.entries(this.git).filter(([at]) => of.some((one) => one === at));
    const next = { ...this.live, ...Object.fromEntries(asked) };
    if (JSON.stringify(next) === JSON.stringify(this.live)) return;
    this.live = next;
    this.write('bot');
  }

  manage(): void {
    // A commit has no milliseconds, so within its second nobody knows what came first.
    this.time += hour;
    if (this.git['displayName'] === undefined)
      this.commit({ ...this.git, displayName: `v${(this.fresh += 1)}` });
  }

  truth(at: Place): string | undefined {
    if (this.git[at] === undefined || this.git[at] === this.live[at]) return undefined;
    return this.agreed[at] === this.live[at] ? 'not-applied' : 'edited';
  }
}

function reasonsOf({ snapshots, commits }: Pick<World, 'snapshots' | 'commits'>, gap?: string) {
  const [live = {}] = snapshots;
  const versions = parseVersions([live, ...snapshots], defaultRules);
  const states: CommittedStates = { merged: commits, all: commits, ...(gap && { gap }) };
  const reasonOf = createReasons(versions, states, defaultRules);
  return (at: Place) => reasonOf({ path: [at], of: 'value' });
}

const runs = { numRuns: rounds(1500) };

function expectTruth(events: readonly Event[], pace: number): void {
  const world = new World(pace);
  for (const each of events) world.happen(each);
  const reasonOf = reasonsOf(world);
  for (const at of places) {
    const truth = world.truth(at);
    if (truth !== undefined) expect([at, reasonOf(at).kind]).toEqual([at, truth]);
  }
}

test('in any history, a value that was not edited is not applied, and one that was is edited', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 24 }), (events) => expectTruth(events, 6000)),
    runs,
  );
});

/** What keeps git from saying a thing twice, and the clock as it is. */
function isUnique(each: Event): boolean {
  if (each.kind === 'merge') return each.value === 'new';
  return each.kind !== 'pull' && each.kind !== 'pass';
}

test('also where all happens within a second, as long as git never returns to a value', () => {
  const events = fc.array(event.filter(isUnique), { maxLength: 24 });
  fc.assert(
    fc.property(events, (each) => expectTruth(each, 7)),
    runs,
  );
});

/** A description as the catalog had it, an hour apart, and as git had it half an hour before each. */
function reasonOf(
  held: readonly JsonObject[],
  said: readonly (string | undefined)[],
  more: Partial<CommittedStates> = {},
) {
  const snapshots = held.map((state, index) => ({ id: 'i', updatedAt: at(index), ...state }));
  const commits = said.flatMap((description, index) =>
    description === undefined ? [] : [commitOf(String(index), at(index - 0.5), { description })],
  );
  const merged = commits.toReversed();
  const [live = {}] = snapshots.toReversed();
  const versions = parseVersions([live, ...snapshots.toReversed()], defaultRules);
  const states = { merged, all: merged, ...more };
  return createReasons(versions, states, defaultRules)({ path: ['description'], of: 'value' });
}

function commitOf(commit: string, time: number, managed: JsonObject): FileState {
  return { commit, author: 'Ada', time, managed };
}

const [a, b, c] = ['a', 'b', 'c'].map((description) => ({ description }));

test('of several commits that are not applied, the last is named', () => {
  expect(reasonOf([a ?? {}], ['a', 'b', 'c'])).toEqual({ kind: 'not-applied', commit: '2' });
  expect(reasonOf([a ?? {}], ['a', 'b', 'b'])).toEqual({ kind: 'not-applied', commit: '1' });
});

test("a change that a branch applied before its merge, or its squash, doesn't count as an edit", () => {
  const branch = commitOf('x', at(0.8), { description: 'b' });
  const held = [a ?? {}, b ?? {}];
  expect(reasonOf(held, ['a', undefined, 'c'])).toEqual({ kind: 'edited', over: '2' });
  expect(reasonOf(held, ['a', undefined, 'c'], { all: [branch] }).kind).toBe('not-applied');
});

test('whether the first version that is known was an edit is unknown where its file is older', () => {
  const why = "the catalog's versions don't show it";
  expect(reasonOf([b ?? {}], ['a'])).toEqual({ kind: 'unknown', why });
  expect(reasonOf([b ?? {}, b ?? {}], ['a']).kind).toBe('unknown');
  expect(reasonOf([b ?? {}, c ?? {}], ['a'])).toEqual({ kind: 'edited' });
  expect(reasonOf([a ?? {}, b ?? {}], ['a'])).toEqual({ kind: 'edited' });
});

test('an edit over a commit that was never applied names it', () => {
  expect(reasonOf([a ?? {}, a ?? {}, c ?? {}], ['a', 'b'])).toEqual({
    kind: 'edited',
    over: '1',
  });
});

test('where commits are cut off, a value that no other commit explains has an unknown reason', () => {
  const gap = 'this clone is shallow';
  expect(reasonOf([b ?? {}], [undefined, 'c'], { gap })).toEqual({ kind: 'unknown', why: gap });
  expect(reasonOf([a ?? {}, c ?? {}, b ?? {}], [undefined, 'c'], { gap }).kind).toBe('edited');
});

test('what no snapshot carries is unknown, and what they do not lead to', () => {
  const live = { id: 'i', ...a };
  const minimal = { id: 'i', version: 0.1, updatedAt: at(0) };
  const states = { merged: [commitOf('1', at(1), { description: 'b' })], all: [] };
  for (const snapshots of [[minimal], [{ ...minimal, ...c }], []]) {
    const versions = parseVersions([live, ...snapshots], defaultRules);
    const found = createReasons(versions, states, defaultRules);
    expect(found({ path: ['description'], of: 'value' }).kind).toBe('unknown');
  }
});

test('a field that no file had is as the catalog had it, unless somebody sets it later', () => {
  const commits = [
    commitOf('2', at(2), { description: 'd', displayName: 'New' }),
    commitOf('1', at(0.5), { description: 'd' }),
  ];
  const kindAfter = (...names: readonly string[]) => {
    const snapshots = names.map((displayName, index) => ({
      id: 'i',
      description: 'd',
      displayName,
      updatedAt: at(index * 1.5),
    }));
    const newest = snapshots.toReversed();
    const versions = parseVersions([newest[0] ?? {}, ...newest], defaultRules);
    const found = createReasons(versions, { merged: commits, all: [] }, defaultRules);
    return found({ path: ['displayName'], of: 'value' }).kind;
  };
  expect(kindAfter('x')).toBe('not-applied');
  expect(kindAfter('x', 'y')).toBe('not-applied');
  expect(kindAfter('x', 'y', 'z')).toBe('edited');
});
