import { type LiveContract, managedFields } from '../../../contract/contract.ts';
import { type FieldProblem, inexactNumbers } from '../../../contract/conventions.ts';
import { differingFields, restateFields } from '../../../contract/equality.ts';
import {
  deepestNesting,
  deepEqual,
  isArray,
  isEmpty,
  isObject,
  type JsonValue,
} from '../../../core/json.ts';
import { managedOf } from '../desired.ts';
import type { ComposedDocument, ComposeOptions } from '../format.ts';
import { identityFor } from '../known-names.ts';
import { ruleProblems } from './rules.ts';
import { shapeProblems } from './shape.ts';

// In the order of the README's example.
const order = [
  ...'displayName entityStatus description owners reviewers semantics sla schema'.split(' '),
  ...managedFields,
];

/** Leaves out the catalog's own additions and empty values, as a file does. */
export function composeNative(
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
  const leftOut = [
    ...managedFields
      .filter((field) => live.tooDeep?.includes(field))
      .map((field): FieldProblem => {
        const message = `\`${field}\` is nested deeper than ${deepestNesting} levels.`;
        return { code: 'nested-too-deep', severity: 'error', message, pointer: [field] };
      }),
    ...[...inexactNumbers(said), ...check(said)].filter(({ severity }) => severity === 'error'),
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
        : 'Set `catalog.dialect` if contract-sync doctor names the wrong one; else write its file yourself.',
    },
  };
}
