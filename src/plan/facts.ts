/** What is asked of the catalog for pairs, beside its list, and what it says. */

import type { ApartReason, DesiredContract } from '../contract/contract.ts';
import {
  type AssetAnswer,
  type Lookups,
  parseReference,
  peopleFields,
  peopleIn,
  type PersonReference,
  type Prospect,
  referenceKey,
} from '../contract/reference.ts';
import type { LivePlace } from '../patch/merge.ts';
import { type AssetId, assetOfNewColumns } from './columns.ts';
import type { MissingPair, Pair } from './pair.ts';
import type { Rules } from './rules.ts';

export type Facts = {
  /** Absent where the catalog takes references as they are written. */
  readonly people?: People | undefined;
  /** By id: assets that get columns. */
  readonly assets: ReadonlyMap<string, AssetAnswer>;
  /** Where the contracts can be created that the catalog does not have. */
  readonly prospects: ReadonlyMap<DesiredContract, Prospect>;
  /** By the id of a live contract: why it is not what its base says at a place. */
  readonly reasons: ReadonlyMap<string, (place: LivePlace) => ApartReason>;
};

export type People = {
  readonly lookups: Lookups;
  /** By type, the names in live contracts: a file that errs may mean one of them. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
};

export const noFacts: Facts = { assets: new Map(), prospects: new Map(), reasons: new Map() };

/** What to ask, each thing once. The reasons can be asked for only once the people are known. */
export type Needs = {
  readonly people: readonly PersonReference[];
  readonly assets: readonly AssetId[];
  readonly prospects: readonly MissingPair[];
};

export function needsOf(pairs: readonly Pair[], { conventions, create }: Rules): Needs {
  const { resolvesReferences, checksColumns, creation } = conventions;
  return {
    people: resolvesReferences ? referencesIn(pairs.flatMap(filesOf)) : [],
    assets: checksColumns
      ? [...new Map(pairs.flatMap(assetOfNewColumns).map((each) => [each.id, each])).values()]
      : [],
    prospects: creation && create ? pairs.filter(isMissing) : [],
  };
}

function filesOf(pair: Pair): DesiredContract[] {
  if (!pair.desired) return [];
  const declared = pair.live && pair.base?.declared;
  return declared ? [pair.desired, declared] : [pair.desired];
}

function isMissing(pair: Pair): pair is MissingPair {
  return !pair.live;
}

function referencesIn(files: readonly DesiredContract[]): PersonReference[] {
  const references = files
    .flatMap(({ managed }) => peopleFields.flatMap((field) => peopleIn(managed, field)))
    .map(parseReference)
    .filter((reference) => reference !== undefined);
  return [...new Map(references.map((each) => [referenceKey(each), each])).values()];
}

/** The names of users and teams in the live contracts that have files. */
export function namesOfPeople(pairs: readonly Pair[]): People['names'] {
  const names = new Map<string, Set<string>>();
  for (const { live, desired } of pairs) {
    // What has no file may have been read by its head alone.
    if (!live || !desired) continue;
    for (const item of peopleFields.flatMap((field) => peopleIn(live.document, field))) {
      const { type, name } = parseReference(item) ?? {};
      if (type !== undefined && name !== undefined)
        names.set(type, (names.get(type) ?? new Set()).add(name));
    }
  }
  return names;
}
