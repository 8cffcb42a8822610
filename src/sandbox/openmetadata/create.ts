import { randomUUID } from 'node:crypto';
import { isEmpty, type JsonObject, type JsonValue } from '../../core/json.ts';
import { checkAsset, checkColumns, checkExpectations } from './columns.ts';
import { type KeptContract, reread } from './contract.ts';
import type { Create } from './create-request.ts';
import { checkProperties } from './custom-properties.ts';
import { badRequest, ErrorAnswer, unhandled } from './error-answer.ts';
import { toText } from './java-json.ts';
import { type Caller, requirePermission } from './permissions.ts';
import { resolveOwners, resolveReviewers } from './references.ts';
import type { Author, Row } from './revise.ts';
import {
  findContractByName,
  findContractOf,
  putRow,
  type World,
  type Revised,
  storeRevision,
} from './world.ts';

/** POST: the first version of a contract. */
export function createContract(world: World, caller: Caller, create: Create): KeptContract {
  requirePermission(world, caller, ['Create']);
  const asset = checkAsset(world, create);
  if (findContractOf(world, asset)) {
    throw badRequest(
      `A data contract already exists for entity '${asset.type}' with ID ${asset.id}`,
    );
  }
  const author = { name: caller.name, now: world.now() };
  const contract = makeContract(world, create, { id: randomUUID(), author });
  checkProperties(world, {}, contract);
  // The server takes qualified names apart at their quotes, and fails at this one.
  if (contract.name.includes('"')) throw unhandled('null');
  if (findContractByName(world, contract.fullyQualifiedName)) {
    throw new ErrorAnswer(409, 'Entity already exists');
  }
  putRow(world, { current: reread(contract), history: [], results: [] });
  return contract;
}

type Created = { readonly change: 'entityCreated'; readonly answer: KeptContract };

/** PUT: creates, or replaces what is there, a deleted contract too. */
export function putContract(world: World, caller: Caller, create: Create): Revised | Created {
  const row = findContractByName(world, qualifiedName(world, create));
  if (!row) return { change: 'entityCreated', answer: createContract(world, caller, create) };
  requirePermission(world, caller, ['EditAll'], row.current);
  const author = { name: caller.name, now: world.now() };
  const made = makeContract(world, create, { id: row.current.id, author });
  const next = { ...made, ...keptByPut(row, create, caller.isBot) };
  checkProperties(world, row.current, next);
  return storeRevision(world, row, next, { author, means: 'put' });
}

/** What a PUT does not replace: a bot's least of all. */
function keptByPut({ current }: Row, create: Create, isBot: boolean): JsonObject {
  const keeps = (field: string): boolean => {
    if (field === 'owners') return isEmpty(create['owners']);
    if (field === 'description') return isBot && current['description'] !== undefined;
    if (field === 'extension') return isBot || create['extension'] === undefined;
    return true;
  };
  const kept = ['createdAt', 'createdBy', 'latestResult', 'owners', 'description', 'extension'];
  const entries = kept.filter((field) => current[field] !== undefined && keeps(field));
  return Object.fromEntries(entries.map((field) => [field, current[field] ?? null]));
}

function qualifiedName(world: World, create: Create): string {
  return `${checkAsset(world, create).fullyQualifiedName}.dataContract_${create.name}`;
}

/** What a contract is known by from its beginning. */
type Origin = { readonly id: string; readonly author: Author };

/** The contract that a create request asks for. */
export function makeContract(world: World, create: Create, { id, author }: Origin): KeptContract {
  checkColumns(world, create);
  checkExpectations(create);
  const { termsOfUse, owners, reviewers, ...content } = create;
  return {
    ...content,
    ...(termsOfUse !== undefined && { termsOfUse: termsOf(termsOfUse) }),
    id,
    name: create.name,
    fullyQualifiedName: qualifiedName(world, create),
    entity: create.entity,
    entityStatus: toText(create['entityStatus'] ?? 'Unprocessed'),
    version: 0.1,
    updatedAt: author.now,
    updatedBy: author.name,
    createdAt: author.now,
    createdBy: author.name,
    owners: resolveOwners(world, owners),
    reviewers: resolveReviewers(world, reviewers),
    deleted: false,
    inherited: false,
  };
}

/** A text in requests, an object ever after. */
function termsOf(content: JsonValue): JsonObject {
  return { content, inherited: false };
}
