import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { ErrorAnswer } from '../http.ts';
import { isRecord, toList, toText } from '../json.ts';
import { checkAsset, checkColumns, compareSchema } from './checks.ts';
import type { KeptContract } from './contract.ts';
import { findViolations, isCreate } from './create.ts';
import { type Caller, requirePermission } from './people.ts';
import { findSessionBase, storeRevision } from './revise.ts';
import { type Entity, putRow, requireContract, requireEntity, type World } from './world.ts';

export function runContract(world: World, caller: Caller, id: string): JsonObject {
  const row = requireContract(world, id);
  const { current } = row;
  requirePermission(world, caller, ['EditAll'], current);
  const result = validate(world, current);
  // The last author and time: so the run changes neither, and is always in a session.
  const author = { name: current.updatedBy, now: current.updatedAt };
  const { id: resultId, timestamp, contractExecutionStatus: status } = result;
  const latestResult = { timestamp, status, resultId };
  const base = findSessionBase(row, author);
  storeRevision(world, row, { ...current, latestResult }, { author, means: 'patch' });
  const { history, results, ...revised } = requireContract(world, id);
  putRow(world, {
    ...revised,
    // The run writes the version before again, without having read its owners.
    history: history.map((earlier) =>
      earlier === base && earlier.owners?.length === 0 ? { ...earlier, owners: null } : earlier,
    ),
    results: [result, ...results],
  });
  return result;
}

function validate(world: World, contract: KeptContract) {
  const asset = requireEntity(world, contract.entity.type, contract.entity.id);
  const hasSchema = toList(contract['schema']).length > 0;
  const schemaValidation = hasSchema ? compareSchema(world, contract) : undefined;
  const semanticsValidation = runRules(contract['semantics'], asset);
  const failed = (schemaValidation?.failed ?? 0) + (semanticsValidation?.failed ?? 0);
  return {
    id: randomUUID(),
    dataContractFQN: contract.fullyQualifiedName,
    timestamp: world.now(),
    contractExecutionStatus: failed > 0 ? 'Failed' : 'Success',
    ...(schemaValidation && { schemaValidation }),
    ...(semanticsValidation && { semanticsValidation }),
  };
}

function runRules(semantics: JsonValue | undefined, asset: Entity) {
  const rules = toList(semantics).filter(isRecord);
  if (rules.length === 0) return undefined;
  const failedRules = rules
    .filter(({ enabled, rule }) => enabled !== false && !holds(toText(rule), asset.rest))
    .map(({ name: ruleName = null, description: reason }) =>
      reason === undefined ? { ruleName } : { ruleName, reason },
    );
  const failed = failedRules.length;
  return { passed: rules.length - failed, failed, total: rules.length, failedRules };
}

/** POST /validate: the errors of creating a contract, but for an asset that has one already. */
export function validateCreate(world: World, request: JsonObject): JsonObject {
  const entityErrors = findViolations(request);
  if (!isCreate(request)) return { valid: false, entityErrors };
  const constraintErrors: string[] = [];
  try {
    checkAsset(world, request);
    checkColumns(world, request);
  } catch (error) {
    if (!(error instanceof ErrorAnswer)) throw error;
    constraintErrors.push(error.message);
  }
  return {
    valid: entityErrors.length + constraintErrors.length === 0,
    schemaValidation: compareSchema(world, request),
    ...(entityErrors.length > 0 && { entityErrors }),
    ...(constraintErrors.length > 0 && { constraintErrors }),
  };
}

// `rule` is JSON Logic, of which the sandbox knows `>` and `var`: others never hold.
function holds(rule: string, asset: JsonObject): boolean {
  try {
    const logic: JsonValue = JSON.parse(rule);
    const [left = Number.NaN, right = Number.NaN] = toList(isRecord(logic) ? logic['>'] : null)
      .map((value) => (isRecord(value) ? asset[toText(value['var'])] : value))
      .map((value) => Number(value ?? Number.NaN));
    return left > right;
  } catch {
    return false;
  }
}
