import type { Patch } from '../../../patch/operation.ts';

/** The permissions that paths of a patch need; all other paths, those of tests too, need `EditAll`. */
const byField: Readonly<Record<string, string>> = {
  description: 'EditDescription',
  displayName: 'EditDisplayName',
  owners: 'EditOwners',
  reviewers: 'EditReviewers',
  extension: 'EditCustomFields',
};

/** What everything else needs: also the `test` on `/updatedAt` in each guard. */
export const editAll = 'EditAll';

/** The permissions that a patch needs without its guard. */
export function permissionsFor(patch: Patch): readonly string[] {
  const needed = new Set(patch.map(({ path }) => byField[path.split('/')[1] ?? ''] ?? editAll));
  return needed.has(editAll) ? [editAll] : [...needed].toSorted();
}

/** What a refusal says is missing: `zoe`, `[EditOwners, EditDisplayName]`. */
export type Denial = { readonly user: string; readonly permissions: readonly string[] };

const denial =
  /^Principal: CatalogPrincipal\{name='(?<user>[^']*)'\} operations? (?:\[(?<missing>[^\]]*)\] not allowed|(?<denied>\w+) denied by)/u;

/** Reads who lacks what from the words of a 403. */
export function parseDenial(reason: string): Denial | undefined {
  const { user = '', missing, denied } = denial.exec(reason)?.groups ?? {};
  const permissions = (missing ?? denied)?.split(', ').toSorted();
  return permissions && { user, permissions };
}
