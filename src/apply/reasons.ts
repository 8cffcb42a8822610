/** Why a change has not landed, or cannot be said to have: in words, with what to do. */

import { SyncError } from '../core/errors.ts';
import type { OutcomeError } from './outcome.ts';

const planAgain = 'Plan again and have the new plan reviewed.';
const runAgain = 'Apply again: it looks at the catalog first, so nothing is done twice.';

/** So many differing places are named in a message; the outcome holds them all. */
const named = 5;

export const reasons = {
  unguardable: {
    code: 'no-guard',
    message: 'The catalog gives neither updatedAt nor version, so nothing tells whether it moved.',
    hint: 'Ask the operators of the catalog: its interface promises both.',
  },
  interrupted: {
    code: 'interrupted',
    message: 'The run was interrupted.',
    hint: runAgain,
  },
  notAttempted: {
    code: 'interrupted',
    message: 'Not attempted: the run was interrupted.',
    hint: 'Apply again: what has landed is not sent twice.',
  },
  gone: {
    code: 'contract-gone',
    message: 'The catalog no longer lists it under its asset.',
    hint: planAgain,
  },
  deleted: {
    code: 'contract-gone',
    message: 'It has been deleted in the catalog, which keeps it.',
    hint: 'Restore it in the catalog and plan again.',
  },
  moved: (version: string | undefined) => ({
    code: 'contract-moved',
    message: `It was changed since the plan was made${at(version)}, so it was left alone.`,
    hint: planAgain,
  }),
  movedOn: (version: string | undefined) => ({
    code: 'contract-moved',
    message: `No answer says whether the patch landed, and others have changed it${to(version)}: its history tells whether the patch landed first.`,
    hint: planAgain,
  }),
  unknown: (why: string) => ({
    code: 'outcome-unknown',
    message: `No answer says whether the patch landed, and the contract could not be looked at: ${why}`,
    hint: runAgain,
  }),
  creationUnknown: (why: string) => ({
    code: 'outcome-unknown',
    message: `No answer says whether the contract was created, and it could not be looked for: ${why}`,
    hint: runAgain,
  }),
  taken: (name: string) => ({
    code: 'asset-has-contract',
    message: `The asset has the contract ${name}, and can't have another.`,
    hint: planAgain,
  }),
  deletedNamesake: (id: string) => ({
    code: 'contract-deleted',
    message: 'The contract is there, deleted.',
    hint: `Restore it by the catalog's API, with the id ${id}, and plan again.`,
  }),
  exists: (places: readonly string[]) => ({
    code: 'contract-exists',
    message: `The contract was there already, and differs at ${list(places)}.`,
    hint: planAgain,
  }),
  unforeseen: (why: string) => ({
    code: 'outcome-unknown',
    message: `The patch may have landed; what became of it could not be told: ${why}`,
    hint: `${runAgain} This is a bug in contract-sync: please report it.`,
  }),
  refused: ({ code, message, hint, why }: OutcomeError & { readonly why: string }) => ({
    code,
    message: `${message} Whether the contract was changed since the plan was made could not be seen: ${why}`,
    hint: hint === undefined ? runAgain : `${runAgain} ${hint}`,
  }),
  mayStillLand: ({ message, hint }: OutcomeError) => ({
    code: 'outcome-unknown',
    message: `No answer says whether the patch landed; it has not so far. ${message}`,
    hint: hint === undefined ? runAgain : `${hint} ${runAgain}`,
  }),
  unverified: (why: string) => ({
    code: 'not-verified',
    message: `The catalog accepted the patch; whether it stored the change could not be read: ${why}`,
    hint: runAgain,
  }),
  differs: (places: readonly string[]) => ({
    code: 'content-differs',
    message: `The catalog accepted the patch, but the contract differs from the plan at ${list(places)}.`,
    hint: 'Look at the contract in the catalog: it changed the values, or somebody did since.',
  }),
  storedNothing: (places: readonly string[]) => ({
    code: 'nothing-stored',
    message: `The catalog accepted the patch and stored nothing: the contract still differs at ${list(places)}.`,
    hint: 'Some catalogs store such a field only together with others, or not at all.',
  }),
} as const satisfies Record<string, OutcomeError | ((argument: never) => OutcomeError)>;

/** Any error in the words of an outcome. */
export function explain(error: unknown): OutcomeError {
  if (!(error instanceof SyncError)) return { code: 'internal-error', message: String(error) };
  const { code, message, hint } = error;
  return { code, message, ...(hint !== undefined && { hint }) };
}

function to(version: string | undefined): string {
  return version === undefined ? '' : `, to version ${version}`;
}

function at(version: string | undefined): string {
  return version === undefined ? '' : ` and is at version ${version} now`;
}

function list(places: readonly string[]): string {
  const rest = places.length - named;
  return [...places.slice(0, named), ...(rest > 0 ? [`${rest} more places`] : [])].join(', ');
}
