/** Reads what is downstream of assets: one request for each, and one for each reader's owners. */

import pLimit from 'p-limit';
import type { CatalogReader } from '../catalog/catalog.ts';
import { ApiError } from '../catalog/fault.ts';
import type { LiveContract } from '../contract/contract.ts';
import { idKey } from '../contract/identity.ts';
import { type DownstreamAsset, findReaders } from '../contract/lineage.ts';
import { writeSegments } from '../contract/names.ts';
import { defined } from '../core/json.ts';
import { findHits, type Hit, judgeDownstream } from '../plan/downstream.ts';
import type { ContractPlan, Downstream } from '../plan/plan.ts';
import type { Planning } from '../session.ts';
import type { FoundPairs } from './pairs.ts';

type Listed = Pick<FoundPairs, 'product' | 'listsAll'> & {
  readonly pairs: readonly { readonly live?: LiveContract | undefined }[];
};

export async function withDownstream(
  plans: readonly ContractPlan[],
  { product, pairs, rules, listsAll }: FoundPairs,
  { reader, downstream: isRead = true }: Pick<Planning, 'reader' | 'downstream'>,
): Promise<readonly ContractPlan[]> {
  // Without lineage, only a policy that has no effect is worth a word.
  const hits = findHits(plans, pairs, rules).filter(({ rules: { compatibility } }) => {
    if (compatibility.downstream === 'off') return false;
    return (isRead && product.parseLineage) || compatibility.downstream !== 'report';
  });
  const answers = isRead
    ? await readDownstream(hits, { product, pairs, listsAll }, reader)
    : hits.map((hit) => [hit, { unknown: "this run doesn't ask for lineage" }] as const);
  const judged = new Map(answers.map(([hit, each]) => [hit.plan.id, judgeDownstream(hit, each)]));
  return plans.map((plan) => ('target' in plan && judged.get(plan.id)) || plan);
}

/** In the order of the hits; never fails, but for a token that is refused. */
export async function readDownstream<One extends Pick<Hit, 'live' | 'columns'>>(
  hits: readonly One[],
  { product, pairs, listsAll }: Listed,
  reader: CatalogReader,
): Promise<readonly (readonly [One, Downstream])[]> {
  const { parseLineage } = product;
  if (!parseLineage)
    return hits.map((hit) => [hit, { unknown: 'this kind of catalog has no lineage' }]);
  const ask = askUntilSilence();
  const limit = pLimit(atOnce);
  const found = await limit.map(hits, async ({ live: { entity = {} }, columns }) => {
    const { id, type } = entity;
    if (id === undefined || type === undefined) return { unknown: 'the contract names no asset' };
    const answer = await ask(async () => reader.fetchLineage({ id, type }));
    if ('unknown' in answer) return answer;
    if (answer.value === undefined)
      return { unknown: `the catalog has no lineage of this ${type}` };
    const read = parseLineage(answer.value);
    if (!read) return { unknown: "the catalog's answer has another form" };
    const names = columns?.map((path) => `${read.asset.fullyQualifiedName}.${writeSegments(path)}`);
    return { readers: findReaders(read, names) };
  });
  const readers = found.flatMap((each) => ('readers' in each ? each.readers : []));
  const each = [...new Map(readers.map((reader) => [reader.id, reader])).values()];
  const owners = new Map(
    await limit.map(each, async (asset) => {
      const answer = await ask(async () => reader.fetchOwners(asset));
      return [asset.id, 'value' in answer ? answer.value : undefined] as const;
    }),
  );
  const assets = new Set(each.map(({ id }) => idKey(id)));
  const assetOf = ({ live }: (typeof pairs)[number]): string => idKey(live?.entity?.id ?? '');
  const ofReaders = pairs.filter((pair) => assets.has(assetOf(pair)));
  const contracts = new Map(ofReaders.map((pair) => [assetOf(pair), pair.live]));
  const describe = (reader: DownstreamAsset): DownstreamAsset => {
    const live = contracts.get(idKey(reader.id));
    const { fullyQualifiedName, entityStatus: status } = live ?? {};
    const contract = live && defined({ fullyQualifiedName, status });
    return { ...reader, ...defined({ owners: owners.get(reader.id), contract }) };
  };
  return hits.map((hit, index) => {
    const each = found[index] ?? { readers: [] };
    if ('unknown' in each) return [hit, each];
    const part = !listsAll && each.readers.length > 0 ? ({ contractsUnread: true } as const) : {};
    return [hit, { assets: each.readers.map(describe), ...part }];
  });
}

const atOnce = 8;

type Asked<Value> = { readonly value: Value } | { readonly unknown: string };

// A server that does not answer in time is not asked again.
function askUntilSilence() {
  let silence: string | undefined;
  return async <Value>(send: () => Promise<Value>): Promise<Asked<Value>> => {
    if (silence !== undefined) return { unknown: silence };
    try {
      return { value: await send() };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      if (error.transient && error.status === undefined) silence = error.message;
      return { unknown: error.message };
    }
  };
}
