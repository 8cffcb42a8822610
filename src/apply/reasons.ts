/** Why a change has not landed, or may not have. */

import { ApiError } from '../catalog/fault.ts';
import { type LiveContract, editorOf } from '../contract/contract.ts';
import { SyncError } from '../core/diagnostic.ts';

export type OutcomeError = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** `run`: the catalog denies access; `contract`: others may land. Absent: not known. */
  readonly scope?: 'run' | 'contract';
};

const planAgain = { hint: 'Plan again and have the new plan reviewed.' };
const runAgain = 'Apply again: it reads the catalog first, so nothing is done twice.';

export const reasons = {
  unguardable: {
    code: 'no-guard',
    message:
      "The catalog returns neither updatedAt nor version, so later changes can't be detected.",
    hint: 'Ask the operators of the catalog: its interface requires both.',
  },
  interrupted: { code: 'interrupted', message: 'The run was interrupted.', hint: runAgain },
  notAttempted: {
    code: 'interrupted',
    message: 'Not attempted: the run was interrupted.',
    hint: 'Apply again: changes that landed are not sent twice.',
  },
  stopped: (why: string) => ({
    code: 'stopped-early',
    message: `Not attempted: the run stopped ${why}.`,
    hint: 'Fix the cause and apply again.',
  }),
  gone: {
    code: 'contract-gone',
    message: 'The catalog no longer lists the contract under its asset.',
    ...planAgain,
  },
  deleted: {
    code: 'contract-deleted',
    message: 'The contract is deleted in the catalog but can be restored.',
    hint: 'Restore it in the catalog and plan again.',
  },
  moved: (version: string | undefined) => ({
    code: 'contract-moved',
    message: `Changed since the plan${at(version)}: not applied.`,
    ...planAgain,
  }),
  movedOn: (version: string | undefined) => ({
    code: 'outcome-unknown',
    message: `The change may have landed. Others have changed the contract${at(version)}: check its history.`,
    ...planAgain,
  }),
  unknown: (why: string) => ({
    code: 'outcome-unknown',
    message: `The change may have landed, and the contract can't be read to check: ${why}`,
    hint: runAgain,
  }),
  creationUnseen: {
    code: 'outcome-unknown',
    message: 'The catalog accepted the new contract, but has no such contract.',
    hint: runAgain,
  },
  taken: (name: string) => ({
    code: 'asset-has-contract',
    message: `The asset already has the contract ${name} and can't have another.`,
    ...planAgain,
  }),
  deletedNamesake: (id: string) => ({
    code: 'contract-deleted',
    message: 'The contract exists but is deleted.',
    hint: `Restore it through the catalog's API (id ${id}) and plan again.`,
  }),
  exists: (places: readonly string[]) => ({
    code: 'contract-exists',
    message: `The contract already exists and differs at ${list(places)}.`,
    ...planAgain,
  }),
  unforeseen: (why: string) => ({
    code: 'outcome-unknown',
    message: `The change may have landed, but an error stopped the check: ${why}`,
    hint: `${runAgain} This is a bug in contract-sync: please report it.`,
  }),
  refused: (error: OutcomeError, why: string) => ({
    ...error,
    message: `${error.message} The contract can't be read to check for changes since the plan: ${why}`,
    hint: [runAgain, error.hint].filter(Boolean).join(' '),
  }),
  mayStillLand: (error: OutcomeError) => ({
    code: 'outcome-unknown',
    message: `The change has not landed so far, but still may. ${error.message}`,
    hint: [error.hint, runAgain].filter(Boolean).join(' '),
  }),
  unverified: (why: string) => ({
    code: 'outcome-unknown',
    message: `The catalog accepted the change, but the contract can't be read to check it: ${why}`,
    hint: runAgain,
  }),
  unchecked: {
    code: 'outcome-unknown',
    message: 'The catalog accepted the change, but the run ended before it read what is stored.',
    hint: runAgain,
  },
  unrecorded: {
    code: 'outcome-unknown',
    message: 'The run ended before it recorded what became of this change.',
    hint: runAgain,
  },
  differs: (places: readonly string[]) => ({
    code: 'content-differs',
    message: `The catalog accepted the change, but the contract differs from the plan at ${list(places)}.`,
    hint: 'Check the contract in the catalog: either the catalog changed the values, or somebody did since.',
  }),
  overlapped: (places: readonly string[], before: LiveContract) => {
    const user = editorOf(before.document) ?? 'somebody';
    const editor = before.version === undefined ? user : `${user} (${before.version})`;
    return {
      code: 'overlapped',
      message: `Right after the patch, the contract lacked what it had right before, as ${editor} had left it: ${list(places)}.`,
      hint: 'The catalog overwrote an edit, or somebody took it back in that moment. Look at the contract, and set again what should stay.',
    };
  },
  storedNothing: (places: readonly string[]) => ({
    code: 'nothing-stored',
    message: `The catalog accepted the change but stored nothing: the contract still differs at ${list(places)}.`,
    hint: 'Some catalogs store such a field only together with others, or not at all.',
  }),
} as const satisfies Record<string, OutcomeError | ((...given: never[]) => OutcomeError)>;

export function explain(error: unknown): OutcomeError {
  if (!(error instanceof SyncError)) return { code: 'internal-error', message: String(error) };
  const { code, message, hint } = error;
  const isDenied = error instanceof ApiError && error.denied !== undefined;
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(isDenied && { scope: 'run' }),
  };
}

function at(version: string | undefined): string {
  return version === undefined ? '' : ` (now ${version})`;
}

const mostPlaces = 5;

function list(places: readonly string[]): string {
  const rest = places.length - mostPlaces;
  return [...places.slice(0, mostPlaces), ...(rest > 0 ? [`${rest} more places`] : [])].join(', ');
}
