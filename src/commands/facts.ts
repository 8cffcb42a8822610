/** Requests what planning needs of the catalog, each thing once. */

import pLimit from 'p-limit';
import type { CatalogReader } from '../catalog/catalog.ts';
import { ApiError } from '../catalog/fault.ts';
import { type DesiredContract, type FoundEntity, isDeleted } from '../contract/contract.ts';
import { type Creation, ownStatus } from '../contract/conventions.ts';
import {
  type Asset,
  lookedUpBy,
  type Lookup,
  peopleIn,
  type Prospect,
  referenceKey,
  referencesIn,
} from '../contract/identity.ts';
import { defined, isObject } from '../core/json.ts';
import {
  assetsOfUpdates,
  type Facts,
  type People,
  type TagAnswer,
  type Tags,
  tagsIn,
  tagsToLookUp,
} from '../plan/facts.ts';
import type { FiledPair, MissingPair, PlannedPair } from '../plan/pair.ts';
import type { Rules } from '../plan/rules.ts';
import type { FoundPairs } from './pairs.ts';
import type { Planning } from '../session.ts';
import { findReasons } from './reasons.ts';

export async function lookUp(
  { selected, rules, people: known }: FoundPairs,
  run: Planning,
): Promise<Facts> {
  const { reader } = run;
  const { creation } = rules.conventions;
  const filed: FiledPair[] = [];
  const missing: MissingPair[] = [];
  for (const pair of selected) {
    if (!pair.live) missing.push(pair);
    else if (pair.desired) filed.push(pair);
  }
  const desired = [...filed, ...missing].map((pair) => pair.desired);
  const declared = filed.flatMap(({ base }) => base?.declared ?? []);
  const [people, tags, properties, prospects, caller] = await Promise.all([
    lookUpPeople([...desired, ...declared], rules, reader, known),
    lookUpTags(filed, rules.create ? missing : [], rules, reader),
    lookUpProperties(desired, rules, reader),
    askEach(
      creation && rules.create ? missing : [],
      async (pair) => creation && findProspect(pair, creation, reader),
    ),
    lookUpCaller(filed, rules, reader),
  ]);
  const facts: Facts = {
    people,
    tags,
    caller,
    ...defined({ properties }),
    prospects: new Map(
      prospects.flatMap(([{ desired }, found]) => (found ? [[desired, found] as const] : [])),
    ),
    reasons: new Map(),
  };
  // They depend on the people.
  if (declared.length === 0) return facts;
  return { ...facts, reasons: await findReasons(filed, facts, rules, run) };
}

/** Undefined where the catalog stores references as written. */
export async function lookUpPeople(
  files: readonly DesiredContract[],
  { conventions }: Rules,
  reader: CatalogReader,
  known: People['known'] = [],
): Promise<People | undefined> {
  const { resolvesReferences, owningTeams } = conventions;
  if (!resolvesReferences) return undefined;
  const references = files.flatMap(({ managed }) => referencesIn(managed));
  const distinct = new Map(references.map((each) => [referenceKey(each), each])).values();
  const found = await askEach([...distinct], async (reference): Promise<Lookup> => {
    const { type, id } = reference;
    const address = id === undefined ? { name: lookedUpBy(reference) } : { id };
    const entity = await reader.fetchEntity({ type, ...address });
    if (entity?.name === undefined) return { kind: 'unknown' };
    return { kind: 'found', id: entity.id, name: entity.name, teamType: entity.teamType };
  });
  const answers = new Map(found.map(([reference, answer]) => [referenceKey(reference), answer]));
  return {
    lookups: (reference) => answers.get(referenceKey(reference)),
    known,
    owningTeams,
  };
}

async function lookUpProperties(
  files: readonly DesiredContract[],
  { conventions: { properties } }: Rules,
  reader: CatalogReader,
): Promise<Facts['properties']> {
  if (!properties || !files.some(({ managed }) => isObject(managed['extension']))) return undefined;
  const definition = await answerOf(async () => reader.fetchEntity(properties.definedBy));
  if (!definition || !('properties' in definition)) return undefined;
  return { ...properties, definitions: definition.properties };
}

