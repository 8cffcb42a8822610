import pLimit from 'p-limit';
import { fieldsOf, readStored } from '../apply/stored.ts';
import { ApiError } from '../catalog/fault.ts';
import type { CatalogReader } from '../catalog/catalog.ts';
import type { Product } from '../catalog/products/product.ts';
import { type LiveContract, parseLiveContract } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { offlineEffects } from '../core/effects.ts';
import {
  canonicalJson,
  deepEqual,
  defined,
  isArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { inTodaysShape, readSnapshots, unknownFields } from '../history/version.ts';
import { type Difference, diffByPlace } from '../patch/describe.ts';
import { evaluate } from '../patch/evaluate.ts';
import {
  type DiffOptions,
  elementToken,
  type KeyPath,
  pointerOf,
  valueByKey,
} from '../patch/identity.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../patch/pointer.ts';
import type { ContractPlan, Plan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { contractKeys, type Landings, type ReviewedChange } from './compare.ts';

export type LandingCatalog = {
  readonly reader: CatalogReader;
  readonly rules: Rules;
  readonly product: Product;
};

const requestsAtOnce = 8;

/** `earlier`: those that an earlier run may have applied, though they are planned again. */
export async function findLanded(
  fresh: Plan,
  reviewed: readonly ReviewedChange[],
  catalog: LandingCatalog,
  earlier: ReadonlySet<ReviewedChange> = new Set(),
): Promise<Landings> {
  const { reader, rules, product } = catalog;
  const candidates = findCandidates(fresh, reviewed, earlier);
  if (candidates.length === 0) return new Map();
  const fields = fieldsOf(candidates.map(({ places }) => fieldsAt(places)));
  const storedOf = await readStored(candidates, fields, {
    reader,
    rules,
    product,
    concurrency: requestsAtOnce,
    effects: offlineEffects,
    lastRead: new AbortController().signal,
  });
  const found = await pLimit(requestsAtOnce).map(candidates, async (candidate) => {
    const stored = storedOf(candidate);
    if (stored.kind !== 'seen') return [];
    if (shows(stored.live, candidate.places, rules)) return [[candidate.change, 'landed'] as const];
    const wasThere = await hasShown(stored.live, candidate.change, catalog);
    return wasThere ? [[candidate.change, 'superseded'] as const] : [];
  });
  return new Map(found.flat());
}

function findCandidates(
  fresh: Plan,
  reviewed: readonly ReviewedChange[],
  earlier: ReadonlySet<ReviewedChange>,
) {
  const contracts = new Map<string, ContractPlan>();
  for (const contract of fresh.contracts)
    if (contract.action !== 'missing')
      for (const key of contractKeys(contract)) contracts.set(key, contract);
  return reviewed.flatMap((change) => {
    const contract = contracts.get(contractKeys(change)[0] ?? '');
    const { differences: places } = change;
    if (!contract || !places) return [];
    switch (contract.action) {
      case 'unchanged':
        return [{ change, id: contract.id, places }];
      case 'unmanaged':
        return contract.retired ? [{ change, id: contract.id, places }] : [];
      case 'update': {
        // A contract that is as it was reviewed has had no change since.
        const { id, liveUpdatedAt, liveVersion } = contract;
        const mayHaveLanded = earlier.has(change) && isLater(liveUpdatedAt, liveVersion, change);
        return mayHaveLanded ? [{ change, id, places }] : [];
      }
      default:
        return [];
    }
  });
}

function fieldsAt(places: readonly Difference[]): JsonObject {
  return Object.fromEntries(places.map(({ place }) => [parsePointer(place)?.[0] ?? '', null]));
}

function shows(listed: LiveContract, places: readonly Difference[], rules: Rules): boolean {
  const live = rules.conventions.fromWire(listed);
  return places.every((difference) => {
    const path = parsePointer(difference.place) ?? [];
    return path.includes('-')
      ? isAmong(live.document, path, difference)
      : isAt(live, path, difference, rules);
  });
}

// Compares like planning, but for `ignore`: its places may have been reviewed before.
function isAt(live: LiveContract, path: KeyPath, difference: Difference, rules: Rules): boolean {
  const { document } = live;
  const { after } = difference;
  const pointer = pointerOf(path, document);
  if (!('after' in difference) && !('before' in difference))
    return pointer !== undefined && isBehind(document, pointer, difference, rules.arrays);
  if (!pointer) return after === undefined;
  const at = { path: formatPointer(pointer) };
  const [field = ''] = path;
  const wanted = evaluate({ [field]: document[field] ?? null }, [
    after === undefined ? { op: 'remove', ...at } : { op: 'replace', ...at, value: after },
  ]);
  const managed = { [field]: valueAt(wanted, [field]) ?? null };
  const equivalence = { ...rules.equivalence, ignore: [] };
  const target = targetDocument(live, managed, equivalence, rules.arrays);
  return diffByPlace(document, target, rules.arrays).length === 0;
}

function isBehind(
  document: JsonObject,
  pointer: Pointer,
  { behind }: Difference,
  arrays: DiffOptions,
): boolean {
  const array = valueAt(document, pointer.slice(0, -1));
  const before = Number(pointer.at(-1)) - 1;
  if (!isArray(array) || before < 0) return behind === undefined;
  const name = pointer.findLast((token) => !/^\d+$/u.test(token)) ?? '';
  const names = [elementToken(array, before, name, arrays), canonicalJson(array[before] ?? null)];
  return behind !== undefined && names.includes(behind);
}

// Elements without a key share the place `-`: one of them must have the value.
function isAmong(state: JsonValue, path: KeyPath, { before, after }: Difference): boolean {
  const index = path.indexOf('-');
  const array = valueByKey(state, path.slice(0, index));
  const rest = path.slice(index + 1);
  const values = (isArray(array) ? array : []).map((element) => valueByKey(element, rest));
  const has = (value: JsonValue): boolean =>
    values.some((each) => each !== undefined && deepEqual(each, value));
  return after === undefined ? before === undefined || !has(before) : has(after);
}

function isAsBefore(listed: LiveContract, places: readonly Difference[], rules: Rules): boolean {
  return places.every(({ before, after, ...place }) => {
    const undone = { ...place, ...defined({ before: after, after: before }) };
    // A move doesn't say where its element was.
    const isMove = before === undefined && after === undefined;
    return shows(listed, [undone], rules) !== isMove;
  });
}

async function hasShown(
  live: LiveContract,
  change: ReviewedChange,
  { rules, reader }: LandingCatalog,
): Promise<boolean> {
  try {
    const { versions } = await reader.versions(live.id);
    return isInVersions(versions, live, change, rules);
  } catch (error) {
    // An unreadable history proves no landing.
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Whether live or a version since the review shows all that the change sets. */
export function isInVersions(
  versions: readonly JsonObject[],
  live: LiveContract,
  change: ReviewedChange,
  rules: Rules,
): boolean {
  const { differences: places = [] } = change;
  const { document } = live;
  const snapshots = readSnapshots(live, versions, rules.conventions).map(inTodaysShape);
  const fields = Object.keys(fieldsAt(places));
  const later = snapshots.flatMap((snapshot) => {
    const state = parseLiveContract(snapshot);
    const isKnown = unknownFields(fields, document, snapshots, snapshot).length === 0;
    return state && isKnown && isLater(state.updatedAt, state.version, change) ? [state] : [];
  });
  const last = [live, ...later].find(
    (state) =>
      shows(state, places, rules) || (change.isUndated && isAsBefore(state, places, rules)),
  );
  return last !== undefined && shows(last, places, rules);
}

// A creation had no state before, so any version is later.
function isLater(
  updatedAt: number | undefined,
  version: string | undefined,
  { id, liveUpdatedAt, liveVersion }: ReviewedChange,
): boolean {
  if (id === undefined) return true;
  if (updatedAt !== undefined && liveUpdatedAt !== undefined) return updatedAt > liveUpdatedAt;
  return Number(version) > Number(liveVersion);
}
