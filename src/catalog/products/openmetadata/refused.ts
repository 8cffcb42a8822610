// Explains an error answer to a write. One status has many meanings: in release 1.12.6 a failed
// `test`, a wrong value and an outage are 500 alike, from 1.13 on the first two are 400. So the
// server's words decide.

import { peopleFields } from '../../../contract/identity.ts';
import type { Patch } from '../../../patch/evaluate.ts';
import type { ContractFault, Product } from '../product.ts';
import { standard } from '../standard.ts';

type Row = {
  readonly method?: 'POST';
  readonly status?: number;
  readonly says: RegExp;
  /** Of a patch that sets the status. */
  readonly isOfStatus?: true;
  /** That the contract has changed since the plan. */
  readonly isGuard?: true;
  /** Comes when owners and reviewers may have been stored, outside any transaction (1.12.6). */
  readonly isLate?: true;
  readonly fault: (words: Readonly<Record<string, string>>, patch: Patch) => ContractFault;
};

const rows: readonly Row[] = [
  {
    method: 'POST',
    status: 500,
    says: /^An exception with message \[null\] was thrown/u,
    fault: () => ({
      code: 'change-refused',
      message: "The catalog fails on a value of this contract and doesn't say which.",
      hint: 'Check its name for unusual characters.',
    }),
  },
  {
    says: /^(?:An exception with message \[)?The JSON Patch operation 'test' failed for path '(?<path>[^']*)'/u,
    isGuard: true,
    fault: ({ path = '' }) => guardRefused(` at ${path}`),
  },
  {
    says: /^(?:An exception with message \[)?(?:Non-existing name\/value pair|An array item index is out of range|The JSON Object '|.*does not exist in target object)/u,
    isGuard: true,
    fault: () => guardRefused(''),
  },
  {
    says: /^(?:An exception with message \[)?Failed to convert JsonValue to (?:target class|(?<type>[\w.$]+))(?:: (?<reason>.+))?/u,
    fault: ({ type, reason }) => {
      const owner = type === undefined ? '' : ` of ${type.split('.').at(-1)}`;
      return {
        code: 'value-refused',
        message:
          reason === undefined
            ? `The catalog refuses a value${owner} in this change and doesn't say which.`
            : `The catalog refuses a value of this change: ${reason}`,
        hint: 'Check the changed values for unknown members, statuses, data types, constraints and units.',
      };
    },
  },
  {
    says: /^(?:An exception with message \[)?Failed to parse JsonPatch/u,
    fault: () => ({
      code: 'change-refused',
      message: "The catalog can't read the patch.",
      hint: 'This is a bug in contract-sync: please report it with the plan.',
    }),
  },
  { status: 412, says: /^/u, isGuard: true, fault: () => guardRefused('') },
  {
    status: 403,
    says: /^User '(?<user>[^']*)' is not a reviewer/u,
    isLate: true,
    fault: ({ user }) => ({
      code: 'needs-reviewer',
      message: `Only a reviewer of the contract can approve or reject it, and ${user} isn't one.`,
      hint: 'Apply with the token of a reviewer, or ask one to make this change. Then plan again: the catalog may have reverted recent changes to owners and reviewers.',
    }),
  },
  // From 2.1 on, by its pages: the words name the workflow.
  {
    status: 403,
    says: /^(?<reason>(?!Principal: ).*\bworkflow\b.*)/iu,
    isOfStatus: true,
    fault: ({ reason }) => ({
      code: 'status-owned',
      message: `The catalog keeps the status to a workflow of its own: ${asSentence(reason)}`,
      hint: 'Leave `entityStatus` out of the file, and make the move in the catalog, as the workflow asks.',
    }),
  },
  {
    status: 403,
    says: /^(?<reason>Principal: .*)/u,
    fault: ({ reason = '' }, patch) => permissionMissing(reason, patch),
  },
  {
    status: 403,
    says: /^(?<reason>.*\bapprov.*)/iu,
    fault: ({ reason }) => ({
      code: 'needs-reviewer',
      message: `The catalog refuses the approval: ${reason}`,
      hint: 'Apply with the token of a reviewer who has not made this change.',
    }),
  },
  {
    status: 404,
    says: /^testCase instance for (?<id>\S+) not found/u,
    fault: ({ id }) => ({
      code: 'change-refused',
      message: `The catalog has no test case ${id}.`,
      hint: 'Correct `qualityExpectations`.',
    }),
  },
  {
    status: 400,
    says: /do not exist in the \w+: (?<columns>.*)/u,
    fault: ({ columns }) => ({
      code: 'unknown-column',
      message: `The asset lacks columns that the contract has: ${columns}.`,
      hint: 'Remove them from the schema of the contract, or write them with the same upper and lower case as the asset. Until then the catalog refuses every change to this contract.',
    }),
  },
  {
    status: 400,
    says: /^(?<reason>Team of type \w+ can't own|Rule \[Multiple Users or Single Team Ownership\])/u,
    fault: ({ reason = '' }) => ({
      code: 'change-refused',
      message: `The catalog refuses every change while the contract has these owners: ${reason}.`,
      hint: 'Set `owners` in the file first, to one team of the type Group or to users.',
    }),
  },
  {
    status: 400,
    says: /^(?<reason>.+)/u,
    isLate: true,
    fault: ({ reason }) => ({
      code: 'change-refused',
      message: `The catalog refuses the change: ${reason}`,
      hint: 'Correct the file.',
    }),
  },
];

function asSentence(reason = ''): string {
  return /[.!?]$/u.test(reason) ? reason : `${reason}.`;
}

function guardRefused(place: string): ContractFault {
  const message = `The contract changed since the plan${place}: not applied.`;
  return { code: 'contract-moved', message, hint: 'Plan again and have the new plan reviewed.' };
}

// All other paths, that of the `test` on `/updatedAt` too, need `EditAll`.
const permissions: Readonly<Record<string, string>> = {
  description: 'EditDescription',
  displayName: 'EditDisplayName',
  owners: 'EditOwners',
  reviewers: 'EditReviewers',
  extension: 'EditCustomFields',
};
const editAll = 'EditAll';

const denial =
  /^Principal: CatalogPrincipal\{name='(?<user>[^']*)'\} operations? (?:\[(?<missing>[^\]]*)\] not allowed|(?<denied>\w+) denied by)/u;

// A `test` needs more than many a change does, and one forbidden path forbids the patch.
function permissionMissing(reason: string, patch: Patch): ContractFault {
  const { user = 'This user', missing, denied = '' } = denial.exec(reason)?.groups ?? {};
  const lacking = (missing ?? denied).split(', ').toSorted();
  const named = lacking.join(', ') || 'a permission';
  const byPath = new Set(patch.map(({ path }) => permissions[path.split('/')[1] ?? ''] ?? editAll));
  const isForGuard = lacking.includes(editAll) && !byPath.has(editAll);
  const why = isForGuard
    ? `: the guard of the patch needs it, though the change alone needs only ${[...byPath].toSorted().join(', ')}`
    : '';
  const message = `${user} lacks ${named} for this contract${why}.`;
  const hint = `Ask an administrator of the catalog to give ${user} ${named}, or to make ${user} an owner of the contract.`;
  return { code: 'forbidden', message, hint };
}

// With these a server refuses for good what other words, or none, leave open.
const refusing: ReadonlySet<number | undefined> = new Set([400, 409, 412, 422, 500]);

export const meaning: Product['meaning'] = (error, patch) => {
  const { status, reason = '' } = error;
  const touched = new Set(patch.map(({ path }) => path.split('/')[1]));
  const row = rows.find(
    (each) =>
      (!each.isOfStatus || touched.has('entityStatus')) &&
      (each.method ?? 'PATCH') === error.method &&
      (each.status === undefined ? refusing.has(status) : each.status === status) &&
      each.says.test(reason),
  );
  const isLate = row ? row.isLate : status === 500;
  const words = row?.says.exec(reason)?.groups ?? {};
  return {
    isRefusal: row !== undefined || standard.meaning(error, patch).isRefusal,
    isRefusedTest: row?.isGuard === true && row.status === undefined,
    isRefusedGuard: row ? row.isGuard === true : status === 404,
    isOwnedStatus: row?.isOfStatus === true,
    mayLeave: isLate ? peopleFields.filter((field) => touched.has(field)) : [],
    ...(row && { explanation: { ...row.fault(words, patch), scope: 'contract' } }),
  };
};
