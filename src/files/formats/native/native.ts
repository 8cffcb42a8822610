import { isObject, type JsonObject } from '../../../core/json.ts';
import {
  type Divergence,
  type FilePart,
  type Format,
  type FormatRules,
  noticesOf,
  type PlacedDifference,
  type RestateOptions,
  type RestatedPart,
} from '../format.ts';
import { composeNative } from './compose.ts';
import { ruleProblems, structureProblems } from './rules.ts';
import { shapeProblems } from './shape.ts';
import { placeProblems } from '../../../contract/conventions.ts';
import { contractLabel } from '../../../contract/identity.ts';
import { differingFields, restateFields } from '../../../contract/equality.ts';
import { type Diagnostic, hasErrors } from '../../../core/diagnostic.ts';
import { diff } from '../../../patch/diff.ts';
import { formatPointer } from '../../../patch/pointer.ts';
import { managedOf } from '../desired.ts';

/** This program's own format: the keys of a contract as the catalog has them. */
export const native: Format = {
  recognises: isObject,
  read: (document, rules) =>
    isObject(document)
      ? {
          contracts: [{ fields: document, pointer: [] }],
          diagnostics: problemsOf(document, rules),
        }
      : { contracts: [], diagnostics: shapeProblems(document) },
  locate: (desired) => desired,
  restate: restateNative,
  compose: composeNative,
  newFiles: {
    path: 'contracts/{domain}/{name}.yaml',
    // Editors complete the keys by this schema.
    head: '# yaml-language-server: $schema=https://cdn.jsdelivr.net/npm/contract-sync/schemas/contract.schema.json\n',
    areShared: true,
  },
};

function problemsOf(document: JsonObject, { statuses, check }: FormatRules) {
  const certain = [...shapeProblems(document), ...ruleProblems(document, statuses)];
  const slips = structureProblems(document);
  // A sound document is checked next: what is said there of the same member is more exact.
  const isChecked = slips.length > 0 && certain.every(({ severity }) => severity === 'warning');
  const graver = (isChecked && check?.(managedOf(document))) || [];
  const said = new Set(graver.map(({ pointer }) => formatPointer(pointer)));
  return [...certain, ...slips.filter(({ pointer }) => !said.has(formatPointer(pointer)))];
}

function restateNative(
  part: FilePart,
  [only]: readonly PlacedDifference[],
  options: RestateOptions,
): RestatedPart {
  const kept = { text: part.text, pulled: [], problems: [] };
  if (!only) return kept;
  const { difference, document } = only;
  const { live, desired, rules } = difference;
  const { fields } = document;
  const restated = { ...fields, ...restateFields(live, managedOf(fields), rules) };
  const patch = diff(fields, restated, rules.arrays).map(({ operation }) => operation);
  const index = document.index - part.first;
  const edit = part.edit(part.text, patch, { document: index });
  if (edit.kind === 'refused') {
    const hint = 'Change the file yourself. `contract-sync plan` shows what differs.';
    const problem = refusal(difference, 'edit-refused', edit.reason, hint);
    const source = { file: desired.source.file, line: edit.line, column: 1 };
    return { ...kept, problems: [{ ...problem, source }] };
  }
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
  return refusal(difference, 'still-differs', reason, hint);
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
