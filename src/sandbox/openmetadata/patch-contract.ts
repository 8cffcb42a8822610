import type { JsonObject, JsonValue } from '../../core/json.ts';
import { ErrorAnswer } from '../http.ts';
import { isRecord, toText } from '../json.ts';
import { checkAsset, checkColumns, checkExpectations } from './checks.ts';
import { type KeptContract, keptDocument, strongTag, versionText } from './contract.ts';
import { badRequest, unhandled } from './error-answer.ts';
import { evaluateOperations, parseOperations, withoutLinks } from './java-patch.ts';
import {
  type Caller,
  checkOwners,
  operationsOf,
  requirePermission,
  resolveOwners,
  resolveReviewers,
} from './people.ts';
import { checkProperties } from './properties.ts';
import { bindObject, ShapeError } from './shape.ts';
import { contractShape } from './shapes.ts';
import { type Revised, storeRevision } from './store.ts';
import { requireContract, withPeople, type World } from './world.ts';

export type PatchRequest = {
  readonly id: string;
  readonly caller: Caller;
  readonly text: string;
  readonly ifMatch: string | undefined;
};

/** PATCH /dataContracts/{id}, in the server's order of steps. */
export function patchContract(world: World, request: PatchRequest): Revised {
  const { id, caller, text, ifMatch } = request;
  const operations = parseOperations(text);
  requirePermission(world, caller, operationsOf(operations), world.contracts.get(id)?.current);
  const row = requireContract(world, id);
  const present = withPeople(world, row.current);
  if (ifMatch) checkTag(row.current, ifMatch);
  const document = evaluateOperations(keptDocument(present), withoutLinks(operations));
  const patched = convert(document);
  const next = putBack(row.current, patched);
  const owners = resolveOwners(world, patched['owners']);
  checkOwners(world, owners);
  checkAsset(world, next);
  checkColumns(world, next);
  checkExpectations(next);
  const resolved = {
    ...next,
    owners,
    reviewers: resolveReviewers(world, patched['reviewers']),
  };
  if (resolved.deleted) throw badRequest("dataContract attribute deleted can't be modified");
  checkProperties(world, row.current, resolved);
  const author = { name: caller.name, now: world.now() };
  return storeRevision(world, row, resolved, {
    author,
    means: ifMatch ? 'guarded patch' : 'patch',
  });
}

function checkTag(current: KeptContract, ifMatch: string): void {
  const strong = strongTag(current);
  const weak = `W/"${versionText(current.version)}"`;
  const matching = new Set(['*', `"${strong}"`, `"${strong}--gzip"`, weak]);
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.some((tag) => matching.has(tag))) return;
  throw new ErrorAnswer(
    412,
    `The entity has been modified. Current ETag: "${strong}". Please refresh and retry with the latest version.`,
  );
}

// Must fit the class; required members are not checked here.
function convert(document: JsonValue): JsonObject {
  try {
    return bindObject(contractShape, document);
  } catch (error) {
    if (error instanceof ShapeError) throw unhandled('Failed to convert JsonValue to target class');
    throw error;
  }
}

// Members that a patch cannot change: they are silently restored. `entity` is not among them.
const kept = 'href changeDescription incrementalChangeDescription latestResult testSuite'.split(
  ' ',
);

function putBack(current: KeptContract, patched: JsonObject): KeptContract {
  const changed = Object.entries(patched).filter(([member, value]) => isChange(member, value));
  const stayed = kept.flatMap((member) => {
    const value = current[member];
    return value === undefined ? [] : [[member, value] as const];
  });
  const { entityStatus = 'Unprocessed', entity, deleted } = patched;
  return {
    ...Object.fromEntries([...changed, ...stayed]),
    id: current.id,
    name: current.name,
    fullyQualifiedName: current.fullyQualifiedName,
    version: current.version,
    updatedAt: current.updatedAt,
    updatedBy: current.updatedBy,
    createdAt: current.createdAt,
    createdBy: current.createdBy,
    entityStatus: toText(entityStatus),
    entity: requireAsset(entity),
    owners: current.owners,
    reviewers: current.reviewers,
    deleted: deleted === true,
  };
}

// An extension without properties is none.
function isChange(member: string, value: JsonValue): boolean {
  if (member === 'extension') return !isRecord(value) || Object.keys(value).length > 0;
  return !kept.includes(member);
}

function requireAsset(entity: JsonValue | undefined): KeptContract['entity'] {
  const { id, type } = isRecord(entity) ? entity : {};
  if (isRecord(entity) && typeof id === 'string' && typeof type === 'string') {
    return { ...entity, id, type };
  }
  throw unhandled('Cannot invoke "EntityReference.getType()" because "entity" is null');
}
