import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { checkAsset, checkColumns, compareSchema } from './columns.ts';
import type { KeptContract, Version } from './contract.ts';
import { findViolations, isCreate } from './create-request.ts';
import { ErrorAnswer } from './error-answer.ts';
import { toList, toText } from './java-json.ts';
import { holds } from './json-logic.ts';
import { type Caller, requirePermission } from './permissions.ts';
import { findSessionBase } from './revise.ts';
import {
  type Entity,
  putRow,
  requireContract,
  requireEntity,
  type World,
  storeRevision,
} from './world.ts';

/** POST /{id}/validate: runs a contract against its asset, and writes what came of it. */
export function runContract(world: World, caller: Caller, id: string): JsonObject {
  const row = requireContract(world, id);
  const { current } = row;
  requirePermission(world, caller, ['EditAll'], current);
  const result = validate(world, current);
  // By its last author and at its last time: so the run moves neither, and is in a session always.
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
    history: history.map((earlier) => (earlier === base ? withoutNobody(earlier) : earlier)),
    results: [result, ...results],
  });
  return result;
}

/** The run writes the version before again, and has not looked for owners. */
function withoutNobody(version: Version): Version {
  return version.owners?.length === 0 ? { ...version, owners: null } : version;
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

type RuleResults = JsonObject & { readonly failed: number };

function runRules(semantics: JsonValue | undefined, asset: Entity): RuleResults | undefined {
  const rules = toList(semantics).filter(isObject);
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

/** POST /validate: what creating a contract would say; an asset that has one does not matter. */
export function validateCreate(world: World, request: JsonObject): JsonObject {
  const entityErrors = findViolations(request);
  if (!isCreate(request)) return { valid: false, entityErrors };
  const constraintErrors = messagesOf(() => {
    checkAsset(world, request);
    checkColumns(world, request);
  });
  return {
    valid: entityErrors.length + constraintErrors.length === 0,
    schemaValidation: compareSchema(world, request),
    ...(entityErrors.length > 0 && { entityErrors }),
    ...(constraintErrors.length > 0 && { constraintErrors }),
  };
}

function messagesOf(check: () => void): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ErrorAnswer) return [error.message];
    throw error;
  }
}
