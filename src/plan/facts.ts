/** What planning needs of the catalog besides its list. */

import type { ApartReason, DesiredContract, FoundEntity } from '../contract/contract.ts';
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
import { hasErrors, type Problem } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject } from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { LivePlace } from '../patch/merge.ts';
import { type FiledPair, isFiled, type MissingPair, type Pair, type PlannedPair } from './pair.ts';
import type { UpdatePlan } from './plan.ts';
import type { Rules } from './rules.ts';

export type Facts = {
  /** Absent where the catalog takes references as written. */
  readonly people?: People | undefined;
  readonly prospects: ReadonlyMap<DesiredContract, Prospect>;
  /** By the id of a live contract: why it differs from its base at a place. */
  readonly reasons: ReadonlyMap<string, (place: LivePlace) => ApartReason>;
};

export type People = {
  readonly lookups: Lookups;
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
};

export const noFacts: Facts = { prospects: new Map(), reasons: new Map() };

/** Each once. The reasons can be requested only once the people are known. */
export type Needs = {
  readonly people: readonly PersonReference[];
  readonly prospects: readonly MissingPair[];
};

export function needsOf(pairs: readonly Pair[], { conventions, create }: Rules): Needs {
  const { resolvesReferences, creation } = conventions;
  return {
    people: resolvesReferences ? referencesIn(pairs.flatMap(filesOf)) : [],
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

/** Each person once, however many files name them. */
export function referencesIn(files: readonly DesiredContract[]): PersonReference[] {
  const references = files
    .flatMap(({ managed }) => peopleFields.flatMap((field) => peopleIn(managed, field)))
    .map(parseReference)
    .filter((reference) => reference !== undefined);
  return [...new Map(references.map((each) => [referenceKey(each), each])).values()];
}

export function namesOfPeople(pairs: readonly Pair[]): People['names'] {
  const names = new Map<string, Set<string>>();
  for (const { live, desired } of pairs) {
    // Contracts without a file may have been kept without their documents.
    if (!live || !desired) continue;
    for (const item of peopleFields.flatMap((field) => peopleIn(live.document, field))) {
      const { type, name } = parseReference(item) ?? {};
      if (type !== undefined && name !== undefined)
        names.set(type, (names.get(type) ?? new Set()).add(name));
    }
  }
  return names;
}

export type AssetId = { readonly id: string; readonly type: string };

/** A contract may have no column that its asset lacks, so the asset of a new column is read. */
export function assetsOfNewColumns(planned: readonly PlannedPair[]): AssetId[] {
  const assets = planned.flatMap((each) => {
    const { id, type } = each.pair.live?.entity ?? {};
    return id !== undefined && type !== undefined && addsColumn(each) ? [{ id, type }] : [];
  });
  return [...new Map(assets.map((each) => [each.id, each])).values()];
}

type AddingPair = { readonly pair: FiledPair; readonly plan: UpdatePlan };

function addsColumn(planned: PlannedPair): planned is AddingPair {
  const { pair, plan } = planned;
  if (!isFiled(pair) || !plan || !('target' in plan)) return false;
  const known = new Set(columnsIn(pair.live.document).map(([name]) => name));
  return columnsIn(plan.target).some(([name]) => !known.has(name));
}

/** `assets` by their ids; a plan is blocked if its asset lacks a column of it. */
export function judgeColumns(
  planned: PlannedPair,
  assets: ReadonlyMap<string, AssetAnswer>,
): PlannedPair {
  const { id = '', type = '' } = planned.pair.live?.entity ?? {};
  const answer = assets.get(id);
  if (!answer || !addsColumn(planned)) return planned;
  const { pair, plan } = planned;
  const desired = pair.desired.refine?.(pair.live) ?? pair.desired;
  const problems =
    answer.kind === 'found'
      ? unknownColumns(desired, answer.asset, plan.target)
      : [unreadable(type, answer.why, desired)];
  const action = hasErrors(problems) ? 'blocked' : plan.action;
  return { pair, plan: { ...plan, action, problems: [...plan.problems, ...problems] } };
}

export function unknownColumns(
  { managed, locate }: Pick<DesiredContract, 'managed' | 'locate'>,
  { type = 'asset', columns }: Pick<FoundEntity, 'type' | 'columns'>,
  target: JsonObject = managed,
): Problem[] {
  if (!columns) return [];
  const written = new Map(columnsIn(managed));
  return columnsIn(target).flatMap(([name]) => {
    if (columns.includes(name)) return [];
    const index = written.get(name);
    return [
      {
        code: 'unknown-column',
        severity: 'error',
        message: `The ${type} has no column ${quote(name)}.`,
        hint: didYouMean(name, columns) ?? `Its columns are ${columns.join(', ')}.`,
        source: locate(index === undefined ? ['schema'] : ['schema', index, 'name']),
      } as const,
    ];
  });
}

function columnsIn({ schema }: JsonObject): (readonly [name: string, index: string])[] {
  if (!isArray(schema)) return [];
  return schema.flatMap((column, index) => {
    const name = isObject(column) ? column['name'] : undefined;
    return typeof name === 'string' ? [[name, String(index)] as const] : [];
  });
}

// A warning, since the catalog checks the columns itself.
function unreadable(type: string, why: string, { locate }: DesiredContract): Problem {
  return {
    code: 'columns-unchecked',
    severity: 'warning',
    message: `Can't check whether the ${type} has these columns: ${why}`,
    hint: 'The catalog refuses the change if one is missing.',
    source: locate(['schema']),
  };
}
