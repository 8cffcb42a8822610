/** Readers of the assets of changes, and the changes that they forbid. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import { compareContracts } from '../compatibility/compatibility.ts';
import { columnLosses, impactOf } from '../compatibility/rule.ts';
import type { AssetId, LiveContract } from '../contract/contract.ts';
import { ownStatus } from '../contract/conventions.ts';
import { idKey } from '../contract/identity.ts';
import { type DownstreamAsset, findReaders } from '../contract/lineage.ts';
import { writeSegments } from '../contract/names.ts';
import { hasErrors, type Problem } from '../core/diagnostic.ts';
import { askOnce } from '../core/effects.ts';
import { deepEqual, defined } from '../core/json.ts';
import { count, listFirst } from '../core/text.ts';
import { sidesOf } from '../plan/seal.ts';
import { allowExceptions } from '../plan/judge.ts';
import type { Pair } from '../plan/pair.ts';
import {
  type ContractPlan,
  type Downstream,
  isBreaking,
  isRetirement,
  mayBeNoticed,
  type UpdatePlan,
} from '../plan/plan.ts';
import { type Rules, rulesFor } from '../plan/rules.ts';
import type { Planning } from '../session.ts';
import type { FoundPairs } from './pairs.ts';

/** A contract whose readers are asked for. */
type Subject = {
  readonly live: LiveContract;
  /** Each with the columns around it; absent: the contract as a whole is concerned. */
  readonly columns?: readonly (readonly string[])[] | undefined;
};

type Hit = Subject & { readonly plan: UpdatePlan; readonly rules: Rules };

type Listed = {
  readonly pairs: readonly { readonly live?: LiveContract | undefined }[];
  readonly listsAll: boolean;
};

type LineageRun = Pick<Planning, 'product' | 'reader' | 'downstream'>;

export type LineageAccess = (subject: Subject) => Promise<Downstream>;

export async function withDownstream(
  plans: readonly ContractPlan[],
  { pairs, rules }: FoundPairs,
  { product, downstream: isRead = true }: Planning,
  lineage: LineageAccess,
): Promise<readonly ContractPlan[]> {
  // Without lineage, only a policy that has no effect is worth a word.
  const hits = findHits(plans, pairs, rules).filter(({ rules: { compatibility } }) => {
    if (compatibility.downstream === 'off') return false;
    return (isRead && product.parseLineage) || compatibility.downstream !== 'report';
  });
  const judged = await Promise.all(
    hits.map(async (hit) => [hit.plan.id, judgeDownstream(hit, await lineage(hit))] as const),
  );
  const known = new Map(judged);
  return plans.map((plan) => ('target' in plan && known.get(plan.id)) || plan);
}

/** Breaking changes, retirements, and columns that are removed, renamed or retyped. */
function findHits(plans: readonly ContractPlan[], pairs: readonly Pair[], rules: Rules) {
  const noticed = new Map(plans.filter(mayBeNoticed).map((plan) => [plan.id, plan]));
  return pairs.flatMap((pair) => {
    const plan = pair.live && noticed.get(pair.live.id);
    return plan ? hitOf(plan, pair.live, rulesFor(pair, rules)) : [];
  });
}

function hitOf(plan: UpdatePlan, live: LiveContract, rules: Rules): Hit[] {
  const { compatibility, lifecycle } = rules;
  const sides = sidesOf(plan);
  const isJudged = isBreaking(plan);
  const hits = compareContracts(sides.live, sides.target, compatibility.widenings).filter(
    ({ rule }) =>
      columnLosses.has(rule) || (isJudged && impactOf(rule, compatibility.mode) === 'breaking'),
  );
  const isEnd = isRetirement(plan, lifecycle);
  if (!isEnd && hits.length === 0) return [];
  const columns = hits.flatMap(({ column }) => (column ? [column] : []));
  const isWhole = isEnd || columns.length < hits.length;
  return [{ plan, live, rules, columns: isWhole ? undefined : columns }];
}

