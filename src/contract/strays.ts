/** Guesses which live contract a file means whose own is not found. */

import type { DesiredContract, Identity, LiveContract } from './contract.ts';
import {
  claimedKeys,
  contractLabel,
  identityKeys,
  idKey,
  strongestKind,
  writtenNames,
} from './identity.ts';
import { canonicalSegments, isBlank } from './names.ts';
import { compareCodeUnits, defined, isArray, isObject, type JsonObject } from '../core/json.ts';
import { differByAtMost } from '../core/text.ts';

type Stray = {
  readonly id: string;
  readonly label: string;
  readonly identity: Identity;
  readonly columns?: string | undefined;
};

export type Partner = { readonly stray: Stray; readonly differsIn: Candidates['differsIn'] };

export type Doubt = {
  /** In files that are not read. */
  readonly unread: readonly DesiredContract[];
  readonly alike: readonly DesiredContract[];
  readonly incomparable: readonly DesiredContract[];
};

// Contracts that are not retired: this many take some megabytes.
const mostBystanders = 20_000;

/** A wrong retirement is worse than a missing hint. */
export function pairStrays(
  strays: readonly { readonly live: LiveContract; readonly isRetired: boolean }[],
  missing: readonly DesiredContract[],
  unread: readonly DesiredContract[] = [],
) {
  const retired = strays
    .filter(({ isRetired }) => isRetired)
    .map(({ live }): Stray => ({ ...strayOf(live), columns: columnsOf(live.document) }));
  const staying = strays.filter(({ isRetired }) => !isRetired).slice(0, mostBystanders);
  const bystanders = staying.map(({ live }) => strayOf(live));
  const find = missing.length > 0 && createFinder([...retired, ...bystanders], missing);
  const found = new Map(missing.map((file) => [file, find ? find(file) : undefined] as const));
  const partners = [...found].flatMap(([file, candidates]) => {
    const partner = candidates && partnerAmong(candidates, file);
    return partner ? [[file, partner] as const] : [];
  });
  return { partners: new Map(partners), doubts: findDoubts(retired, found, unread) };
}

function findDoubts(
  retired: readonly Stray[],
  missing: ReadonlyMap<DesiredContract, Candidates | undefined>,
  unread: readonly DesiredContract[],
): ReadonlyMap<string, Doubt> {
  const alike = indexBy(missing, ([, candidates]) => candidates?.strays ?? []);
  const byKey = indexBy(retired, ({ id, identity }) => claimedKeys({ ...identity, id }, true));
  const declared = indexBy(unread, ({ identity }) => among(byKey, claimedKeys(identity)));
  const incomparable = createIncomparable([...missing.keys()]);
  return new Map(
    retired.flatMap((stray) => {
      const doubt: Doubt = {
        unread: declared.get(stray) ?? [],
        alike: (alike.get(stray) ?? []).map(([file]) => file),
        incomparable: incomparable(stray),
      };
      const isDoubtful = Object.values(doubt).some((files) => files.length > 0);
      return isDoubtful ? [[stray.id, doubt] as const] : [];
    }),
  );
}

function createIncomparable(files: readonly DesiredContract[]) {
  // One list for all strays with names of the same kinds: it may be long.
  const lists = new Map<string, readonly DesiredContract[]>();
  return ({ identity }: Stray): readonly DesiredContract[] => {
    const kinds = kindsOfNames(identity);
    const isComparable = (file: DesiredContract) =>
      kindsOfNames(file.identity).some((kind) => kinds.includes(kind));
    const list = lists.get(kinds.join()) ?? files.filter((file) => !isComparable(file));
    lists.set(kinds.join(), list);
    return list;
  };
}

function kindsOfNames({ fullyQualifiedName = '', entity }: Identity): string[] {
  const names = { own: fullyQualifiedName, ofAsset: entity?.fullyQualifiedName ?? '' };
  return Object.entries(names).flatMap(([kind, name]) => (isBlank(name) ? [] : [kind]));
}

function strayOf(live: LiveContract): Stray {
  const { id, name, fullyQualifiedName, entity } = live;
  return {
    id,
    label: contractLabel(live),
    identity: defined({ name, fullyQualifiedName, entity }),
  };
}

type Candidates = {
  readonly strays: readonly Stray[];
  readonly differsIn: 'identity' | 'name' | 'spelling' | 'entity';
};

function createFinder(strays: readonly Stray[], missing: readonly DesiredContract[]) {
  const byKey = indexBy(strays, ({ identity }) => exactKeys(identity));
  const byAsset = indexBy(strays, ({ identity }) => assetsOf(identity));
  const byTail = indexBy(strays, ({ identity }) => tailsOf(identity));
  const findSpelt = createSpelling(strays, missing);
  return (file: DesiredContract): Candidates | undefined => {
    const { identity } = file;
    const same = among(byKey, exactKeys(identity));
    if (same.length > 0) return { strays: same, differsIn: 'identity' };
    const attached = among(byAsset, assetsOf(identity));
    if (attached.length > 0) return { strays: attached, differsIn: 'name' };
    const spelt = findSpelt(identity);
    if (spelt.length > 0) return { strays: spelt, differsIn: 'spelling' };
    const moved = movedAmong(among(byTail, tailsOf(identity)), file);
    return moved.length > 0 ? { strays: moved, differsIn: 'entity' } : undefined;
  };
}

