/** One place of a contract through its versions. */

import { isArray, type JsonObject, type JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { equalInAnyOrder } from '../patch/identity.ts';
import {
  elementToken,
  type KeyPath,
  labelKeyPath,
  pointerOf,
  valueByKey,
} from '../patch/key-path.ts';
import { childAt, parsePointer } from '../patch/pointer.ts';
import type { ContractVersion } from './version.ts';

/** What a version made of a place; a side without a value is absent. */
export type PlaceChange = {
  readonly version: ContractVersion;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

/** The versions that changed what stands at a place, newest first; moving it is no change. */
export function* changesAt(
  versions: readonly ContractVersion[],
  path: KeyPath,
  arrays: DiffOptions,
): Generator<PlaceChange> {
  let after = versions[0] && valueByKey(versions[0].state, path);
  for (const [index, version] of versions.entries()) {
    const earlier = versions[index + 1];
    if (!earlier || sharesField(version, earlier, path)) continue;
    const before = valueByKey(earlier.state, path);
    const change = { version, ...(before !== undefined && { before }) };
    const isChanged = !equalPlaces(before, after, path, arrays);
    if (isChanged) yield { ...change, ...(after !== undefined && { after }) };
    after = before;
  }
}

function sharesField(
  version: ContractVersion,
  earlier: ContractVersion,
  [field = '']: KeyPath,
): boolean {
  return childAt(version.state, field) === childAt(earlier.state, field);
}

/** Whether two states have the same at a place; neither having anything is the same. */
export function equalPlaces(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  path: KeyPath,
  { unordered = [] }: DiffOptions,
): boolean {
  if (a === undefined || b === undefined) return a === b;
  return equalInAnyOrder(a, b, unordered, path.at(-1));
}

/**
 * The place that a person means by `schema.amount.dataType`, `schema[amount].dataType`, a plan's
 * `schema[3 amount].dataType` or the path by key itself, in the newest state that has it; undefined where none has.
 */
export function findKeyPath(
  text: string,
  states: readonly JsonObject[],
  arrays: DiffOptions,
): KeyPath | undefined {
  if (text.startsWith('/')) {
    const path = parsePointer(text);
    return path && states.some((state) => pointerOf(path, state)) ? path : undefined;
  }
  const words = text.split(/[.[\]]/u).filter((word) => word !== '');
  for (const state of states) {
    const path = words.length > 0 && follow(words, state, { name: '', arrays });
    if (path) return path;
  }
  return undefined;
}

type Following = {
  /** The nearest member's name. */
  readonly name: string;
  readonly arrays: DiffOptions;
};

/** A name may have dots of its own: then it is several words. */
function follow(words: readonly string[], value: JsonValue, at: Following): KeyPath | undefined {
  if (words.length === 0) return [];
  for (const taken of words.keys()) {
    const child = childNamed(words.slice(0, taken + 1).join('.'), value, at);
    if (!child) continue;
    const rest = words.slice(taken + 1);
    const name = isArray(value) ? at.name : child.token;
    const path = follow(rest, child.value, { ...at, name });
    if (path) return [child.token, ...path];
  }
  return undefined;
}

type Child = { readonly token: string; readonly value: JsonValue };

function childNamed(name: string, parent: JsonValue, at: Following): Child | undefined {
  if (isArray(parent)) {
    const tokens = parent.map((_, index) => elementToken(parent, index, at.name, at.arrays));
    const index = tokens.findIndex((token, rank) => namesOf(token, rank).includes(name));
    const [token, value] = [tokens[index], parent[index]];
    return token === undefined || value === undefined ? undefined : { token, value };
  }
  const value = childAt(parent, name);
  return value === undefined ? undefined : { token: name, value };
}

/** What an element is called: by its token, its key, and as in a plan, its index and its key. */
function namesOf(token: string, index: number): readonly string[] {
  const key = labelKeyPath([token]).replace(/^\[(.*)\]$/u, '$1');
  return [token, key, `${index} ${key}`];
}
