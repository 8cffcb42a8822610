import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { isRecord, toText } from '../json.ts';
import { checkAsset, checkColumns, checkExpectations } from './checks.ts';
import { type KeptContract, keptDocument } from './contract.ts';
import { unhandled } from './error-answer.ts';
import { evaluateOperations, parseOperations, withoutLinks } from './java-patch.ts';
import {
  type Caller,
  checkOwners,
  checkReviewers,
  operationsOf,
  requirePermission,
  resolveOwners,
  resolvePeople,
} from './people.ts';
import { checkProperties } from './properties.ts';
import {
  checkName,
  checkStage,
  checkStatus,
  holdEdit,
  tagOf,
  weakTag,
  withRuleIds,
} from './release.ts';
import { bindObject, ShapeError } from './shape.ts';
import { contractShape, statuses } from './shapes.ts';
import { type Revised, storeRevision } from './revise.ts';
import { requireContract, withPeople, type World } from './world.ts';

export function patchContract(
  world: World,
  request: { id: string; caller: Caller; text: string; ifMatch: string | undefined },
): Revised {
  const { id, caller, text, ifMatch } = request;
  const operations = parseOperations(text);
  requirePermission(world, caller, operationsOf(operations), world.contracts.get(id)?.current);
  const row = requireContract(world, id);
  const present = withPeople(world, row.current);
  if (ifMatch) checkTag(world, row.current, ifMatch);
  const document = evaluateOperations(keptDocument(present), withoutLinks(operations));
  const patched = convert(world, document);
  const next = withRuleIds(world, putBack(world, row.current, patched));
  checkName(world, next);
  const owners = resolveOwners(world, patched['owners']);
  checkOwners(world, owners);
  checkAsset(world, next);
  checkColumns(world, next);
  checkExpectations(next);
  const reviewers = resolvePeople(world, patched['reviewers']);
  const resolved = { ...next, owners, reviewers };
  if (resolved.deleted) throw badRequest("dataContract attribute deleted can't be modified");
  checkStage(world, row.current, resolved);
  holdEdit(world, row.current, caller);
  const author = { name: caller.name, now: world.now(), agent: caller.agent };
  const tagged = world.release === '1.12' ? 'guarded patch' : 'tagged patch';
  const check = (): void => {
    checkProperties(world, row.current, resolved);
    checkReviewers(reviewers);
  };
  return storeRevision(world, row, resolved, { author, means: ifMatch ? tagged : 'patch', check });
}

function checkTag(world: World, current: KeptContract, ifMatch: string): void {
  const strong = tagOf(world, current);
  const matching = new Set(['*', `"${strong}"`, weakTag(current)]);
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace('--gzip"', '"'));
  if (tags.some((tag) => matching.has(tag))) return;
  throw new ErrorAnswer(
    412,
    `The entity has been modified. Current ETag: "${strong}". Please refresh and retry with the latest version.`,
  );
}

// Must fit the class; required members are not checked here.
function convert(world: World, document: JsonValue): JsonObject {
  const failed = 'Failed to convert JsonValue to';
  try {
    const bound = bindObject(contractShape, document);
    checkStatus(world, bound, unhandled(`${failed} target class`));
    return bound;
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    if (world.release === '1.12') throw unhandled(`${failed} target class`);
    const words = error.message.includes('EntityStatus') ? `, not ${statuses.join(', ')}` : '';
    throw unhandled(`${failed} DataContract: ${error.message}${words}`);
  }
}

// Members that a patch cannot change: they are silently restored; from 1.13.6 on `entity` too.
const kept = 'href changeDescription incrementalChangeDescription latestResult testSuite'.split(
  ' ',
);

function putBack({ release }: World, current: KeptContract, patched: JsonObject): KeptContract {
  // An extension without properties is none.
  const changed = Object.entries(patched).filter(([member, value]) =>
    member === 'extension' && isRecord(value)
      ? Object.keys(value).length > 0
      : !kept.includes(member),
  );
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
    entity: release === '1.12' ? requireAsset(entity) : current.entity,
    owners: current.owners,
    reviewers: current.reviewers,
    deleted: deleted === true,
  };
}

function requireAsset(entity: JsonValue | undefined): KeptContract['entity'] {
  const { id, type } = isRecord(entity) ? entity : {};
  if (isRecord(entity) && typeof id === 'string' && typeof type === 'string')
    return { ...entity, id, type };
  throw unhandled('Cannot invoke "EntityReference.getType()" because "entity" is null');
}
