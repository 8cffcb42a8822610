/** Whether a version came from git: whether some commit of its file asks for just that. */

import { type Equivalence, targetDocument } from '../contract/equality.ts';
import { canonicalJson, type JsonObject, type JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { equalInAnyOrder, type KeyPath, valueByKey } from '../patch/identity.ts';
import { childAt, parsePointer } from '../patch/pointer.ts';
import { equalPlaces } from './place.ts';
import type { ContractVersion, VersionChange } from './version.ts';

/** What a file declared at one commit. */
export type FileState = AskedState & {
  readonly commit: string;
  readonly author: string;
  /** When it was committed, in epoch milliseconds; unknown: at any time. */
  readonly time?: number;
};

/** What a file asks of its contract. */
export type AskedState = {
  /** The managed fields; `null` asks for a removal. */
  readonly managed: JsonObject;
  /** What they ask of such a contract, where the file leaves some of that to the catalog. */
  readonly refine?: (document: JsonObject) => JsonObject;
  /** Cache key for `refine`: files with equal fields and equal leeway are refined alike. */
  readonly leeway?: JsonValue;
};

/** What git says of a version. */
export type Provenance =
  /** `git`: a commit before it asks for it; `git-since`: only one after it does, and this is the first. */
  | { readonly kind: 'git' | 'git-since'; readonly commit: string; readonly author: string }
  | { readonly kind: 'no-commit' }
  /** No commit that is known asks for it, and some are not known. */
  | { readonly kind: 'unknown' };

/** A version and where it came from. */
export type SourcedVersion = {
  readonly version: ContractVersion;
  readonly provenance: Provenance;
  /** When a commit took over what it says, in epoch milliseconds. */
  readonly keptAt?: number;
};

/** What is known of a file's commits. */
export type FileStates = {
  /** Newest first. */
  readonly states: readonly FileState[];
  /**
   * From when on all of them are known, in epoch milliseconds; `-Infinity`: all there are,
   * `Infinity`: not known.
   */
  readonly knownFrom: number;
};

/** How a plan compares, so that what it would call unchanged is from git. */
export type PlanComparison = { readonly equivalence: Equivalence; readonly arrays: DiffOptions };

/**
 * Milliseconds that a commit may seem to be younger than the version that came from it, since clocks
 * differ. It is short: an edit that is pulled and committed at once did not come from that commit.
 */
const clockTolerance = 5000;

/**
 * Of each version, from the states of its file, newest first. Where several commits ask for the
 * same, it is from the last of them that was there, and in git since the first that was made later.
 * A commit that asks for nothing of what the version changed says nothing of it.
 */
export function findProvenance(
  versions: readonly ContractVersion[],
  { states, knownFrom }: FileStates,
  comparison: PlanComparison,
): readonly Provenance[] {
  const isAsked = createAsked(comparison);
  return versions.map((version): Provenance => {
    const { updatedAt = Infinity, state, before } = version;
    const touched = new Set(version.changes.map(({ path }) => parsePointer(path)?.[0] ?? ''));
    const asks = (file: FileState): boolean => {
      const fields = Object.keys(file.managed);
      if (!fields.every((field) => isAsked(file, state, field))) return false;
      // A field that agreed before the version is no reason for it.
      const isNew = (field: string): boolean => !before || !isAsked(file, before, field);
      return touched.size === 0 || fields.some((field) => touched.has(field) && isNew(field));
    };
    const wasThere = ({ time = -Infinity }: FileState): boolean =>
      time <= updatedAt + clockTolerance;
    const source = states.find((file) => wasThere(file) && asks(file));
    if (source) return { kind: 'git', commit: source.commit, author: source.author };
    if (knownFrom === Infinity || updatedAt < knownFrom) return { kind: 'unknown' };
    const later = states.findLast((file) => !wasThere(file) && asks(file));
    return later
      ? { kind: 'git-since', commit: later.commit, author: later.author }
      : { kind: 'no-commit' };
  });
}

/**
 * Of each version, when a commit first asked for all that the file manages of it, after it and before
 * the next version: what came from no commit is in git from then on. In epoch milliseconds.
 */
export function findTakeovers(
  versions: readonly ContractVersion[],
  { states }: Pick<FileStates, 'states'>,
  comparison: PlanComparison,
): readonly (number | undefined)[] {
  const isAsked = createAsked(comparison);
  return versions.map(({ updatedAt = Infinity, state }, index) => {
    const next = versions[index - 1]?.updatedAt ?? Infinity;
    const first = states.findLast(
      (file) =>
        file.time !== undefined &&
        file.time > updatedAt &&
        file.time < next &&
        Object.keys(file.managed).every((field) => isAsked(file, state, field)),
    );
    return first?.time;
  });
}

/** Whether a file asks for a field as it is in a state; neighbours have most of their values in common. */
function createAsked({ equivalence, arrays }: PlanComparison) {
  const idOf = createIds();
  const refined = new Map<string, JsonObject>();
  const agreed = new Map<string, boolean>();
  const wantedOf = ({ managed, refine, leeway = null }: FileState, state: JsonObject) => {
    if (!refine) return managed;
    const key = `${idOf(managed)} ${idOf(leeway)} ${idOf(state)}`;
    const wanted = refined.get(key) ?? refine(state);
    refined.set(key, wanted);
    return wanted;
  };
  return (file: FileState, state: JsonObject, field: string): boolean => {
    const live = childAt(state, field) ?? null;
    const wanted = wantedOf(file, state)[field] ?? null;
    const key = `${field} ${idOf(live)} ${idOf(wanted)}`;
    const document: JsonObject = live === null ? {} : { [field]: live };
    const isAsked =
      agreed.get(key) ??
      equalInAnyOrder(
        document,
        targetDocument({ id: '', document }, { [field]: wanted }, equivalence, arrays),
        arrays.unordered ?? [],
      );
    agreed.set(key, isAsked);
    return isAsked;
  };
}

/** The same number for values that are equal. */
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

/** What becomes of a state by a file, each computed once. */
export function createTargets({ equivalence, arrays }: PlanComparison) {
  const known = new Map<AskedState, Map<JsonObject, JsonObject>>();
  return (file: AskedState, state: JsonObject): JsonObject => {
    const ofFile = known.get(file) ?? new Map<JsonObject, JsonObject>();
    const wanted = () => file.refine?.(state) ?? file.managed;
    const target =
      ofFile.get(state) ??
      targetDocument({ id: '', document: state }, wanted(), equivalence, arrays);
    known.set(file, ofFile.set(state, target));
    return target;
  };
}

/** Whether the file would not leave a place both as it was and as a version has made it. */
export type IsManaged = (version: ContractVersion, change: VersionChange) => boolean;

/** Of some of what a file manages it may leave parts to the catalog. */
export function createManaged(file: AskedState, comparison: PlanComparison): IsManaged {
  const targetOf = createTargets(comparison);
  const leaves = (state: JsonObject, path: KeyPath): boolean => {
    const target = valueByKey(targetOf(file, state), path);
    return equalPlaces(target, valueByKey(state, path), path, comparison.arrays);
  };
  return ({ state, before }, change) => {
    const path = parsePointer(change.path) ?? [];
    if (!Object.hasOwn(file.managed, path[0] ?? '')) return false;
    return !file.refine || !before || !leaves(before, path) || !leaves(state, path);
  };
}
