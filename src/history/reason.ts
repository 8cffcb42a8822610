import { type ApartReason, optionalFields, type StatedFields } from '../contract/contract.ts';
import { deepEqual, type JsonObject, canonicalJson, type JsonValue } from '../core/json.ts';
import type { LivePlace } from '../patch/merge.ts';
import { equalAt, keyedPlace } from './place.ts';
import {
  type ContractVersion,
  type HistoryRules,
  unrecordedFields,
  type Provenance,
} from './version.ts';
import { targetDocument, withUnstated } from '../contract/equality.ts';
import { diffByPlace, livePlaceOf } from '../patch/describe.ts';
import { childAt, formatPointer } from '../patch/pointer.ts';

/** Newest first. */
export type CommittedStates = {
  /** The commits of the applied branch, each with the time when it became part of it. */
  readonly merged: readonly FileState[];
  readonly all: readonly FileState[];
  /** Why earlier ones may be missing, as a clause; absent where none is. */
  readonly gap?: string;
};

export type ReasonOf = (place: LivePlace) => ApartReason;

/** `versions` begin with the live state, then the catalog's own, newest first. */
export function createReasons(
  versions: readonly ContractVersion[],
  { merged, all, gap }: CommittedStates,
  comparison: HistoryRules,
): ReasonOf {
  const places = createPlaces(comparison);
  const [read, ...earlier] = versions;
  const known = new Set(merged.map(({ commit }) => commit));
  const branches = all.filter(({ commit }) => !known.has(commit));
  const commits = { merged: withoutRepeats(merged).toReversed(), branches, gap };
  return ({ path, of }) => {
    const place = keyedPlace({ path, of });
    const commit = read && findCommit(commits.merged, read.state, place, places);
    // If the newest commit agrees with live, an uncommitted change differs.
    if (!read || commit === undefined) return { kind: 'edited' };
    if (!isShown(place, versions, places)) return { kind: 'unknown', why: notShown };
    const step = followPlace(place, earlier.toReversed(), commits, places);
    if (step.kind === 'unknown') return { kind: 'unknown', why: gap ?? notShown };
    if (step.kind === 'edited') {
      const index = commits.merged.findIndex((each) => each.commit === commit);
      const isOver = step.last !== undefined && index > step.last.index;
      return isOver ? { kind: 'edited', over: commit } : { kind: 'edited' };
    }
    return { kind: 'not-applied', commit };
  };
}

// Milliseconds by which a commit may seem younger than its version, since clocks differ.
const clockTolerance = 5000;

const notShown = "the catalog's versions don't show it";

function withoutRepeats(states: readonly FileState[]): readonly FileState[] {
  const asked = states.map(({ managed, coarse = null }) => [managed, coarse]);
  return states.filter((_, index) => !deepEqual(asked[index] ?? null, asked[index + 1] ?? null));
}

function findCommit(
  merged: readonly FileState[],
  live: JsonObject,
  place: LivePlace,
  { isAsked, targetOf, isSame }: Places,
): string | undefined {
  const last = merged.at(-1);
  if (!last || isAsked(last, live, place)) return undefined;
  const wanted = targetOf(last, live, place);
  const other = merged.findLastIndex((file) => !isSame(targetOf(file, live, place), wanted, place));
  return merged[other + 1]?.commit;
}

// A snapshot that lacks a field of the live contract may lack any other.
function isShown(
  place: LivePlace,
  [read, ...known]: readonly ContractVersion[],
  { isSame }: Places,
): boolean {
  const [newest] = known;
  if (!read || !newest || !isSame(read.state, newest.state, place)) return false;
  const [field = ''] = place.path;
  if (known.some(({ state }) => Object.hasOwn(state, field))) return true;
  const group = Object.keys(read.state).filter((each) => isOptional(each) === isOptional(field));
  const snapshots = known.map(({ document }) => document);
  return unrecordedFields(group, read.state, snapshots).length === 0;
}

function isOptional(field: string): boolean {
  return optionalFields.some((optional) => optional === field);
}

type InStep = {
  readonly kind: 'in-step';
  readonly state: JsonObject;
  // The commit's index in `merged`; -1: none of them.
  readonly index: number;
};

type Step = InStep | { readonly kind: 'edited' | 'unknown'; readonly last?: InStep };

