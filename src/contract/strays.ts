/** Which live contract without a file a file may mean whose contract the catalog does not have. */

import { compareCodeUnits, isArray, isObject, type JsonObject } from '../core/json.ts';
import { canonicalSegments } from './canonical-name.ts';
import type { DesiredContract, Identity, LiveContract } from './contract.ts';
import { contractLabel, identityKey, identityKinds, strongestKind } from './identity.ts';
import { isWithin, withoutALetter } from './nearest.ts';

/** A live contract without a file. */
type Stray = {
  readonly id: string;
  readonly label: string;
  readonly identity: Identity;
  /** Known of those alone that a plan retires: others may have been read by their heads. */
  readonly columns?: string | undefined;
};

/** In what the stray differs from the file that may mean it. */
type Likeness = 'identity' | 'name' | 'spelling' | 'entity';
export type Partner = { readonly stray: Stray; readonly differsIn: Likeness };

export type Strays = {
  readonly note: (live: LiveContract, isRetired: boolean) => void;
  /** Of each file the stray that is most like it, if one is. */
  readonly pair: (missing: readonly DesiredContract[]) => ReadonlyMap<DesiredContract, Partner>;
};

/** Strays that are not retired: so many take some megabytes. */
const mostBystanders = 20_000;

export function createStrays(): Strays {
  const retired: Stray[] = [];
  const bystanders: Stray[] = [];
  return {
    note: (live, isRetired) => {
      if (isRetired) retired.push({ ...strayOf(live), columns: columnsOf(live.document) });
      else if (bystanders.length < mostBystanders) bystanders.push(strayOf(live));
    },
    pair: (missing) => {
      // A retirement that goes wrong is worse than a hint that is not given.
      const find =
        missing.length === 0 ? undefined : createFinder([...retired, ...bystanders], missing);
      return new Map(
        missing.flatMap((file) => {
          const partner = find?.(file);
          return partner ? [[file, partner] as const] : [];
        }),
      );
    },
  };
}

function strayOf(live: LiveContract): Stray {
  const { id, name, fullyQualifiedName, entity } = live;
  const identity: Identity = {
    ...(name !== undefined && { name }),
    ...(fullyQualifiedName !== undefined && { fullyQualifiedName }),
    ...(entity && { entity }),
  };
  return { id, label: contractLabel(live), identity };
}

type Finder = (file: DesiredContract) => Partner | undefined;

/** What says most comes first. */
function createFinder(strays: readonly Stray[], missing: readonly DesiredContract[]): Finder {
  const byKey = indexBy(strays, ({ identity }) => exactKeys(identity));
  const byAsset = indexBy(strays, ({ identity }) => assetsOf(identity));
  const byTail = indexBy(strays, ({ identity }) => tailsOf(identity));
  const findSpelt = createSpelling(strays, missing);
  return (file) => {
    const { identity } = file;
    const among = (index: typeof byKey, keys: readonly string[]) =>
      best(
        keys.flatMap((key) => index.get(key) ?? []),
        file,
      );
    const same = among(byKey, exactKeys(identity));
    if (same) return { stray: same, differsIn: 'identity' };
    const attached = among(byAsset, assetsOf(identity));
    if (attached) return { stray: attached, differsIn: 'name' };
    const spelt = best(findSpelt(identity), file);
    if (spelt) return { stray: spelt, differsIn: 'spelling' };
    const moved = oneMoved(
      tailsOf(identity).flatMap((key) => byTail.get(key) ?? []),
      file,
    );
    return moved && { stray: moved, differsIn: 'entity' };
  };
}

function indexBy(
  strays: readonly Stray[],
  keysOf: (stray: Stray) => readonly string[],
): ReadonlyMap<string, readonly Stray[]> {
  const index = new Map<string, Stray[]>();
  for (const stray of strays) {
    for (const key of keysOf(stray)) {
      const known = index.get(key);
      if (known) known.push(stray);
      else index.set(key, [stray]);
    }
  }
  return index;
}

/** By what it would be found but for a stronger identity that is wrong. */
function exactKeys(identity: Identity): string[] {
  return identityKinds.flatMap((kind) => {
    if (kind === 'id' || kind === 'entity.fullyQualifiedName') return [];
    const key = identityKey(kind, identity);
    return key === undefined ? [] : [`${kind} ${key}`];
  });
}

function assetsOf({ entity }: Identity): string[] {
  return [entity?.id, entity?.fullyQualifiedName].filter((name) => name !== undefined);
}

