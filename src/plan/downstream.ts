/** Finds changes that readers of an asset notice, and judges them by who reads it. */

import { compareContracts } from '../compatibility/compatibility.ts';
import { columnLosses, impactOf } from '../compatibility/rule.ts';
import type { LiveContract } from '../contract/contract.ts';
import { endsUse, ownStatus } from '../contract/conventions.ts';
import { namesInFiles } from '../contract/identity.ts';
import { hasErrors, type Problem } from '../core/diagnostic.ts';
import { deepEqual } from '../core/json.ts';
import { count, listFirst } from '../core/text.ts';
import { sidesOf } from './change.ts';
import { allowExceptions } from './judge.ts';
import type { Pair } from './pair.ts';
import {
  type ContractPlan,
  type Downstream,
  isBreaking,
  mayBeNoticed,
  type UpdatePlan,
} from './plan.ts';
import { type Rules, rulesFor } from './rules.ts';

export type Hit = {
  readonly plan: UpdatePlan;
  readonly live: LiveContract;
  readonly rules: Rules;
  /** Each with the columns around it; absent: the contract as a whole is concerned. */
  readonly columns?: readonly (readonly string[])[] | undefined;
};

/** Breaking changes, retirements, and columns that are removed, renamed or retyped. */
export function findHits(plans: readonly ContractPlan[], pairs: readonly Pair[], rules: Rules) {
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
  const { to } = plan.transition ?? {};
  const isEnd = typeof to === 'string' && endsUse(to, lifecycle);
  if (!isEnd && hits.length === 0) return [];
  const columns = hits.flatMap(({ column }) => (column ? [column] : []));
  const isWhole = isEnd || columns.length < hits.length;
  return [{ plan, live, rules, columns: isWhole ? undefined : columns }];
}

export function judgeDownstream({ plan, live, rules }: Hit, downstream: Downstream): UpdatePlan {
  const { compatibility, lifecycle, exceptionsFor } = rules;
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
  const agreed = allowExceptions(strict, namesInFiles(live, rules.names), exceptionsFor);
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
  // Where the contract's level blocks the change, the plan has its ended exceptions already.
  const ended = agreed.filter(
    (each) =>
      !strict.includes(each) &&
      each.allowed === undefined &&
      !plan.problems.some(({ source }) => deepEqual(source ?? null, each.source ?? null)),
  );
  const added = [problem, ...ended.map((each) => ({ ...each, severity }))];
  return { ...plan, action, downstream, problems: [...plan.problems, ...added] };
}
