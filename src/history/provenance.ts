/** Whether a version came from git: whether some commit of its file asks for just that. */

import { type Equivalence, targetDocument } from '../contract/equality.ts';
import { deepEqual, type JsonObject, type JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { equalInAnyOrder } from '../patch/identity.ts';
import { childAt, parsePointer } from '../patch/pointer.ts';
import type { ContractVersion } from './version.ts';

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

/** What is known of a file's commits. */
export type FileStates = {
  /** Newest first. */
  readonly states: readonly FileState[];
  /**
   * From when on all of them are known, in epoch milliseconds; `-Infinity`: all there are,
   * `Infinity`: nobody knows.
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
  const candidates = sharingValues(states);
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
    const source = candidates.find((file) => wasThere(file) && asks(file));
    if (source) return { kind: 'git', commit: source.commit, author: source.author };
    if (knownFrom === Infinity || updatedAt < knownFrom) return { kind: 'unknown' };
    const later = candidates.findLast((file) => !wasThere(file) && asks(file));
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
  const candidates = sharingValues(states);
  const isAsked = createAsked(comparison);
  return versions.map(({ updatedAt = Infinity, state }, index) => {
    const next = versions[index - 1]?.updatedAt ?? Infinity;
    const first = candidates.findLast(
      (file) =>
        file.time !== undefined &&
        file.time > updatedAt &&
        file.time < next &&
        Object.keys(file.managed).every((field) => isAsked(file, state, field)),
    );
    return first?.time;
  });
}

/** Whether a file asks for a field as it is in a state. */
function createAsked(comparison: PlanComparison) {
  const agrees = rememberAgreement(comparison);
  const wantedOf = rememberWanted();
  return (file: FileState, state: JsonObject, field: string): boolean =>
    agrees(field, childAt(state, field), wantedOf(file, state)[field]);
}

/** What a commit left as it was is the same value as in the commit after it. */
function sharingValues(files: readonly FileState[]): readonly FileState[] {
  let later: FileState | undefined;
  return files.map((file) => {
    later = later ? sharingWith(later, file) : file;
    return later;
  });
}

function sharingWith(later: FileState, file: FileState): FileState {
  const fields = Object.entries(file.managed).map(([field, value]) => {
    const other = childAt(later.managed, field);
    return [field, other !== undefined && deepEqual(value, other) ? other : value] as const;
  });
  const isSame =
    deepEqual(later.managed, file.managed) && deepEqual(later.leeway ?? null, file.leeway ?? null);
  return {
    ...file,
    managed: Object.fromEntries(fields),
    ...(isSame && later.refine && { refine: later.refine }),
  };
}

type WantedOf = (file: FileState, state: JsonObject) => JsonObject;

/** Files that ask for the same are asked once. */
function rememberWanted(): WantedOf {
  const known = new Map<FileState['refine'], Map<JsonObject, JsonObject>>();
  return ({ managed, refine }, state) => {
    if (!refine) return managed;
    const ofFile = known.get(refine) ?? new Map<JsonObject, JsonObject>();
    const wanted = ofFile.get(state) ?? refine(state);
    known.set(refine, ofFile.set(state, wanted));
    return wanted;
  };
}

type Agrees = (
  field: string,
  live: JsonValue | undefined,
  wanted: JsonValue | undefined,
) => boolean;

/** Neighbours share most of their values, versions as well as commits: each pair is met often. */
function rememberAgreement(comparison: PlanComparison): Agrees {
  const known = new Map<string, Map<JsonValue, Map<JsonValue, boolean>>>();
  return (field, live = null, wanted = null) => {
    const ofField = known.get(field) ?? new Map<JsonValue, Map<JsonValue, boolean>>();
    const ofLive = ofField.get(live) ?? new Map<JsonValue, boolean>();
    const agreement = ofLive.get(wanted) ?? agreesWith(field, live, wanted, comparison);
    known.set(field, ofField.set(live, ofLive.set(wanted, agreement)));
    return agreement;
  };
}

/** Whether a plan would leave the field as it is. */
function agreesWith(
  field: string,
  live: JsonValue,
  wanted: JsonValue,
  { equivalence, arrays }: PlanComparison,
): boolean {
  const document: JsonObject = live === null ? {} : { [field]: live };
  const contract = { id: '', document };
  const target = targetDocument(contract, { [field]: wanted }, equivalence, arrays);
  return equalInAnyOrder(document, target, arrays.unordered ?? []);
}
