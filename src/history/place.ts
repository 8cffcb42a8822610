import type { LiveContract } from '../contract/contract.ts';
import { deepEqual, defined, isArray, type JsonObject, type JsonValue } from '../core/json.ts';
import {
  type DiffOptions,
  elementToken,
  equalInAnyOrder,
  type KeyPath,
  labelKeyPath,
  pointerOf,
  valueByKey,
} from '../patch/identity.ts';
import type { LivePlace } from '../patch/merge.ts';
import { childAt, formatPointer, parsePointer } from '../patch/pointer.ts';
import {
  type ContractVersion,
  type HistoryRules,
  parseVersions,
  type Provenance,
  type VersionChange,
} from './version.ts';

export type Blame =
  | { readonly kind: 'changed'; readonly version: ContractVersion; readonly before?: JsonValue }
  | { readonly kind: 'first-known'; readonly version: ContractVersion }
  | { readonly kind: 'never-set' };

/** `path` is of the newest version. Who set an order that never changed is who set its array. */
export function blamePlace(
  versions: readonly ContractVersion[],
  { path, of }: LivePlace,
  arrays: DiffOptions,
): Blame {
  const start = `${formatPointer(path)}/`;
  const isMove = (change: VersionChange): boolean =>
    change.kind === 'move' &&
    change.path.startsWith(start) &&
    !change.path.slice(start.length).includes('/');
  const moved = of === 'order' && versions.find(({ changes }) => changes.some(isMove));
  if (moved) return { kind: 'changed', version: moved };
  const [last] = changesAt(versions, path, arrays).take(1);
  if (last) return { kind: 'changed', version: last.version, ...defined({ before: last.before }) };
  const first = versions.at(-1);
  const isThere = first && valueByKey(first.state, path) !== undefined;
  return isThere ? { kind: 'first-known', version: first } : { kind: 'never-set' };
}

export type KnownBlame = Exclude<Blame, { readonly kind: 'never-set' }> & {
  readonly isRemoval: boolean;
};

/**
 * In the order of the places; snapshots are newest first. Undefined where it was never set, or
 * where the history does not lead to the live state: somebody edits meanwhile.
 */
export function blameLive(
  live: LiveContract,
  snapshots: readonly JsonObject[],
  places: readonly LivePlace[],
  rules: HistoryRules,
): readonly (KnownBlame | undefined)[] {
  const { updatedAt = Infinity } = live;
  const until = snapshots.filter((snapshot) => Number(snapshot['updatedAt'] ?? 0) <= updatedAt);
  const [read, ...versions] = parseVersions([live.document, ...until], rules);
  return places.map((place) => {
    if (!read || versions.length === 0) return undefined;
    const blame = blamePlace([read, ...versions], place, rules.arrays);
    if (blame.kind === 'never-set' || blame.version === read) return undefined;
    const isThere = valueByKey(read.state, place.path) !== undefined;
    return { ...blame, isRemoval: place.of === 'value' && !isThere };
  });
}

/** Newest first; a move is no change. */
export function* changesAt(
  versions: readonly ContractVersion[],
  path: KeyPath,
  arrays: DiffOptions,
) {
  let after = versions[0] && valueByKey(versions[0].state, path);
  for (const [index, version] of versions.entries()) {
    const earlier = versions[index + 1];
    if (!earlier) return;
    // Equal fields of neighbours are one value, which most fields of most versions are.
    const [field = ''] = path;
    if (childAt(earlier.state, field) === childAt(version.state, field)) continue;
    const before = valueByKey(earlier.state, path);
    if (!equalPlaces(before, after, path, arrays)) yield { version, before, after };
    after = before;
  }
}

export function equalPlaces(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  path: KeyPath,
  { unordered = [] }: DiffOptions,
): boolean {
  if (a === undefined || b === undefined) return a === b;
  return equalInAnyOrder(a, b, unordered, path.at(-1));
}

/** Two orders are equal if the elements that both arrays have come in the same one. */
export function equalAt(
  a: JsonObject,
  b: JsonObject,
  { path, of }: LivePlace,
  arrays: DiffOptions,
): boolean {
  if (of === 'value') return equalPlaces(valueByKey(a, path), valueByKey(b, path), path, arrays);
  const tokens = tokensAt(a, path, arrays);
  const others = tokensAt(b, path, arrays);
  const shared = others.filter((token) => tokens.includes(token));
  const own = tokens.filter((token) => others.includes(token));
  return deepEqual(own, shared);
}

function tokensAt(state: JsonObject, path: KeyPath, arrays: DiffOptions) {
  const value = valueByKey(state, path);
  if (!isArray(value)) return [];
  return value.map((_, index) => elementToken(value, index, path.at(-1) ?? '', arrays));
}

