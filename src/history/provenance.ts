/** Whether a version came from git: whether some commit of its file asks for just that. */

import { type Equivalence, targetDocument } from '../contract/equality.ts';
import { canonicalJson, type JsonObject, type JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/operation.ts';
import { equalInAnyOrder, type KeyPath, valueByKey } from '../patch/identity.ts';
import { childAt, parsePointer } from '../patch/pointer.ts';
import { equalPlaces } from './place.ts';
import type { ContractVersion, VersionChange } from './version.ts';

export type FileState = AskedState & {
  readonly commit: string;
  readonly author: string;
  /** Epoch milliseconds of the commit; absent: at any time. */
  readonly time?: number;
};

export type AskedState = {
  /** `null` asks for a removal. */
  readonly managed: JsonObject;
  /** Their values in such a contract, where the file leaves parts to the catalog. */
  readonly refine?: (document: JsonObject) => JsonObject;
  /** Cache key for `refine`: files with equal fields and leeway are refined alike. */
  readonly leeway?: JsonValue;
};

export type Provenance =
  /** `git`: a commit before it asks for it; `git-since`: this first one came after it. */
  | { readonly kind: 'git' | 'git-since'; readonly commit: string; readonly author: string }
  | { readonly kind: 'no-commit' }
  /** No known commit asks for it, and some commits are not known. */
  | { readonly kind: 'unknown' };

export type SourcedVersion = {
  readonly version: ContractVersion;
  readonly provenance: Provenance;
  /** Epoch milliseconds of the commit that took it over. */
  readonly keptAt?: number;
};

export type FileStates = {
  /** Newest first. */
  readonly states: readonly FileState[];
  /** Epoch milliseconds from which all are known; `-Infinity`: always, `Infinity`: never. */
  readonly knownFrom: number;
};

export type PlanComparison = { readonly equivalence: Equivalence; readonly arrays: DiffOptions };

// Milliseconds by which a commit may seem younger than its version, since clocks differ. Short: an
// edit that is pulled and committed at once did not come from that commit.
export const clockTolerance = 5000;

/**
 * States are newest first. Of several commits that ask for the same, the last before the version
 * counts, then the first after it. A commit must ask for something that the version changed.
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
      // A field that agreed before the version is no evidence.
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
 * Epoch milliseconds at which a commit first asked for all managed fields of a version, after it
 * and before the next: then they are in git.
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

/** True unless the file would leave both the value before and the value after alone. */
export type IsManaged = (version: ContractVersion, change: VersionChange) => boolean;

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
