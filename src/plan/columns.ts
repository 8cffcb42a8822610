/** A contract may have no column that its asset lacks: whether one that a file adds is there. */

import type { DesiredContract, FoundEntity } from '../contract/contract.ts';
import type { AssetAnswer } from '../contract/reference.ts';
import { hasErrors, type Problem } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject } from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { FiledPair, Pair } from './pair.ts';
import type { UnchangedPlan, UpdatePlan } from './plan.ts';

export type AssetId = { readonly id: string; readonly type: string };

/** The asset that has to have what the file brings into its contract; most files bring in none. */
export function assetOfNewColumns({ live, desired }: Pair): AssetId[] {
  const { id, type } = live?.entity ?? {};
  if (!live || !desired || id === undefined || type === undefined) return [];
  return hasNewColumn(desired.managed, live.document) ? [{ id, type }] : [];
}

function hasNewColumn(fields: JsonObject, document: JsonObject): boolean {
  const known = new Set(columnsIn(document).map(([name]) => name));
  return columnsIn(fields).some(([name]) => !known.has(name));
}

/** The plan, blocked where the asset lacks a column; a blocked one says that too. */
export function judgeColumns(
  plan: UpdatePlan | UnchangedPlan,
  { live, desired }: FiledPair,
  assets: ReadonlyMap<string, AssetAnswer>,
): UpdatePlan | UnchangedPlan {
  const { id = '', type = '' } = live.entity ?? {};
  const answer = assets.get(id);
  if (!answer || plan.action === 'unchanged' || !hasNewColumn(plan.target, live.document))
    return plan;
  const problems =
    answer.kind === 'found'
      ? unknownColumns(desired, answer.asset, plan.target)
      : [unreadable(type, answer.why, desired)];
  const action = hasErrors(problems) ? 'blocked' : plan.action;
  return { ...plan, action, problems: [...plan.problems, ...problems] };
}

/** Case matters. */
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

/** The names of the columns at the top, each with its index. */
function columnsIn({ schema }: JsonObject): (readonly [name: string, index: string])[] {
  if (!isArray(schema)) return [];
  return schema.flatMap((column, index) => {
    const name = isObject(column) ? column['name'] : undefined;
    return typeof name === 'string' ? [[name, String(index)] as const] : [];
  });
}

/** The catalog checks the columns itself: the change is no worse off than it was. */
function unreadable(type: string, why: string, { locate }: DesiredContract): Problem {
  return {
    code: 'columns-unchecked',
    severity: 'warning',
    message: `Can't check whether the ${type} has these columns: ${why}`,
    hint: 'The catalog refuses the change if one is missing.',
    source: locate(['schema']),
  };
}