/** Most contracts are called like their asset, and some catalogs name them below it. */
function spellingsOf({ fullyQualifiedName, name, entity }: Identity): string[] {
  const asset = entity?.fullyQualifiedName ?? entity?.id;
  const attached = name === undefined || asset === undefined ? undefined : `${asset}.${name}`;
  const written = [fullyQualifiedName, attached, entity?.fullyQualifiedName];
  return written.filter((spelling) => spelling !== undefined).map(canonical);
}

function canonical(name: string): string {
  return canonicalSegments(name).join('.');
}

/** The names themselves, without where they are. */
function tailsOf(identity: Identity): string[] {
  const tails = spellingsOf(identity).map((name) => name.slice(name.lastIndexOf('.') + 1));
  return [...new Set(tails)];
}

/** Letters that are written wrongly, in all: of a short name fewer, where they make another name. */
function mostSlips(name: string): number {
  return Math.min(2, Math.floor(name.length / 5));
}

/** Pairs of names: so many are compared letter by letter in a moment. */
const mostCompared = 5_000_000;

/** Strays whose names are nearly those of a file; of very many, with one slip and no more. */
function createSpelling(
  strays: readonly Stray[],
  missing: readonly DesiredContract[],
): (identity: Identity) => readonly Stray[] {
  const names = indexBy(strays, ({ identity }) => spellingsOf(identity));
  if (missing.length * names.size > mostCompared) return createCoarseSpelling(names);
  const all = [...names.keys()];
  return (identity) => {
    const wanted = spellingsOf(identity);
    const most = Math.max(0, ...wanted.map(mostSlips));
    for (let slips = 0; slips <= most; slips += 1) {
      const near = all.filter((name) => wanted.some((each) => isWithin(each, name, slips)));
      if (near.length > 0) return near.flatMap((name) => names.get(name) ?? []);
    }
    return [];
  };
}

function createCoarseSpelling(
  names: ReadonlyMap<string, readonly Stray[]>,
): (identity: Identity) => readonly Stray[] {
  const byRest = new Map<string, string[]>();
  for (const name of names.keys()) {
    for (const rest of withoutALetter(name)) {
      const known = byRest.get(rest);
      if (known) known.push(name);
      else byRest.set(rest, [name]);
    }
  }
  return (identity) => {
    const wanted = spellingsOf(identity);
    const shared = wanted.flatMap(withoutALetter).flatMap((rest) => byRest.get(rest) ?? []);
    const near = [...new Set(shared)].filter((name) =>
      wanted.some((each) => isWithin(each, name, 1)),
    );
    return near.flatMap((name) => names.get(name) ?? []);
  };
}

/** The one with the file's columns if there is one, else the first by name. */
function best(strays: readonly Stray[], { managed }: DesiredContract): Stray | undefined {
  const columns = columnsOf(managed);
  const alike = strays.filter((stray) => columns !== undefined && stray.columns === columns);
  const [first] = (alike.length > 0 ? alike : strays).toSorted((a, b) =>
    compareCodeUnits(a.label, b.label),
  );
  return first;
}

/** A name alone says little: the columns are the same, or it is the only one in the neighbourhood. */
function oneMoved(strays: readonly Stray[], file: DesiredContract): Stray | undefined {
  const columns = columnsOf(file.managed);
  const alike = strays.filter((stray) => columns !== undefined && stray.columns === columns);
  if (alike.length > 0) return best(alike, file);
  const [only, ...others] = strays.filter(
    (stray) =>
      (columns === undefined || stray.columns === undefined) &&
      isNeighbour(stray.identity, file.identity),
  );
  return others.length > 0 ? undefined : only;
}

/** Whether more than the last part of the names agrees. */
function isNeighbour(a: Identity, b: Identity): boolean {
  const known = placesOf(b);
  return placesOf(a).some((place) => known.includes(place));
}

function placesOf(identity: Identity): string[] {
  return spellingsOf(identity).flatMap((name) => name.split('.').slice(0, -1));
}

/** The names of columns, in no order; undefined where there are none. */
function columnsOf({ schema }: JsonObject): string | undefined {
  if (!isArray(schema) || schema.length === 0) return undefined;
  const names = schema.map((column) => {
    const name = isObject(column) ? column['name'] : undefined;
    return typeof name === 'string' ? name : '';
  });
  return JSON.stringify(names.map(canonical).toSorted());
}

/** The member of a file's identity that leads nowhere. */
export function wrongMember(identity: Identity): 'id' | 'fullyQualifiedName' | 'entity.id' {
  switch (strongestKind(identity)) {
    case 'id':
      return 'id';
    case 'name+entity.id':
      return 'entity.id';
    default:
      return 'fullyQualifiedName';
  }
}
