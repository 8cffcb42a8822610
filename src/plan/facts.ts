import { keepUnstated } from '../contract/unstated.ts';
import type { Conventions } from '../contract/conventions.ts';
import type { ApartReason, AssetId, DesiredContract, FoundEntity } from '../contract/contract.ts';
import {
  type AssetAnswer,
  type Lookup,
  parseReference,
  peopleFields,
  peopleIn,
  type PersonReference,
  type Prospect,
  referenceKey,
} from '../contract/identity.ts';
import { hasErrors, type Problem, type SourcePosition } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject } from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { LivePlace } from '../patch/merge.ts';
import { type FiledPair, isFiled, type Pair, type PlannedPair } from './pair.ts';
import type { UpdatePlan } from './plan.ts';
import type { Rules } from './rules.ts';

/** What planning needs of the catalog besides its list. */

export type Facts = {
  /** Absent where the catalog takes references as written. */
  readonly people?: People | undefined;
  /** Those that `extension` may have; absent if unknown. */
  readonly properties?: readonly string[] | undefined;
  readonly prospects: ReadonlyMap<DesiredContract, Prospect>;
  /** By the id of a live contract: why it differs from its base at a place. */
  readonly reasons: ReadonlyMap<string, (place: LivePlace) => ApartReason>;
};

export type People = {
  readonly lookups: (reference: PersonReference) => Lookup | undefined;
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  readonly owningTeams?: readonly string[] | undefined;
};

export const noFacts: Facts = { prospects: new Map(), reasons: new Map() };

/** Each once. The reasons can be requested only once the people are known. */
export function needsOf(pairs: readonly Pair[], { conventions, create }: Rules) {
  const { resolvesReferences, propertiesOf, creation } = conventions;
  const hasProperties = pairs.some(({ desired }) => isObject(desired?.managed['extension']));
  const files = pairs
    .flatMap((pair) => (pair.desired ? [pair.desired, pair.live && pair.base?.declared] : []))
    .filter((file) => file !== undefined);
  return {
    people: resolvesReferences ? referencesIn(files) : [],
    properties: propertiesOf && hasProperties ? [propertiesOf] : [],
    prospects: creation && create ? pairs.filter((pair) => !pair.live) : [],
    reasons: pairs.filter(isFiled).filter(({ base }) => base?.declared),
  };
}

export function referencesIn(files: readonly DesiredContract[]): PersonReference[] {
  const references = files
    .flatMap(({ managed }) => peopleFields.flatMap((field) => peopleIn(managed, field)))
    .map(parseReference)
    .filter((reference) => reference !== undefined);
  return [...new Map(references.map((each) => [referenceKey(each), each])).values()];
}

export function namesOfPeople(pairs: readonly Pair[]): People['names'] {
  const names = new Map<string, Set<string>>();
  // Contracts without a file may have been kept without their documents.
  for (const { live } of pairs.filter(isFiled)) {
    for (const item of peopleFields.flatMap((field) => peopleIn(live.document, field))) {
      const { type, name } = parseReference(item) ?? {};
      if (type !== undefined && name !== undefined)
        names.set(type, (names.get(type) ?? new Set()).add(name));
    }
  }
  return names;
}

/**
 * For these the catalog may refuse a change, whatever is in it: columns of the contract that its
 * asset lacks, and teams that may own nothing.
 */
export function assetsOfUpdates(planned: readonly PlannedPair[]): AssetId[] {
  const assets = planned.flatMap((each) => {
    if (!isUpdating(each)) return [];
    const { id, type } = each.pair.live.entity ?? {};
    const hasAsset = id !== undefined && type !== undefined && columnsAfter(each).length > 0;
    return [...(hasAsset ? [{ id, type }] : []), ...teamsLeft(each)];
  });
  return [...new Map(assets.map((each) => [each.id, each])).values()];
}

type Updating = { readonly pair: FiledPair; readonly plan: UpdatePlan };

function isUpdating(planned: PlannedPair): planned is Updating {
  const { pair, plan } = planned;
  return isFiled(pair) && plan !== undefined && 'target' in plan && plan.changes.length > 0;
}

