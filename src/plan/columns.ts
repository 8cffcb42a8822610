import type { DesiredContract, FoundEntity, LiveContract } from '../contract/contract.ts';
import type { AssetAnswer } from '../contract/prospect.ts';
import { hasErrors, type Problem } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject } from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { ContractPlan, UpdatePlan } from './plan.ts';

/** A planned change that brings columns into a contract: its asset has to have them. */
type ColumnClaim = {
  readonly asset: { readonly id: string; readonly type: string };
  /** The file that asks for them, with the places of its columns. */
  readonly desired: Pick<DesiredContract, 'managed' | 'locate'>;
};

/** The planned changes that bring columns into contracts. */
export type ColumnClaims = {
  /** Takes a plan; most bring in none. */
  readonly note: (plan: ContractPlan, desired: DesiredContract, live: LiveContract) => void;
  /** The assets that have to have the columns. */
  readonly assets: (plans: readonly ContractPlan[]) => ColumnClaim['asset'][];
  /** The plans, blocked where the asset lacks a column; what the catalog says of assets is by id. */
  readonly judge: (
    plans: readonly ContractPlan[],
    answers: ReadonlyMap<string, AssetAnswer>,
  ) => ContractPlan[];
};

export function createColumnClaims(): ColumnClaims {
  const claims = new Map<ContractPlan, ColumnClaim>();
  return {
    note: (plan, desired, live) => {
      const { id, type } = live.entity ?? {};
      if (!isChange(plan) || id === undefined || type === undefined) return;
      if (bringsColumn(plan, live)) claims.set(plan, { asset: { id, type }, desired });
    },
    assets: (plans) => plans.flatMap((plan) => claims.get(plan)?.asset ?? []),
    judge: (plans, answers) =>
      plans.map((plan) => {
        const claim = claims.get(plan);
        const answer = claim && answers.get(claim.asset.id);
        if (!answer || !isChange(plan)) return plan;
        const problems = judgeClaim(plan, claim, answer);
        const action = hasErrors(problems) ? 'blocked' : plan.action;
        return { ...plan, action, problems: [...plan.problems, ...problems] };
      }),
  };
}

/** One that is blocked too: all that is wrong with a file is told at once. */
function isChange(plan: ContractPlan): plan is UpdatePlan {
  return plan.action === 'update' || plan.action === 'blocked';
}

function bringsColumn({ target }: UpdatePlan, live: LiveContract): boolean {
  const known = new Set(columnsIn(live.document).map(([name]) => name));
  return columnsIn(target).some(([name]) => !known.has(name));
}

function judgeClaim(
  { target }: UpdatePlan,
  { asset, desired }: ColumnClaim,
  answer: AssetAnswer,
): Problem[] {
  return answer.kind === 'found'
    ? unknownColumns(desired, answer.asset, target)
    : [unreadable(asset.type, answer.why, desired)];
}

/** A contract may have no column that its asset lacks; case matters. */
export function unknownColumns(
  { managed, locate }: ColumnClaim['desired'],
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

/** The names of the columns at the top, each with its index. */
function columnsIn({ schema }: JsonObject): (readonly [name: string, index: string])[] {
  if (!isArray(schema)) return [];
  return schema.flatMap((column, index) => {
    const name = isObject(column) ? column['name'] : undefined;
    return typeof name === 'string' ? [[name, String(index)] as const] : [];
  });
}

/** The catalog checks the columns itself: the change is no worse off than it was. */
function unreadable(type: string, why: string, { locate }: ColumnClaim['desired']): Problem {
  return {
    code: 'columns-unchecked',
    severity: 'warning',
    message: `Can't check whether the ${type} has these columns: ${why}`,
    hint: 'The catalog refuses the change if one is missing.',
    source: locate(['schema']),
  };
}
