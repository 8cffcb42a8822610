import { type LiveContract, managedFields } from '../../../contract/contract.ts';
import { type FieldProblem, inexactNumbers, placeProblems } from '../../../contract/conventions.ts';
import { differingFields, restateFields } from '../../../contract/equality.ts';
import { contractLabel } from '../../../contract/identity.ts';
import { type Diagnostic, hasErrors } from '../../../core/diagnostic.ts';
import {
  deepEqual,
  deepestNesting,
  isArray,
  isEmpty,
  isObject,
  type JsonValue,
} from '../../../core/json.ts';
import { diff } from '../../../patch/diff.ts';
import { formatPointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import {
  type ComposedDocument,
  type ComposeOptions,
  type Divergence,
  editRefused,
  type FilePart,
  type Format,
  type FormatRules,
  identityFor,
  managedOf,
  noticesOf,
  type PlacedDifference,
  type RestatedPart,
  type RestateOptions,
} from '../format.ts';
import { ruleProblems, structureProblems } from './rules.ts';
import { shapeProblems } from './shape.ts';

export const native: Format = {
  recognises: isObject,
  read: (document, rules) => ({
    contracts: isObject(document) ? [{ fields: document, pointer: [] }] : [],
    diagnostics: problemsOf(document, rules),
  }),
  origin: (_, pointer) => ({ pointer }),
  restate: restateNative,
  compose: composeNative,
  newFiles: {
    path: 'contracts/{domain}/{name}.yaml',
    // Editors complete the keys by this schema.
    head: '# yaml-language-server: $schema=https://cdn.jsdelivr.net/npm/contract-sync/schemas/contract.schema.json\n',
    areShared: true,
  },
};

function problemsOf(document: JsonValue, { statuses, check }: FormatRules) {
  if (!isObject(document)) return shapeProblems(document);
  const certain = [...shapeProblems(document), ...ruleProblems(document, statuses)];
  const slips = structureProblems(document);
  // A sound document is checked next: what is said there of the same member is more exact.
  const isChecked = slips.length > 0 && certain.every(isWarning);
  const graver = (isChecked && check?.(managedOf(document))) || [];
  const untold = slips.filter(
    (slip) =>
      !graver.some(
        (each) =>
          formatPointer(each.pointer) === formatPointer(slip.pointer) &&
          (isWarning(slip) || !isWarning(each)),
      ),
  );
  return [...certain, ...(untold.every(isWarning) ? untold : slips)];
}

function isWarning({ severity }: PointerDiagnostic): boolean {
  return severity === 'warning';
}

function restateNative(
  part: FilePart,
  [only]: readonly PlacedDifference[],
  options: RestateOptions,
): RestatedPart {
  const kept = { text: part.text, pulled: [], problems: [] };
  if (!only) return kept;
  const { difference, document } = only;
  const { live, rules } = difference;
  const { fields } = document;
  const restated = { ...fields, ...restateFields(live, managedOf(fields), rules) };
  const patch = diff(fields, restated, rules.arrays).map(({ operation }) => operation);
  const index = document.index - part.first;
  const edit = part.edit(part.text, patch, { document: index });
  if (edit.kind === 'refused') return { ...kept, problems: [editRefused(difference, edit)] };
  const wrong = objectionTo(edit.text, index, difference, options);
  if (wrong) return { ...kept, problems: [wrong] };
  return { text: edit.text, pulled: [difference], problems: noticesOf(difference, edit) };
}

function objectionTo(
  text: string,
  index: number,
  difference: Divergence,
  { checks: { check = () => [] }, reread }: RestateOptions,
): Diagnostic | undefined {
  const { live, desired, rules } = difference;
  const { contracts, diagnostics } = reread(text);
  const document = contracts.find((contract) => contract.index === index);
  const managed = document ? managedOf(document.fields) : {};
  const problems = [...diagnostics, ...placeProblems(check(managed), desired)];
  if (!document || hasErrors(problems)) {
    const problem = problems.find(({ severity }) => severity === 'error');
    const reason = `the catalog's content is not valid in a file. ${problem?.message ?? ''}`.trim();
    const hint = problem?.hint ?? 'Correct the contract in the catalog.';
    return refusal(difference, 'not-for-files', reason, hint);
  }
  if (differingFields(live, managed, rules).size === 0) return undefined;
  const reason = 'the file would still differ from the catalog.';
  const hint = 'This is a bug in contract-sync: please report it with the contract.';
  return refusal(difference, 'edit-refused', reason, hint);
}

function refusal(
  { live, desired: { source } }: Divergence,
  code: string,
  reason: string,
  hint: string,
): Diagnostic {
  const message = `${contractLabel(live)} can't be pulled: ${reason}`;
  return { code, severity: 'error', message, hint, source };
}

// In the order of the README's example.
const order = [
  ...'displayName entityStatus description owners reviewers semantics sla schema'.split(' '),
  ...managedFields,
];

// Leaves out the catalog's own additions and empty values, as a file does.
function composeNative(
  live: LiveContract,
  { names, rules, checks }: ComposeOptions,
): ComposedDocument {
  const { statuses, check = () => [] } = checks;
  const nothing = Object.fromEntries(managedFields.map((field) => [field, null]));
  const restated = restateFields(live, nothing, rules);
  const members = [...new Set(order)].flatMap((field): [string, JsonValue][] => {
    const value = restated[field] ?? null;
    const isNothing = isEmpty(value) || deepEqual(value, {});
    const former = live.document[field];
    const isInherited =
      isArray(former) && former.every((item) => isObject(item) && item['inherited'] === true);
    return isNothing || isInherited ? [] : [[field, value]];
  });
  const said = Object.fromEntries(members);
  const tooDeep = managedFields.filter((field) => live.tooDeep?.includes(field));
  const leftOut = [
    ...tooDeep.map((field): FieldProblem => {
      const message = `\`${field}\` is nested deeper than ${deepestNesting} levels.`;
      return { code: 'nesting-too-deep', severity: 'error', message, pointer: [field] };
    }),
    ...[...inexactNumbers(said), ...structureProblems(said), ...check(said)].filter(
      ({ severity }) => severity === 'error',
    ),
  ];
  const unfit = new Set(leftOut.map(({ pointer }) => pointer[0]));
  const fit = members.filter(([field]) => !unfit.has(field));
  const document = { ...identityFor(live, names), ...Object.fromEntries(fit) };
  const problems = [...shapeProblems(document), ...ruleProblems(document, statuses)];
  const problem = problems.find(({ severity = 'error' }) => severity === 'error');
  const changed = [...differingFields(live, managedOf(document), rules)];
  if (!problem && changed.length === 0) return { document, leftOut, leftToCatalog: [] };
  const fields = changed.map((field) => `\`${field}\``).join(', ');
  return {
    refused: {
      message:
        fields === '' ? 'its file would be invalid.' : `its file would say another ${fields}.`,
      hint: problem
        ? `${problem.message} ${problem.hint ?? ''}`.trim()
        : 'Write its file yourself.',
    },
  };
}