function judgeDownstream({ plan, live, rules }: Hit, downstream: Downstream): UpdatePlan {
  const { compatibility, lifecycle } = rules;
  const { downstream: rule } = compatibility;
  const breaking = plan.problems.filter(({ impact }) => impact === 'breaking');
  if (rule === 'report' || breaking.length === 0) return { ...plan, downstream };
  if ('unknown' in downstream) {
    const unknown = `${downstream.unknown.replace(/\.$/u, '')}; so \`compatibility.downstream: ${rule}\` does nothing here`;
    return { ...plan, downstream: { unknown } };
  }
  const active = ownStatus('Active', lifecycle.synonyms);
  const promised = downstream.assets.filter(({ contract }) => contract?.status === active);
  if (promised.length === 0) return { ...plan, downstream };
  const strict = breaking.map((problem): Problem => ({ ...problem, severity: 'error' }));
  const agreed = allowExceptions(strict, live, rules);
  if (!hasErrors(agreed)) {
    // With the reason of what lifts the policy, also where the change alone needs no exception.
    const problems = plan.problems.map((problem) => {
      const allowed = agreed[breaking.indexOf(problem)];
      return allowed ? { ...allowed, severity: problem.severity } : problem;
    });
    return { ...plan, downstream, problems };
  }
  const names = promised.map(({ name }) => name);
  const severity: Problem['severity'] = rule === 'block' ? 'error' : 'warning';
  const problem: Problem = {
    code: 'downstream-promised',
    severity,
    message: `${count(promised.length, 'downstream asset has a contract', 'downstream assets have contracts')} in the status ${active}: ${listFirst(names, 5)}.`,
    hint: 'Agree the breaking change with their owners, and name it in `allow`.',
    source: breaking[0]?.source ?? plan.source,
  };
  const action = rule === 'block' ? 'blocked' : plan.action;
  // A level that blocks the change has put its ended exceptions into the plan.
  const ended = agreed.filter(
    (each) =>
      !strict.includes(each) &&
      each.allowed === undefined &&
      !plan.problems.some(({ source }) => deepEqual(source ?? null, each.source ?? null)),
  );
  const added = [problem, ...ended.map((each) => ({ ...each, severity }))];
  return { ...plan, action, downstream, problems: [...plan.problems, ...added] };
}

const idOf = ({ id }: AssetId): string => id;

/** Asks for each asset once; never fails, but for a token that is refused. */
export function openLineage({ pairs, listsAll }: Listed, run: LineageRun): LineageAccess {
  const { product, reader, downstream: isRead = true } = run;
  const { parseLineage } = product;
  if (!isRead) return async () => ({ unknown: "this run doesn't ask for lineage" });
  if (!parseLineage) return async () => ({ unknown: 'this kind of catalog has no lineage' });
  const ask = askUntilSilence();
  const lineageOf = askOnce(async ({ id, type }: AssetId) => {
    const answer = await ask(async () => reader.fetchLineage({ id, type }));
    if ('unknown' in answer) return answer;
    if (answer.value === undefined)
      return { unknown: `the catalog has no lineage of this ${type}` };
    return parseLineage(answer.value) ?? { unknown: "the catalog's answer has another form" };
  }, idOf);
  const ownersOf = askOnce(async (asset: AssetId) => {
    const answer = await ask(async () => reader.fetchOwners(asset));
    return 'value' in answer ? answer.value : undefined;
  }, idOf);
  const contracts = new Map(pairs.map(({ live }) => [idKey(live?.entity?.id ?? ''), live]));
  const describe = async (asset: DownstreamAsset): Promise<DownstreamAsset> => {
    const live = contracts.get(idKey(asset.id));
    const { fullyQualifiedName, entityStatus: status } = live ?? {};
    const contract = live && defined({ fullyQualifiedName, status });
    return { ...asset, ...defined({ owners: await ownersOf(asset), contract }) };
  };
  return async ({ live: { entity = {} }, columns }) => {
    const { id, type } = entity;
    if (id === undefined || type === undefined) return { unknown: 'the contract names no asset' };
    const lineage = await lineageOf({ id, type });
    if ('unknown' in lineage) return lineage;
    const { fullyQualifiedName } = lineage.asset;
    const names = columns?.map((path) => `${fullyQualifiedName}.${writeSegments(path)}`);
    const assets = await Promise.all(findReaders(lineage, names).map(describe));
    return { assets, ...(!listsAll && assets.length > 0 && { contractsUnread: true }) };
  };
}

const atOnce = 8;

type Answer<Value> = { readonly value: Value } | { readonly unknown: string };

// A server that does not answer in time is not asked again.
function askUntilSilence() {
  const limit = pLimit(atOnce);
  let silence: string | undefined;
  return async <Value>(send: () => Promise<Value>): Promise<Answer<Value>> =>
    limit(async () => {
      if (silence !== undefined) return { unknown: silence };
      try {
        return { value: await send() };
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 401) throw error;
        if (error.transient && error.status === undefined) silence = error.message;
        return { unknown: error.message };
      }
    });
}