/** Elements without a key are at the place of their array. */
export function keyedPlace({ path, of }: LivePlace): LivePlace {
  const keyless = path.indexOf('-');
  return keyless < 0 ? { path, of } : { path: path.slice(0, keyless), of: 'value' };
}

/**
 * Parses `schema.amount.dataType`, `schema[amount].dataType`, a plan's `schema[3 amount].dataType` or
 * the path by key itself; undefined where no state has it.
 */
export function findKeyPath(text: string, states: readonly JsonObject[], arrays: DiffOptions) {
  if (text.startsWith('/')) {
    const path = parsePointer(text);
    return path && states.some((state) => pointerOf(path, state)) ? path : undefined;
  }
  const words = text.split(/[.[\]]/u).filter((word) => word !== '');
  for (const state of states) {
    const path = words.length > 0 && follow(words, state, '', arrays);
    if (path) return path;
  }
  return undefined;
}

function follow(
  words: readonly string[],
  parent: JsonValue,
  nameOfParent: string,
  arrays: DiffOptions,
): KeyPath | undefined {
  if (words.length === 0) return [];
  const elements = isArray(parent)
    ? parent.map((child, index) => {
        return { child, token: elementToken(parent, index, nameOfParent, arrays) };
      })
    : undefined;
  // A name may have dots, at which it was taken apart.
  for (const taken of words.keys()) {
    const word = words.slice(0, taken + 1).join('.');
    const found = elements
      ? elements.find(({ token }, index) => isCalled(word, token, index))
      : { child: childAt(parent, word), token: word };
    if (found?.child === undefined) continue;
    const name = elements ? nameOfParent : word;
    const path = follow(words.slice(taken + 1), found.child, name, arrays);
    if (path) return [found.token, ...path];
  }
  return undefined;
}

// `amount`, a plan's `3 amount`, or the token itself.
function isCalled(word: string, token: string, index: number): boolean {
  const key = labelKeyPath([token]).replace(/^\[(.*)\]$/u, '$1');
  return word === token || word === key || word === `${index} ${key}`;
}

type SourcedVersion = {
  readonly version: ContractVersion;
  readonly provenance: Provenance;
};

type Historied = {
  readonly contract: string;
  readonly id: string;
  readonly file?: string;
  /** Fields that no version carries: their changes are unknown. */
  readonly unrecorded: readonly string[];
};

/** Newest first. */
type ContractHistory = Historied & { readonly versions: readonly SourcedVersion[] };

export type ShownHistory = Historied & {
  readonly place?: string;
  readonly versions: readonly ShownVersion[];
  /** How many older versions are left out. */
  readonly older: number;
};

export type ShownVersion = SourcedVersion & {
  readonly changes: readonly VersionChange[];
  /** Whether nothing is known of what came before. */
  readonly isFirst: boolean;
};

/** `since` is in epoch milliseconds. Undefined where no known version has the place. */
export function narrowHistory(
  { versions, ...contract }: ContractHistory,
  query: { place?: string | undefined; limit: number; since?: number | undefined },
  arrays: DiffOptions,
): ShownHistory | undefined {
  const { place, limit, since = -Infinity } = query;
  const states = versions.map(({ version }) => version.state);
  const path = place === undefined ? undefined : findKeyPath(place, states, arrays);
  if (place !== undefined && !path) return undefined;
  const all: readonly ShownVersion[] = path
    ? versionsThatChange(path, versions, arrays)
    : versions.map((sourced, index) => {
        const isFirst = index === versions.length - 1;
        return { ...sourced, changes: sourced.version.changes, isFirst };
      });
  const recent = all.filter(({ version: { updatedAt = Infinity } }) => updatedAt >= since);
  const shown = recent.slice(0, limit);
  return {
    ...contract,
    ...(path && { place: labelKeyPath(path) }),
    versions: shown,
    older: all.length - shown.length,
  };
}

function versionsThatChange(
  path: KeyPath,
  versions: readonly SourcedVersion[],
  arrays: DiffOptions,
) {
  const all = versions.map(({ version }) => version);
  return [...changesAt(all, path, arrays)].flatMap(({ version, before, after }) => {
    const sourced = versions[all.indexOf(version)];
    const change: VersionChange = {
      kind: before === undefined ? 'add' : after === undefined ? 'remove' : 'replace',
      path: formatPointer(path),
      label: labelKeyPath(path),
      ...defined({ before, after }),
    };
    const inside = version.changes.filter((each) => each.path.startsWith(`${change.path}/`));
    const changes = inside.length > 0 ? inside : [change];
    return sourced ? [{ ...sourced, changes, isFirst: false }] : [];
  });
}
