/** Requests what planning needs of the catalog, each thing once. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import type { CatalogReader } from '../catalog/catalog.ts';
import { type FoundEntity, isDeleted } from '../contract/contract.ts';
import type { Creation } from '../contract/conventions.ts';
import {
  type Asset,
  type AssetAnswer,
  lookedUpBy,
  type Lookup,
  type PersonReference,
  type Prospect,
  referenceKey,
} from '../contract/identity.ts';
import { assetsOfUpdates, type Facts, namesOfPeople, needsOf } from '../plan/facts.ts';
import type { MissingPair, Pair, PlannedPair } from '../plan/pair.ts';
import type { Rules } from '../plan/rules.ts';
import { findReasons, type ReasonsRun } from './reasons.ts';

export async function lookUp(
  { pairs, selected }: Readonly<Record<'pairs' | 'selected', readonly Pair[]>>,
  rules: Rules,
  run: ReasonsRun & { readonly reader: CatalogReader },
): Promise<Facts> {
  const { reader } = run;
  const { creation } = rules.conventions;
  const needs = needsOf(selected, rules);
  const [people, [[, definition] = []], prospects] = await Promise.all([
    lookUpPeople(needs.people, rules, reader),
    askEach(needs.properties, async (address) => reader.fetchEntity(address)),
    askEach(needs.prospects, async (pair) => creation && findProspect(pair, creation, reader)),
  ]);
  const facts: Facts = {
    people: people && { ...people, names: namesOfPeople(pairs) },
    properties: definition && 'properties' in definition ? definition.properties : undefined,
    prospects: new Map(
      prospects.flatMap(([{ desired }, found]) => (found ? [[desired, found] as const] : [])),
    ),
    reasons: new Map(),
  };
  if (needs.reasons.length === 0) return facts;
  return { ...facts, reasons: await findReasons(needs.reasons, facts, rules, run) };
}

/** Undefined where the catalog stores references as written. */
export async function lookUpPeople(
  references: readonly PersonReference[],
  { conventions }: Pick<Rules, 'conventions'>,
  reader: Reader,
): Promise<Facts['people']> {
  if (!conventions.resolvesReferences) return undefined;
  const found = await askEach(references, async (reference): Promise<Lookup> => {
    const { type, id } = reference;
    const address = id === undefined ? { name: lookedUpBy(reference) } : { id };
    const entity = await reader.fetchEntity({ type, ...address });
    if (entity?.name === undefined) return { kind: 'unknown' };
    return { kind: 'found', id: entity.id, name: entity.name, teamType: entity.teamType };
  });
  const known = new Map(found.map(([reference, answer]) => [referenceKey(reference), answer]));
  return {
    lookups: (reference) => known.get(referenceKey(reference)),
    names: new Map(),
    owningTeams: conventions.owningTeams,
  };
}

export async function lookUpAssets(
  planned: readonly PlannedPair[],
  { conventions }: Pick<Rules, 'conventions'>,
  reader: Reader,
): Promise<ReadonlyMap<string, AssetAnswer>> {
  if (!conventions.checksColumns) return new Map();
  const found = await askEach(assetsOfUpdates(planned), async (address): Promise<AssetAnswer> => {
    const asset = await reader.fetchEntity(address);
    if (asset) return { kind: 'found', asset };
    const why = `the catalog has no ${address.type} with the id ${address.id}.`;
    return { kind: 'unreadable', why };
  });
  return new Map(found.map(([{ id }, answer]) => [id, answer]));
}

// Look-ups at once; the connection limits the requests further.
const atOnce = 16;

async function askEach<Item, Answer>(items: readonly Item[], ask: (item: Item) => Promise<Answer>) {
  return pLimit(atOnce).map(items, async (item) => {
    try {
      return [item, await ask(item)] as const;
    } catch (error) {
      // Without a good token no request succeeds: that ends the run.
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      return [item, { kind: 'unreadable' as const, why: error.message }] as const;
    }
  });
}

type Reader = Pick<CatalogReader, 'fetchEntity' | 'fetchContract'>;

async function findProspect(
  { desired }: MissingPair,
  { nameOf }: Creation,
  reader: Reader,
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
