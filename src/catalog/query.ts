import { type DesiredContract, type OptionalField, optionalFields } from '../contract/contract.ts';
import { attachedTo, lookupEntity } from '../contract/identity.ts';
import type { ListQuery } from './catalog.ts';

/**
 * `all`: also contracts that no file declares; `reviewed`: statuses that only a reviewer may give;
 * `fields`: requested in any case.
 */
export function queryFor(
  desired: readonly DesiredContract[],
  all: boolean,
  reviewed?: readonly string[],
  fields: readonly OptionalField[] = [],
): ListQuery {
  const isMoving = desired.some(({ movedFrom }) => movedFrom !== undefined);
  const entities = all || isMoving ? undefined : entitiesToRequest(desired);
  const needed = [...fieldsToRequest(desired, reviewed), ...fields];
  return { fields: [...new Set(needed)], ...(entities && { entities }) };
}

/** Contracts of the files' assets, where all files name one. */
export function queryAgain(missing: readonly DesiredContract[]): ListQuery {
  const entities = missing.map(({ identity }) => attachedTo(identity));
  return {
    fields: fieldsToRequest(missing),
    ...(entities.every((entity) => entity !== undefined) && {
      entities: [...new Set(entities.flatMap(spellingsOf))],
    }),
  };
}

/** A server may compare ids as texts, and a file may write them in the other case. */
function spellingsOf(uuid: string): string[] {
  return [uuid, uuid.toLowerCase(), uuid.toUpperCase()];
}

/** The catalog sends these only when asked, at a cost, so only those that a file needs. */
export function fieldsToRequest(
  desired: readonly DesiredContract[],
  reviewed: readonly string[] = [],
): OptionalField[] {
  const isNeeded = (field: OptionalField, { managed }: DesiredContract): boolean =>
    Object.hasOwn(managed, field) ||
    (field === 'reviewers' && reviewed.some((status) => status === managed['entityStatus']));
  return optionalFields.filter((field) => desired.some((contract) => isNeeded(field, contract)));
}

/**
 * The assets of the contracts, if by them alone all are found. One that is looked up by another
 * identity may be attached elsewhere than its file says: only the whole list shows it.
 */
function entitiesToRequest(desired: readonly DesiredContract[]): string[] | undefined {
  const entities = desired.map(({ identity }) => lookupEntity(identity));
  return entities.every((entity) => entity !== undefined) ? [...new Set(entities)] : undefined;
}
