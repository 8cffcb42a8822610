/**
 * What release 1.12.6 means by an error answer to a patch. One status means many things, and 500
 * stands for a failed `test`, a wrong value and an outage alike: the server's words tell.
 */

import type { Patch } from '../../../patch/operation.ts';
import type { ApiError } from '../../fault.ts';
import type { ContractFault } from '../contract-fault.ts';
import type { Dialect } from '../dialect.ts';
import { refusals } from '../refusals.ts';
import { editAll, parseDenial, permissionsFor } from './permissions.ts';

/** The words that a row has found in a reason, by name. */
type Words = Readonly<Record<string, string>>;

type Row = {
  readonly status: number;
  readonly says: RegExp;
  /** `guard`: the contract is another than it was thought to be; `final`: no repetition can help. */
  readonly means: 'guard' | 'final';
  readonly fault: (words: Words, patch: Patch) => ContractFault;
};

const rows: readonly Row[] = [
  {
    status: 500,
    says: thrown(`The JSON Patch operation 'test' failed for path '(?<path>[^']*)'`),
    means: 'guard',
    fault: ({ path = '' }) => guardRefused(` at ${path}`),
  },
  ...[
    'Non-existing name/value pair',
    'An array item index is out of range',
    "The JSON Object '",
    '.*does not exist in target object',
  ].map((words) => ({
    status: 500,
    says: thrown(words),
    means: 'guard' as const,
    fault: () => guardRefused(''),
  })),
  { status: 412, says: /^/u, means: 'guard', fault: () => guardRefused('') },
  {
    status: 500,
    says: thrown('Failed to convert JsonValue to target class'),
    means: 'final',
    fault: () => ({
      code: 'value-refused',
      message: "The catalog refuses a value of this change and doesn't say which.",
      hint: 'Check the changed values for unknown members, statuses, data types, constraints and units.',
    }),
  },
  {
    status: 500,
    says: /Failed to parse JsonPatch/u,
    means: 'final',
    fault: () => ({
      code: 'change-refused',
      message: "The catalog can't read the patch.",
      hint: 'This is a bug in contract-sync: please report it with the plan.',
    }),
  },
  {
    status: 403,
    says: /^User '(?<user>[^']*)' is not a reviewer/u,
    means: 'final',
    fault: ({ user }) => ({
      code: 'not-a-reviewer',
      message: `Only a reviewer of the contract can approve or reject it, and ${user} isn't one.`,
      hint: 'Apply with the token of a reviewer, or ask one to make this change. Then plan again: the catalog may have reverted recent changes to owners and reviewers.',
    }),
  },
  {
    status: 403,
    says: /^(?<reason>Principal: .*)/u,
    means: 'final',
    fault: ({ reason = '' }, patch) => permissionMissing(reason, patch),
  },
  {
    status: 404,
    says: /^testCase instance for (?<id>\S+) not found/u,
    means: 'final',
    fault: ({ id }) => ({
      code: 'change-refused',
      message: `The catalog has no test case ${id}.`,
      hint: 'Correct `qualityExpectations`.',
    }),
  },
  {
    status: 400,
    says: /do not exist in the table: (?<columns>.*)/u,
    means: 'final',
    fault: ({ columns }) => ({
      code: 'column-unknown',
      message: `The asset lacks columns that the contract has: ${columns}.`,
      hint: 'Remove them from the schema of the contract, or write them with the same upper and lower case as the asset. Until then the catalog refuses every change to this contract.',
    }),
  },
  {
    status: 400,
    says: /^(?<reason>.+)/u,
    means: 'final',
    fault: ({ reason }) => ({
      code: 'change-refused',
      message: `The catalog refuses the change: ${reason}`,
      hint: 'Correct the file.',
    }),
  },
];

function thrown(words: string): RegExp {
  return new RegExp(String.raw`^An exception with message \[${words}`, 'u');
}

function guardRefused(place: string): ContractFault {
  return {
    code: 'guard-refused',
    message: `The contract changed since the plan${place}: not applied.`,
    hint: 'Plan again and have the new plan reviewed.',
  };
}

/** A `test` needs more than many a change does, and one forbidden path forbids the patch. */
function permissionMissing(reason: string, patch: Patch): ContractFault {
  const { user, permissions } = parseDenial(reason) ?? { user: 'This user', permissions: [] };
  const named = permissions.join(', ') || 'a permission';
  const needed = permissionsFor(patch);
  const isForGuard = permissions.includes(editAll) && !needed.includes(editAll);
  const why = isForGuard
    ? `: the guard of the patch needs it, though the change alone needs only ${needed.join(', ')}`
    : '';
  return {
    code: 'permission-missing',
    message: `${user} lacks ${named} for this contract${why}.`,
    hint: `Ask an administrator of the catalog to give ${user} ${named}, or to make ${user} an owner of the contract.`,
  };
}

function findRow({ status, reason = '' }: ApiError): Row | undefined {
  return rows.find((row) => row.status === status && row.says.test(reason));
}

/** How OpenMetadata refuses a patch; what is in no row counts by its status. */
export const openmetadataRefusals: Pick<
  Dialect,
  'isRefusal' | 'isRefusedTest' | 'isRefusedGuard' | 'knowsTests' | 'explain'
> = {
  isRefusal: (error) => findRow(error) !== undefined || refusals.isRefusal(error),
  isRefusedTest: (error) => error.status === 500 && findRow(error)?.means === 'guard',
  isRefusedGuard: (error) =>
    (findRow(error)?.means ?? (error.status === 404 ? 'guard' : 'final')) === 'guard',
  knowsTests: true,
  explain: (error, patch) => {
    const row = findRow(error);
    return row?.fault(row.says.exec(error.reason ?? '')?.groups ?? {}, patch);
  },
};
