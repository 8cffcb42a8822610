import { compareCodeUnits, isObject, type JsonValue } from '../../core/json.ts';
import type { Reference } from './contract.ts';
import { badRequest, ErrorAnswer, unhandled } from './error-answer.ts';
import { toList, toText } from './java-json.ts';
import { findEntity, findEntityByName, referenceTo, type World } from './world.ts';

/** Who may own and review. */
const people: ReadonlySet<string> = new Set(['user', 'team']);

/** The owners that a request means: by id, else by qualified name; what leads nowhere is dropped. */
export function resolveOwners(world: World, given: JsonValue | undefined): readonly Reference[] {
  const owners = resolve(world, given);
  const stranger = owners.find(({ type }) => !people.has(type));
  if (stranger) {
    throw badRequest(
      `Entity of type ${stranger.type} can't be the owner. Only Team of type Group or a User can own entities.`,
    );
  }
  if (isMixed(owners)) {
    throw new ErrorAnswer(
      400,
      'Rule [Multiple Users or Single Team Ownership] validation failed: Entity does not satisfy the rule. Rule context: Validates that an entity has either multiple owners or a single team as the owner.',
      'RULE_VIOLATION',
    );
  }
  return owners;
}

export function resolveReviewers(world: World, given: JsonValue | undefined): readonly Reference[] {
  const reviewers = resolve(world, given);
  if (isMixed(reviewers) || reviewers.some(({ type }) => !people.has(type))) {
    throw badRequest(
      'Invalid Reviewer Type. Only one team or multiple users can be assigned as reviewer.',
    );
  }
  return reviewers;
}

/** Several users, or one team. */
function isMixed(references: readonly Reference[]): boolean {
  return references.length > 1 && references.some(({ type }) => type === 'team');
}

function resolve(world: World, given: JsonValue | undefined): readonly Reference[] {
  return toList(given)
    .flatMap((reference) => findReference(world, reference) ?? [])
    .toSorted(byName);
}

function byName(a: Reference, b: Reference): number {
  return (
    compareCodeUnits(a.name, b.name) ||
    compareCodeUnits(a.type, b.type) ||
    compareCodeUnits(a.id, b.id)
  );
}

function findReference(world: World, given: JsonValue): Reference | undefined {
  if (!isObject(given)) return undefined;
  const { id, type, fullyQualifiedName } = given;
  if (typeof type !== 'string') {
    if (id !== undefined) throw unhandled('Entity type null not found');
    return undefined;
  }
  const found =
    typeof id === 'string'
      ? findEntity(world, type, id)
      : findEntityByName(world, type, toText(fullyQualifiedName));
  return found && referenceTo(found);
}
