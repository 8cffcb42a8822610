import { randomUUID } from 'node:crypto';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { isRecord, parseJavaJson, toList, toText } from '../json.ts';
import { checkAsset, checkColumns, checkExpectations } from './checks.ts';
import { type KeptContract, reread, type Row } from './contract.ts';
import { unhandled } from './error-answer.ts';
import { type Caller, requirePermission, resolveOwners, resolveReviewers } from './people.ts';
import { bendProperties, checkProperties } from './properties.ts';
import { checkStatus, withRuleIds } from './release.ts';
import type { ApiCall } from './router.ts';
import { bindObject, type Shape, ShapeError } from './shape.ts';
import { createShape } from './shapes.ts';
import { type Author, type Revised, storeRevision } from './revise.ts';
import { findContractByName, findContractOf, putRow, type World } from './world.ts';

export function readCreate<Result>(call: ApiCall, use: (create: Create) => Result): Result {
  if (call.mediaType === 'application/json') return use(requireCreate(bindJson(call.body)));
  try {
    return use(requireCreate(bindYaml(call.body)));
  } catch (error) {
    // The server reports any fault of a contract in YAML as one of its YAML.
    if (!(error instanceof ErrorAnswer) || error.status !== 400) throw error;
    throw badRequest(`Invalid YAML content: ${error.message}`);
  }
}

export function bindJson(text: string): JsonObject {
  const value = parseRequestBody(text);
  if (value === null) throw unhandled('Cannot invoke "getName()" because "create" is null');
  return bindCreate(
    value,
    text,
    'REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)',
  );
}

export function parseRequestBody(text: string): JsonValue {
  if (text.trim() === '') return null;
  try {
    return parseJavaJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ErrorAnswer(400, reason, { errorType: 'plain' });
  }
}

function bindYaml(text: string): JsonObject {
  if (text.trim() === '') {
    throw badRequest(
      'No content to map due to end-of-input\n at [Source: (StringReader); line: 1, column: 1]',
    );
  }
  const document = parseDocument(text);
  const bound = bindCreate(document.toJS(), text, '(StringReader)');
  const [error] = document.errors;
  if (error) throw badRequest(error.message);
  return bound;
}

// The message of the server's JSON library: the fault, its place, and the chain of classes.
function bindCreate(value: JsonValue, text: string, source: string): JsonObject {
  try {
    return bindObject(createShape, value);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const { line, col } = locate(error, text);
    const chain = error.at.chain.join('->');
    throw badRequest(
      `${error.message}\n at [Source: ${source}; line: ${line}, column: ${col}] (through reference chain: ${chain})`,
    );
  }
}

// JSON is YAML: one parser locates the values of both.
function locate({ at, noticed }: ShapeError, text: string) {
  const lines = new LineCounter();
  const node = parseDocument(text, { lineCounter: lines, uniqueKeys: false }).getIn(at.path, true);
  const [start = 0, end = 0] = (isNode(node) ? node.range : undefined) ?? [];
  // The JSON parser has read only the first character of a text, an object or a list.
  const behind = /["[{]/u.test(text.charAt(start)) ? start + 1 : end;
  return lines.linePos(noticed === 'start' ? start : behind);
}

export type Create = JsonObject & {
  readonly name: string;
  readonly entity: KeptContract['entity'];
};

export function requireCreate(request: JsonObject): Create {
  const violations = findViolations(request);
  if (violations.length === 0 && isCreate(request)) return request;
  throw badRequest(`[${violations.map((violation) => `query param ${violation}`).join(', ')}]`);
}

export function isCreate(request: JsonObject): request is Create {
  const { name, entity } = request;
  const parts = isRecord(entity) ? [entity['id'], entity['type']] : [];
  return [name, ...parts].filter((part) => typeof part === 'string').length === 3;
}

export function findViolations(request: JsonObject): readonly string[] {
  const violations = [...findMissing(createShape, request)];
  const { name } = request;
  if (typeof name !== 'string') return violations;
  if (name.length < 1 || name.length > 256) violations.push('name size must be between 1 and 256');
  if (/::|\n|\r/u.test(name)) violations.push('name must match "^((?!::).)*$"');
  return violations;
}

function findMissing(shape: Shape, value: JsonValue | undefined): readonly string[] {
  if (shape.kind === 'list')
    return toList(value).flatMap((element) => findMissing(shape.of, element));
  if (shape.kind !== 'object' || !isRecord(value)) return [];
  const missing = (shape.required ?? []).filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => `${name} must not be null`),
    ...Object.entries(shape.members).flatMap(([name, member]) => findMissing(member, value[name])),
  ];
}

export function createContract(world: World, caller: Caller, create: Create): KeptContract {
  requirePermission(world, caller, ['Create']);
  const asset = checkAsset(world, create);
  if (findContractOf(world, asset)) {
    throw badRequest(
      `A data contract already exists for entity '${asset.type}' with ID ${asset.id}`,
    );
  }
  const author = { name: caller.name, now: world.now() };
  const made = makeContract(world, create, { id: randomUUID(), author });
  checkProperties(world, {}, made);
  const contract = bendProperties(world, made);
  // The server takes qualified names apart at their quotes and dots, and fails at these.
  if (/"|\.$/u.test(contract.name)) throw unhandled('null');
  if (findContractByName(world, contract.fullyQualifiedName))
    throw new ErrorAnswer(409, 'Entity already exists');
  putRow(world, { current: reread(contract), history: [], results: [] });
  return contract;
}

export function putContract(
  world: World,
  caller: Caller,
  create: Create,
): Revised | { readonly change: 'entityCreated'; readonly answer: KeptContract } {
  const row = findContractByName(world, qualifiedName(world, create));
  if (!row) return { change: 'entityCreated', answer: createContract(world, caller, create) };
  requirePermission(world, caller, ['EditAll'], row.current);
  const author = { name: caller.name, now: world.now() };
  const made = makeContract(world, create, { id: row.current.id, author });
  const next = { ...made, ...keptByPut(row, create, caller.isBot) };
  checkProperties(world, row.current, next);
  return storeRevision(world, row, next, { author, means: 'put' });
}

// A PUT by a bot replaces the least.
function keptByPut({ current }: Row, create: Create, isBot: boolean): JsonObject {
  const keeps = (field: string): boolean => {
    if (field === 'owners') return toList(create['owners']).length === 0;
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

export function makeContract(
  world: World,
  create: Create,
  { id, author }: { readonly id: string; readonly author: Author },
): KeptContract {
  checkStatus(world, create, badRequest('problem: Archived'));
  checkColumns(world, create);
  checkExpectations(create);
  const { termsOfUse, owners, reviewers, ...content } = create;
  return withRuleIds(world, {
    ...content,
    ...(termsOfUse !== undefined && { termsOfUse: { content: termsOfUse, inherited: false } }),
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
  });
}