type Commits = {
  readonly merged: readonly FileState[];
  /** Not merged into the applied branch. */
  readonly branches: readonly FileState[];
  readonly gap: string | undefined;
};

// Commits and versions are oldest first. A place is in step while its value is what git said when
// the catalog got it, what a commit took over, or what no file manages; also after an edit was
// undone.
function followPlace(
  place: LivePlace,
  versions: readonly ContractVersion[],
  commits: Commits,
  places: Places,
): Step {
  const { merged } = commits;
  let step: Step = { kind: 'unknown' };
  let passed = 0;
  const pass = (time: number, state: JsonObject | undefined): void => {
    for (; passed < merged.length; passed += 1) {
      const file = merged[passed];
      if (!file || timeOf(file) > time) return;
      const isThere = state && (leavesOut(file, place) || places.isAsked(file, state, place));
      if (isThere) step = { kind: 'in-step', state, index: passed };
    }
  };
  for (const [index, { state, updatedAt: time = Infinity }] of versions.entries()) {
    const earlier = versions.slice(0, index).map((version) => version.state);
    const before = earlier.at(-1);
    pass(time, before);
    if (before && places.isSame(before, state, place)) continue;
    const isNew = !earlier.some((each) => places.isSame(each, state, place));
    const setting = { place, state, time, passed, isNew, isFirst: index === 0 };
    step = stepAfter(step, setting, commits, places);
    // The catalog already had this commit, so the ones before it had passed too.
    if (isNew && step.kind === 'in-step' && step.index >= 0) passed = step.index + 1;
  }
  pass(Infinity, versions.at(-1)?.state);
  return step;
}

/** A version that sets the place. */
type Setting = {
  readonly place: LivePlace;
  readonly state: JsonObject;
  readonly time: number;
  /** How many of the merged commits are older. */
  readonly passed: number;
  /** Whether no earlier version had this value. */
  readonly isNew: boolean;
  readonly isFirst: boolean;
};

function stepAfter(step: Step, setting: Setting, commits: Commits, places: Places): Step {
  const { place, state, passed, isFirst } = setting;
  const { merged, gap } = commits;
  const last = step.kind === 'in-step' ? step : step.last;
  if (last && places.isSame(last.state, state, place)) return last;
  const since = last ? last.index + 1 : 0;
  const index = sourceOf(setting, since, commits, places);
  if (index !== undefined) return { kind: 'in-step', state, index };
  const current = merged[passed - 1];
  if (current && leavesOut(current, place)) return { kind: 'in-step', state, index: passed - 1 };
  if (!last && gap !== undefined) return { kind: 'unknown' };
  // Before the first commit there was nothing to differ from.
  if (passed === 0) return { kind: 'in-step', state, index: -1 };
  // The catalog may never have had what git says.
  if (isFirst) return { kind: 'unknown' };
  return { kind: 'edited', ...(last && { last }) };
}

function sourceOf(
  { place, state, time, passed, isNew }: Setting,
  since: number,
  { merged, branches }: Commits,
  { isAsked }: Places,
): number | undefined {
  const isSource = (file: FileState): boolean => isAsked(file, state, place);
  const isNear = (file: FileState): boolean => Math.abs(timeOf(file) - time) <= clockTolerance;
  const index = merged.findLastIndex(
    (file, at) => at >= since && (at < passed || isNear(file)) && isSource(file),
  );
  if (index >= 0) return index;
  if (!isNew) return undefined;
  // A value that the catalog never had comes from a commit, though by the clocks another followed.
  const near = merged.findLastIndex((file) => isNear(file) && isSource(file));
  if (near >= 0) return near;
  // An apply from another branch brings values that the catalog never had.
  const isOfBranch = branches.some(
    (file) =>
      timeOf(file) >= timeOf(merged[since - 1]) &&
      timeOf(file) <= time + clockTolerance &&
      isSource(file),
  );
  return isOfBranch ? since - 1 : undefined;
}

function timeOf(file: FileState | undefined): number {
  return file?.time ?? -Infinity;
}

type Places = ReturnType<typeof createPlaces>;

export type FileState = StatedFields & {
  readonly commit: string;
  readonly author: string;
  /** When it was committed, in epoch milliseconds; absent: it counts at any time. */
  readonly time?: number;
};

export type FileStates = {
  /** Newest first. */
  readonly states: readonly FileState[];
  /** Epoch milliseconds from which all are known; `-Infinity`: always, `Infinity`: never. */
  readonly knownFrom: number;
};

