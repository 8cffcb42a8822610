import type { StatedFields } from '../contract/contract.ts';
import { targetDocument, withUnstated } from '../contract/equality.ts';
import { canonicalJson, type JsonObject, type JsonValue } from '../core/json.ts';
import { diffByPlace, livePlaceOf } from '../patch/describe.ts';
import type { LivePlace } from '../patch/merge.ts';
import { childAt, formatPointer } from '../patch/pointer.ts';
import { equalAt, keyedPlace } from './place.ts';
import type { ContractVersion, HistoryRules, Provenance } from './version.ts';

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
  const { isAsked } = createAsks(comparison);
  return versions.map((version): Provenance => {
    const { updatedAt = Infinity, state, before } = version;
    const changed = diffByPlace(before ?? state, state, comparison.arrays).map((difference) =>
      keyedPlace(livePlaceOf(difference)),
    );
    const asksForAll = (file: FileState): boolean =>
      placesOf(file).every((place) => isAsked(file, state, place));
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

function placesOf({ managed }: StatedFields): readonly LivePlace[] {
  return Object.keys(managed).map((field) => ({ path: [field], of: 'value' }));
}

/** What files ask for, field by field; each comparison of two values is made once. */
export function createAsks({ equivalence, arrays }: HistoryRules) {
  const idOf = createIds();
  const completed = new Map<string, JsonObject>();
  const targets = new Map<string, JsonObject>();
  const agreed = new Map<string, boolean>();
  const wantedOf = (file: FileState, state: JsonObject) => {
    const { managed, coarse } = file;
    if (!coarse) return managed;
    const key = `${idOf(managed)} ${idOf(coarse)} ${idOf(state)}`;
    const wanted = completed.get(key) ?? withUnstated(file, state);
    completed.set(key, wanted);
    return wanted;
  };
  const compare = (file: FileState, state: JsonObject, { path: [field = ''] }: LivePlace) => {
    const live = childAt(state, field) ?? null;
    const wanted = wantedOf(file, state)[field] ?? null;
    const values = `${field} ${idOf(live)} ${idOf(wanted)}`;
    const document: JsonObject = live === null ? {} : { [field]: live };
    const target =
      targets.get(values) ??
      targetDocument({ id: '', document }, { [field]: wanted }, equivalence, arrays);
    targets.set(values, target);
    return { values, document, target };
  };
  return {
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

export function leavesOut({ managed }: FileState, { path: [field = ''] }: LivePlace): boolean {
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
