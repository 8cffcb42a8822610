import type { JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { byCodeUnits, isRecord, toList, toText } from '../json.ts';
import type { KeptContract, Reference } from './contract.ts';
import { notFound, unhandled } from './error-answer.ts';
import { pathOf } from './java-patch.ts';
import { findEntityByName, isAmong, referenceTo, type World } from './world.ts';

export type Caller = {
  readonly name: string;
  /** The bot that acts for the user. */
  readonly agent?: string;
  readonly isAdmin: boolean;
  readonly isBot: boolean;
  readonly roles: readonly string[];
};

type Operation =
  | `Edit${'All' | 'Description' | 'DisplayName' | 'Owners' | 'Reviewers' | 'Tags' | 'Lineage'}`
  | 'Create'
  | 'Delete'
  | 'EditCustomFields';

const operationsByField: { readonly [field: string]: Operation } = {
  description: 'EditDescription',
  displayName: 'EditDisplayName',
  owners: 'EditOwners',
  reviewers: 'EditReviewers',
  extension: 'EditCustomFields',
  tags: 'EditTags',
};

export function operationsOf(patch: readonly JsonValue[]): readonly Operation[] {
  const operations = patch.map((operation) => {
    const [, field = ''] = pathOf(operation).split('/');
    return operationsByField[field] ?? 'EditAll';
  });
  return operations.includes('EditAll') ? ['EditAll'] : [...new Set(operations)];
}

// The server's own roles that allow more than everybody may do.
const roles: { readonly [name: string]: readonly Operation[] | 'everything' } = {
  DataSteward: ['EditDisplayName', 'EditOwners'],
  IngestionBotRole: 'everything',
};

type Target = Partial<Pick<KeptContract, 'owners' | 'reviewers'>>;

export function requirePermission(
  world: World,
  caller: Caller,
  operations: readonly Operation[],
  target: Target = {},
): void {
  if (caller.isAdmin) return;
  // The role of bots denies this one, whatever other roles allow.
  if (caller.roles.includes('IngestionBotRole') && operations.includes('EditDisplayName')) {
    throw forbidden(
      caller,
      'operation EditDisplayName denied by role IngestionBotRole, policy DefaultBotPolicy, rule DisplayName-Deny',
    );
  }
  const missing = operations.filter((operation) => !isAllowed(world, caller, operation, target));
  if (missing.length > 0) throw forbidden(caller, `operations [${missing.join(', ')}] not allowed`);
}

function forbidden({ name }: Caller, reason: string): ErrorAnswer {
  return new ErrorAnswer(403, `Principal: CatalogPrincipal{name='${name}'} ${reason}`);
}

function isAllowed(world: World, caller: Caller, operation: Operation, target: Target): boolean {
  const { owners = [], reviewers = [] } = target;
  const granted = new Set(caller.roles.flatMap((name) => roles[name] ?? []));
  if (granted.has('everything') || granted.has(operation)) return true;
  if (isAmong(world, caller.name, owners)) return true;
  // A member of a reviewing team is no reviewer here.
  const isReviewer = reviewers.some(({ name }) => name === caller.name);
  if (isReviewer && operation.startsWith('Edit')) return true;
  if (operation === 'EditOwners') return owners.length === 0;
  return operation === 'EditDescription' || operation === 'EditTags';
}

/** Only a patch is refused; requests to create or replace are not checked. */
export function checkOwners(world: World, owners: readonly Reference[]): void {
  for (const { id, type } of owners) {
    const teamType = toText(world.entities.get(id)?.rest['teamType'] ?? 'Group');
    if (type === 'team' && teamType !== 'Group') {
      throw badRequest(
        `Team of type ${teamType} can't own entities. Only Team of type Group can own entities.`,
      );
    }
  }
}

export function resolveOwners(world: World, given: JsonValue | undefined): readonly Reference[] {
  const owners = resolvePeople(world, given);
  const stranger = owners.find(isNobody);
  if (stranger) {
    throw badRequest(
      `Entity of type ${stranger.type} can't be the owner. Only Team of type Group or a User can own entities.`,
    );
  }
  if (isMixed(owners)) {
    throw new ErrorAnswer(
      400,
      'Rule [Multiple Users or Single Team Ownership] validation failed: Entity does not satisfy the rule. Rule context: Validates that an entity has either multiple owners or a single team as the owner.',
      { errorType: 'RULE_VIOLATION' },
    );
  }
  return owners;
}

export function resolveReviewers(world: World, given: JsonValue | undefined): readonly Reference[] {
  const reviewers = resolvePeople(world, given);
  checkReviewers(reviewers);
  return reviewers;
}

export function checkReviewers(reviewers: readonly Reference[]): void {
  if (isMixed(reviewers) || reviewers.some(isNobody)) {
    throw badRequest(
      'Invalid Reviewer Type. Only one team or multiple users can be assigned as reviewer.',
    );
  }
}

function isNobody({ type }: Reference): boolean {
  return type !== 'user' && type !== 'team';
}

function isMixed(references: readonly Reference[]): boolean {
  return references.length > 1 && references.some(({ type }) => type === 'team');
}

export function resolvePeople(world: World, given: JsonValue | undefined): readonly Reference[] {
  return toList(given)
    .flatMap((reference) => findReference(world, reference) ?? [])
    .toSorted((a, b) => byCodeUnits(keyOf(a), keyOf(b)));
}

function keyOf({ name, type, id }: Reference): string {
  return `${name}\0${type}\0${id}`;
}

function findReference(world: World, given: JsonValue): Reference | undefined {
  if (!isRecord(given)) return undefined;
  const { id, type, fullyQualifiedName } = given;
  if (typeof type !== 'string') {
    if (id === undefined) return undefined;
    throw unhandled('Entity type null not found');
  }
  if (typeof id !== 'string') {
    const found = findEntityByName(world, type, toText(fullyQualifiedName));
    return found && referenceTo(found);
  }
  const found = world.entities.get(id);
  if (found?.type !== type) return undefined;
  // A deleted user can be named all the same.
  if (found.deleted && type === 'team') throw notFound(type, id);
  return referenceTo(found);
}