async function lookUpCaller(
  pairs: readonly FiledPair[],
  { conventions }: Rules,
  reader: CatalogReader,
) {
  const { lifecycle, resolvesReferences } = conventions;
  const isReviewedMove = ({ live, desired }: FiledPair): boolean => {
    const { entityStatus: status } = desired.managed;
    const isMove =
      typeof status === 'string' && ownStatus(status, lifecycle.synonyms) !== live.entityStatus;
    return isMove && peopleIn(live.document, 'reviewers').length > 0;
  };
  if (!resolvesReferences || !pairs.some(isReviewedMove)) return undefined;
  const caller = await answerOf(async () => reader.fetchCaller());
  return caller && 'name' in caller ? caller : undefined;
}

async function lookUpTags(
  filed: readonly FiledPair[],
  missing: readonly MissingPair[],
  { conventions }: Rules,
  reader: CatalogReader,
): Promise<Tags | undefined> {
  if (!conventions.resolvesReferences) return undefined;
  const wanted = [
    ...missing.flatMap(({ desired }) => tagsToLookUp(desired)),
    ...filed.flatMap(({ desired, live, base }) => [
      ...tagsToLookUp(desired, live),
      ...(base?.declared ? tagsToLookUp(base.declared, live) : []),
    ]),
  ];
  const names = new Set(wanted.map(({ name }) => name));
  const answers = await askEach([...names], async (name): Promise<TagAnswer> => {
    // These are steps in a path, not names.
    if (/^\.{0,2}$/u.test(name)) return { kind: 'unknown' };
    if (await reader.fetchEntity({ type: 'tag', name })) return { kind: 'tag' };
    const term = await reader.fetchEntity({ type: 'glossaryTerm', name });
    return { kind: term ? 'glossaryTerm' : 'unknown' };
  });
  const known = filed.flatMap(({ live }) => [...tagsIn(live.document['schema'])]);
  return { answers: new Map(answers), known: new Set(known.map(({ name }) => name)) };
}

/** Those that can be read: the catalog checks the columns itself too. */
export async function lookUpAssets(
  planned: readonly PlannedPair[],
  reader: CatalogReader,
): Promise<ReadonlyMap<string, FoundEntity>> {
  const found = await askEach(assetsOfUpdates(planned), async (id) => reader.fetchEntity(id));
  return new Map(
    found.flatMap(([{ id }, asset]) => (asset && 'id' in asset ? [[id, asset] as const] : [])),
  );
}

// Look-ups at once; the connection limits the requests further.
const atOnce = 16;

async function askEach<Item, Answer>(items: readonly Item[], ask: (item: Item) => Promise<Answer>) {
  return pLimit(atOnce).map(
    items,
    async (item) => [item, await answerOf(async () => ask(item))] as const,
  );
}

async function answerOf<Answer>(ask: () => Promise<Answer>) {
  try {
    return await ask();
  } catch (error) {
    // Without a good token no request succeeds: that ends the run.
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return { kind: 'unreadable' as const, why: error.message };
  }
}

async function findProspect(
  { desired }: MissingPair,
  { nameOf }: Creation,
  reader: CatalogReader,
): Promise<Prospect | undefined> {
  const { name, entity = {} } = desired.identity;
  // Most assets are tables, so the type is optional in a file.
  const { id, type = 'table', fullyQualifiedName: assetName } = entity;
  const byName = assetName === undefined ? undefined : { type, name: assetName };
  const address = id === undefined ? byName : { type, id };
  if (!address || name === undefined) return undefined;
  const asset = await reader.fetchEntity(address);
  if (!isAsset(asset)) return { kind: 'unknown-asset' };
  const fullyQualifiedName = nameOf(asset.fullyQualifiedName, name);
  const fields = { fields: [] };
  const [attached, namesake] = await Promise.all([
    reader.fetchContract({ by: 'asset', id: asset.id, type: asset.type }, fields),
    reader.fetchContract({ by: 'name', fullyQualifiedName }, fields),
  ]);
  const there = attached ?? namesake;
  if (!there) return { kind: 'free', asset, fullyQualifiedName };
  return isDeleted(there)
    ? { kind: 'deleted', id: there.id }
    : { kind: 'taken', by: there.fullyQualifiedName ?? there.id };
}

function isAsset(entity: FoundEntity | undefined): entity is Asset {
  return entity?.type !== undefined && entity.fullyQualifiedName !== undefined;
}
