import { type DesiredContract, type OptionalField, optionalFields } from '../contract/contract.ts';
import { lookupEntity } from '../contract/identity.ts';
import type { ListQuery } from './catalog.ts';

/** Which contracts are wanted, and what of them. */
type Wish = {
  /** Also contracts that no file declares. */
  readonly all: boolean;
  /** Statuses that may be a reviewer's to give: where a file names one, reviewers are wanted. */
  readonly reviewed?: readonly string[];
};

/** What to list for these files. */
export function queryFor(desired: readonly DesiredContract[], wish: Wish): ListQuery {
  const entities = wish.all ? undefined : entitiesToRequest(desired);
  return { fields: fieldsToRequest(desired, wish), ...(entities && { entities }) };
}

/** The catalog sends these only when asked, and asking costs it: only those that a file needs. */
function fieldsToRequest(
  desired: readonly DesiredContract[],
  { reviewed = [] }: Wish,
): OptionalField[] {
  return optionalFields.filter((field) =>
    desired.some(
      ({ managed }) =>
        Object.hasOwn(managed, field) ||
        (field === 'reviewers' && reviewed.some((status) => status === managed['entityStatus'])),
    ),
  );
}

/**
 * The assets of the contracts, if by them alone all are found. One that is looked up by another
 * identity may be attached elsewhere than its file says: only the whole list shows it.
 */
function entitiesToRequest(desired: readonly DesiredContract[]): string[] | undefined {
  const entities = desired.map(({ identity }) => lookupEntity(identity));
  return entities.every((entity) => entity !== undefined) ? [...new Set(entities)] : undefined;
}