/**
 * States are newest first. A commit must ask for all that the version changed of its fields, and
 * not have left it alone before; what is at other places may be an edit. Of several commits, the
 * last before the version counts, rather one that asks for nothing else, then the first after it.
 */
export function findProvenance(
  versions: readonly ContractVersion[],
  { states, knownFrom }: FileStates,
  comparison: HistoryRules,
): readonly Provenance[] {
  const { isAsked } = createPlaces(comparison);
  return versions.map((version): Provenance => {
    const { updatedAt = Infinity, state, before } = version;
    const changed = diffByPlace(before ?? state, state, comparison.arrays).map((difference) =>
      keyedPlace(livePlaceOf(difference)),
    );
    const asksForAll = (file: FileState): boolean =>
      Object.keys(file.managed).every((field) =>
        isAsked(file, state, { path: [field], of: 'value' }),
      );
    const asks = (file: FileState): boolean => {
      if (!before || changed.length === 0) return asksForAll(file);
      const own = changed.filter(({ path: [field = ''] }) => Object.hasOwn(file.managed, field));
      return (
        (asksForAll(file) || own.every((place) => isAsked(file, state, place))) &&
        own.some((place) => !isAsked(file, before, place))
      );
    };
    // Git's times are whole seconds, rounded down.
    const wasThere = ({ time = -Infinity }: FileState): boolean => time <= updatedAt;
    const earlier = states.filter((file) => wasThere(file) && asks(file));
    const source = earlier.find(asksForAll) ?? earlier[0];
    if (source) return { kind: 'git', commit: source.commit, author: source.author };
    if (knownFrom === Infinity || updatedAt < knownFrom) return { kind: 'unknown' };
    const later = states.findLast((file) => !wasThere(file) && asks(file));
    return later
      ? { kind: 'git-since', commit: later.commit, author: later.author }
      : { kind: 'no-commit' };
  });
}

/** What files ask for, field by field; each comparison of two values is made once. */
function createPlaces({ equivalence, arrays }: HistoryRules) {
  const idOf = createIds();
  const completed = new Map<string, JsonObject>();
  const targets = new Map<string, JsonObject>();
  const agreed = new Map<string, boolean>();
  const compare = (file: FileState, state: JsonObject, { path: [field = ''] }: LivePlace) => {
    const live = childAt(state, field) ?? null;
    const asked = file.coarse ? `${idOf(file.managed)} ${idOf(file.coarse)} ${idOf(state)}` : '';
    const managed = completed.get(asked) ?? withUnstated(file, state);
    if (file.coarse) completed.set(asked, managed);
    const wanted = managed[field] ?? null;
    const values = `${field} ${idOf(live)} ${idOf(wanted)}`;
    const document: JsonObject = live === null ? {} : { [field]: live };
    const target =
      targets.get(values) ??
      targetDocument({ id: '', document }, { [field]: wanted }, equivalence, arrays);
    targets.set(values, target);
    return { values, document, target };
  };
  return {
    isSame: (a: JsonObject, b: JsonObject, place: LivePlace): boolean =>
      equalAt(a, b, place, arrays),
    /** The place in the state that the file leads to. */
    targetOf: (file: FileState, state: JsonObject, place: LivePlace): JsonObject =>
      leavesOut(file, place) ? state : compare(file, state, place).target,
    /** Whether the file manages the place, and asks for what the state has. */
    isAsked: (file: FileState, state: JsonObject, place: LivePlace): boolean => {
      if (leavesOut(file, place)) return false;
      const { values, document, target } = compare(file, state, place);
      const key = `${values} ${place.of} ${formatPointer(place.path)}`;
      const isAsked = agreed.get(key) ?? equalAt(document, target, place, arrays);
      agreed.set(key, isAsked);
      return isAsked;
    },
  };
}

function leavesOut({ managed }: FileState, { path: [field = ''] }: LivePlace): boolean {
  return !Object.hasOwn(managed, field);
}

function createIds(): (value: JsonValue) => number {
  const known = new Map<JsonValue, number>();
  const byText = new Map<string, number>();
  return (value) => {
    const text = known.has(value) ? '' : canonicalJson(value);
    const id = known.get(value) ?? byText.get(text) ?? byText.size;
    known.set(value, id);
    if (text !== '') byText.set(text, id);
    return id;
  };
}
