/** Whether a version came from git: whether some commit of its file asks for just that. */

import { type Equivalence, targetDocument } from '../contract/equality.ts';
import { deepEqual, type JsonObject, type JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { equalInAnyOrder } from '../patch/identity.ts';
import { childAt, parsePointer } from '../patch/pointer.ts';
import type { ContractVersion } from './version.ts';

/** What a file declared at one commit. */
export type FileState = {
  readonly commit: string;
  readonly author: string;
  /** When it was committed, in epoch milliseconds; unknown: at any time. */
  readonly time?: number;
  /** The managed fields; `null` asks for a removal. */
  readonly managed: JsonObject;
};

export type Provenance =
  | { readonly kind: 'git'; readonly commit: string; readonly author: string }
  | { readonly kind: 'by-hand' }
  /** No commit that is known asks for it, and some are not known. */
  | { readonly kind: 'unknown' };

/** What is known of a file's commits. */
export type FileStates = {
  /** Newest first. */
  readonly states: readonly FileState[];
  /** From when on all of them are known, in epoch milliseconds; `-Infinity`: all there are. */
  readonly knownFrom: number;
};

/** How a plan compares, so that what it would call unchanged is from git. */
export type PlanComparison = { readonly equivalence: Equivalence; readonly arrays: DiffOptions };

/**
 * Milliseconds that a commit may seem to be younger than the version that came from it, since clocks
 * differ. It is short: whoever pulls an edit and commits it at once has not made that edit.
 */
const clockTolerance = 5000;

/**
 * Of each version, from the states of its file, newest first. Where several commits ask for the
 * same, it is from the last of them that was there; a commit made after the version only wrote down
 * what somebody had done by hand, and one that asks for nothing of what the version changed is not
 * what it came from.
 */
export function findProvenance(
  versions: readonly ContractVersion[],
  { states, knownFrom }: FileStates,
  comparison: PlanComparison,
): readonly Provenance[] {
  const candidates = sharingValues(states);
  const agrees = rememberAgreement(comparison);
  return versions.map(({ updatedAt = Infinity, state, changes }): Provenance => {
    const touched = changes.map(({ path }) => parsePointer(path)?.[0] ?? '');
    const source = candidates.find(
      ({ time = -Infinity, managed }) =>
        time <= updatedAt + clockTolerance &&
        (touched.length === 0 || touched.some((field) => Object.hasOwn(managed, field))) &&
        Object.entries(managed).every(([field, wanted]) =>
          agrees(field, childAt(state, field) ?? null, wanted),
        ),
    );
    if (!source) return { kind: updatedAt >= knownFrom ? 'by-hand' : 'unknown' };
    return { kind: 'git', commit: source.commit, author: source.author };
  });
}

/** With a field that a commit left as it was being the same value as in the commit after it. */
function sharingValues(files: readonly FileState[]): readonly FileState[] {
  let later: JsonObject = {};
  return files.map((file) => {
    const fields = Object.entries(file.managed).map(([field, value]) => {
      const other = childAt(later, field);
      return [field, other !== undefined && deepEqual(value, other) ? other : value] as const;
    });
    later = Object.fromEntries(fields);
    return { ...file, managed: later };
  });
}

type Agrees = (field: string, live: JsonValue, wanted: JsonValue) => boolean;

/** Neighbours share most of their values, versions as well as commits: each pair is met often. */
function rememberAgreement(comparison: PlanComparison): Agrees {
  const known = new Map<string, Map<JsonValue, Map<JsonValue, boolean>>>();
  return (field, live, wanted) => {
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
