import { type DesiredContract, type OptionalField, optionalFields } from '../contract/contract.ts';
import { attachedTo, lookupEntity } from '../contract/identity.ts';
import type { ListQuery } from './catalog.ts';

/**
 * What to list for these files; `all`: also contracts that no file declares; `reviewed`: the statuses
 * that may be a reviewer's to give; `fields`: to have in any case.
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

/** What to list for contracts that a list did not show: those of their assets, where all files name one. */
export function queryAgain(missing: readonly DesiredContract[]): ListQuery {
  const entities = missing.map(({ identity }) => attachedTo(identity));
  return {
    fields: fieldsToRequest(missing),
    ...(entities.every((entity) => entity !== undefined) && {
      entities: [...new Set(entities.flatMap(spellingsOf))],
    }),
  };
}

/** A server may compare ids as texts, and the file may write them in the other case. */
function spellingsOf(uuid: string): string[] {
  return [uuid, uuid.toLowerCase(), uuid.toUpperCase()];
}

/** The catalog sends these only when asked, and asking costs it: only those that a file needs. */
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