function columnsAfter({ pair, plan }: Updating) {
  return columnsIn('schema' in plan.target ? plan.target : pair.live.document);
}

// Those that the file names are looked up with the other people of files.
function teamsLeft({ pair, plan }: Updating): AssetId[] {
  if ('owners' in plan.target || 'owners' in pair.desired.managed) return [];
  return peopleIn(pair.live.document, 'owners')
    .map(parseReference)
    .flatMap((owner) =>
      owner?.type === 'team' && owner.id !== undefined ? [{ id: owner.id, type: 'team' }] : [],
    );
}

export function judgeAssets(
  planned: PlannedPair,
  assets: ReadonlyMap<string, AssetAnswer>,
  { owningTeams }: Pick<Conventions, 'owningTeams'>,
): PlannedPair {
  if (assets.size === 0 || !isUpdating(planned)) return planned;
  const { pair, plan } = planned;
  const ofTeams = teamsLeft(planned).flatMap((team) => {
    const found = assets.get(team.id);
    const teamType = found?.kind === 'found' ? found.asset.teamType : undefined;
    return notAnOwner(teamType, owningTeams, pair.desired.locate(['owners']));
  });
  const asset = assets.get(pair.live.entity?.id ?? '');
  const problems = [...ofTeams, ...(asset ? columnProblems(planned, asset) : [])];
  if (problems.length === 0) return planned;
  const action = hasErrors(problems) ? 'blocked' : plan.action;
  return { pair, plan: { ...plan, action, problems: [...plan.problems, ...problems] } };
}

function columnProblems(planned: Updating, answer: AssetAnswer): Problem[] {
  const { live, desired } = planned.pair;
  const columns = columnsAfter(planned);
  if (answer.kind === 'found')
    return unknownColumns(keepUnstated(live, desired), answer.asset, columns);
  const known = new Set(columnsIn(live.document).map(([name]) => name));
  if (columns.every(([name]) => known.has(name))) return [];
  const message = `Can't check whether the ${live.entity?.type ?? ''} has these columns: ${answer.why}`;
  const hint = 'The catalog refuses the change if one is missing.';
  const source = desired.locate(['schema']);
  // A warning, since the catalog checks the columns itself.
  return [{ code: 'lookup-failed', severity: 'warning', message, hint, source }];
}

export function notAnOwner(
  teamType: string | undefined,
  owningTeams: readonly string[] | undefined,
  source: SourcePosition,
): Problem[] {
  if (teamType === undefined || owningTeams?.includes(teamType) !== false) return [];
  const message = `A team of the type ${teamType} can't own a contract: the catalog refuses every change of one that it owns.`;
  const hint = `Set \`owners\` in the file: one team of the type ${owningTeams.join(' or ')}, or users.`;
  return [{ code: 'not-an-owner', severity: 'error', message, hint, source }];
}

export function unknownColumns(
  { managed, locate }: Pick<DesiredContract, 'managed' | 'locate'>,
  { type = 'asset', columns }: Pick<FoundEntity, 'type' | 'columns'>,
  contract = columnsIn(managed),
): Problem[] {
  if (!columns) return [];
  const written = new Map(columnsIn(managed));
  return contract.flatMap(([name]) => {
    if (columns.includes(name)) return [];
    const index = written.get(name);
    const problem = { code: 'unknown-column', severity: 'error' } as const;
    if (index === undefined) {
      const message = `The ${type} has lost the column ${quote(name)}, which the live contract still has.`;
      const hint = 'Give a `schema` without it: until then the catalog refuses every change.';
      return [{ ...problem, message, hint, source: locate(['schema']) }];
    }
    const message = `The ${type} has no column ${quote(name)}.`;
    const hint = didYouMean(name, columns) ?? `Its columns are ${columns.join(', ')}.`;
    return [{ ...problem, message, hint, source: locate(['schema', index, 'name']) }];
  });
}

function columnsIn({ schema }: JsonObject): (readonly [name: string, index: string])[] {
  if (!isArray(schema)) return [];
  return schema.flatMap((column, index) => {
    const name = isObject(column) ? column['name'] : undefined;
    return typeof name === 'string' ? [[name, String(index)] as const] : [];
  });
}
