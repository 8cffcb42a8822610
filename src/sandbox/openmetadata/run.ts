import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { ErrorAnswer } from '../http.ts';
import { isList, isRecord, toList, toText } from '../json.ts';
import { checkAsset, checkColumns, compareSchema } from './checks.ts';
import type { KeptContract } from './contract.ts';
import { findViolations, isCreate } from './create.ts';
import { type Caller, requirePermission } from './people.ts';
import { findSessionBase } from './revise.ts';
import { storeRevision } from './store.ts';
import { type Entity, putRow, requireContract, requireEntity, type World } from './world.ts';

/** POST /{id}/validate, which stores its result. */
export function runContract(world: World, caller: Caller, id: string): JsonObject {
  const row = requireContract(world, id);
  const { current } = row;
  requirePermission(world, caller, ['EditAll'], current);
  const result = validate(world, current);
  // The last author and time: so the run changes neither, and is always in a session.
  const author = { name: current.updatedBy, now: current.updatedAt };
  const latestResult = {
    timestamp: result['timestamp'] ?? null,
    status: result['contractExecutionStatus'] ?? null,
    resultId: result['id'] ?? null,
  };
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

function validate(world: World, contract: KeptContract): JsonObject {
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
  const { rest, owners, ...members } = asset;
  const document = { ...members, ...rest, owners };
  const failedRules = rules
    .filter(({ enabled, rule }) => enabled !== false && !holds(toText(rule), document))
    .map(({ name, description }) => ({
      ruleName: name ?? null,
      ...(description !== undefined && { reason: description }),
    }));
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

// `rule` is JSON Logic; one that can't be parsed does not hold.
function holds(rule: string, asset: JsonValue): boolean {
  try {
    return isTruthy(evaluateLogic(JSON.parse(rule), asset));
  } catch {
    return false;
  }
}

type Operator = (values: readonly JsonValue[]) => JsonValue;

const asNumber = (value: JsonValue | undefined): number => Number(value ?? Number.NaN);

function ordered(inOrder: (a: number, b: number) => boolean): Operator {
  return (values) =>
    values.slice(1).every((value, index) => inOrder(asNumber(values[index]), asNumber(value)));
}

const operators: { readonly [name: string]: Operator } = {
  '>': ordered((a, b) => a > b),
  '<': ordered((a, b) => a < b),
  '!': ([value = null]) => !isTruthy(value),
  '!!': ([value = null]) => isTruthy(value),
};

function evaluateLogic(logic: JsonValue, asset: JsonValue): JsonValue {
  if (isList(logic)) return logic.map((element) => evaluateLogic(element, asset));
  if (!isRecord(logic)) return logic;
  const [entry] = Object.entries(logic);
  if (!entry) return logic;
  const [name, given] = entry;
  const values = (isList(given) ? given : [given]).map((value) => evaluateLogic(value, asset));
  if (name === 'var') return findVariable(asset, values);
  const operator = operators[name];
  if (!operator) throw new Error(`Undefined operation '${name}'`);
  return operator(values);
}

function findVariable(
  asset: JsonValue,
  [path = '', fallback = null]: readonly JsonValue[],
): JsonValue {
  let found: JsonValue | undefined = asset;
  for (const step of toText(path).split('.').filter(Boolean)) {
    if (isList(found)) found = found[Number(step)];
    else found = isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found ?? fallback;
}

// An empty list is false in JSON Logic.
function isTruthy(value: JsonValue): boolean {
  return isList(value) ? value.length > 0 : Boolean(value);
}