function indexBy<Key, Item>(items: Iterable<Item>, keysOf: (item: Item) => readonly Key[]) {
  const index = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const known = index.get(key);
      if (known) known.push(item);
      else index.set(key, [item]);
    }
  }
  return index;
}

function among<Item>(index: ReadonlyMap<string, readonly Item[]>, keys: readonly string[]): Item[] {
  return [...new Set(keys.flatMap((key) => index.get(key) ?? []))];
}

function exactKeys(identity: Identity): string[] {
  const names = ['fullyQualifiedName', 'name+entity.id', 'name+entity.fullyQualifiedName'] as const;
  return identityKeys(identity, names);
}

function assetsOf({ entity }: Identity): string[] {
  const { id, fullyQualifiedName } = entity ?? {};
  return [id && idKey(id), fullyQualifiedName].filter((name) => name !== undefined);
}

// Most contracts have the name of their asset, and some catalogs name them below it.
function spellingsOf(identity: Identity): string[] {
  return writtenNames(identity).map(canonical);
}

function canonical(name: string): string {
  return canonicalSegments(name).join('.');
}

function tailsOf(identity: Identity): string[] {
  return spellingsOf(identity).map((name) => name.slice(name.lastIndexOf('.') + 1));
}

// Pairs of names that are compared letter by letter: this many take a moment.
const mostCompared = 5_000_000;

function createSpelling(strays: readonly Stray[], missing: readonly DesiredContract[]) {
  const names = indexBy(strays, ({ identity }) => spellingsOf(identity));
  if (missing.length * names.size > mostCompared) return createCoarseSpelling(names);
  const all = [...names.keys()];
  return (identity: Identity): readonly Stray[] => {
    const wanted = spellingsOf(identity);
    const most = Math.max(0, ...wanted.map(({ length }) => Math.min(2, Math.floor(length / 5))));
    for (let slips = 0; slips <= most; slips += 1) {
      const near = all.filter((name) => wanted.some((each) => differByAtMost(each, name, slips)));
      if (near.length > 0) return near.flatMap((name) => names.get(name) ?? []);
    }
    return [];
  };
}

function createCoarseSpelling(names: ReadonlyMap<string, readonly Stray[]>) {
  const byRest = indexBy(names.keys(), withoutALetter);
  return (identity: Identity): readonly Stray[] => {
    const wanted = spellingsOf(identity);
    const shared = among(byRest, wanted.flatMap(withoutALetter));
    const near = shared.filter((name) => wanted.some((each) => differByAtMost(each, name, 1)));
    return near.flatMap((name) => names.get(name) ?? []);
  };
}

function partnerAmong({ strays, differsIn }: Candidates, file: DesiredContract) {
  const alike = withColumnsOf(file, strays);
  // A name that several contracts have is no evidence.
  if (differsIn === 'entity' && alike.length === 0 && strays.length > 1) return undefined;
  const [stray] = (alike.length > 0 ? alike : strays).toSorted((a, b) =>
    compareCodeUnits(a.label, b.label),
  );
  return stray && { stray, differsIn };
}

function withColumnsOf({ managed }: DesiredContract, strays: readonly Stray[]): readonly Stray[] {
  const columns = columnsOf(managed);
  return strays.filter((stray) => columns !== undefined && stray.columns === columns);
}

function movedAmong(strays: readonly Stray[], file: DesiredContract): readonly Stray[] {
  const alike = withColumnsOf(file, strays);
  if (alike.length > 0) return alike;
  const isBare = columnsOf(file.managed) === undefined;
  const known = placesOf(file.identity);
  return strays.filter(
    ({ columns, identity }) =>
      (isBare || columns === undefined) &&
      placesOf(identity).some((place) => known.includes(place)),
  );
}

function placesOf(identity: Identity): string[] {
  return spellingsOf(identity).flatMap((name) => name.split('.').slice(0, -1));
}

function columnsOf({ schema }: JsonObject): string | undefined {
  if (!isArray(schema) || schema.length === 0) return undefined;
  const names = schema.map((column) => {
    const name = isObject(column) ? column['name'] : undefined;
    return typeof name === 'string' ? name : '';
  });
  return JSON.stringify(names.map(canonical).toSorted());
}

export function wrongMember(identity: Identity): 'id' | 'fullyQualifiedName' | 'entity.id' {
  const kind = strongestKind(identity);
  if (kind === 'name+entity.id') return 'entity.id';
  return kind === 'id' ? 'id' : 'fullyQualifiedName';
}

// Texts one slip apart share one of these.
function withoutALetter(text: string): string[] {
  return [text, ...Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1))];
}
