import { Document, isMap, isScalar, visit, type visitor } from 'yaml';
import { type LiveContract, managedFields } from '../../../contract/contract.ts';
import { type FieldProblem, inexactNumbers } from '../../../contract/conventions.ts';
import { differingFields, restateFields } from '../../../contract/equality.ts';
import {
  deepestNesting,
  deepEqual,
  isArray,
  isEmpty,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { readDocuments } from '../../read/document.ts';
import { escapeLikeYaml, needsEscape } from '../../edit/scalar.ts';
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
  if (!problem && changed.length === 0) return { document, leftOut, unsaid: [] };
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

// Columns of a flow mapping; longer ones are written as blocks.
const widest = 100;

export function composeDocument(fields: JsonObject): string {
  const pretty = writeDocument(fields, style);
  const { documents, errors } = readDocuments(pretty);
  const isRight = errors.length + documents.flatMap((each) => each.errors).length === 0;
  if (isRight && documents.length === 1 && deepEqual(documents[0]?.value, fields)) return pretty;
  return writeDocument(fields, {
    Scalar: (key, node) => {
      if (key !== 'key' && typeof node.value === 'string') node.type = 'QUOTE_DOUBLE';
    },
  });
}

function writeDocument(fields: JsonObject, restyle: visitor): string {
  const document = new Document(fields, { version: '1.2', compat: 'yaml-1.1' });
  visit(document, restyle);
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && needsEscape(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeLikeYaml(document.toString({ lineWidth: widest, flowCollectionPadding: true }));
}

const style: visitor = {
  Scalar: (key, node) => {
    const { value } = node;
    if (key === 'key' || typeof value !== 'string') return;
    if (value.includes('\n')) node.type = 'BLOCK_LITERAL';
    else if (value.length > widest - 20 && /^\S+(?: \S+)+$/u.test(value))
      node.type = 'BLOCK_FOLDED';
  },
  Seq: (_key, { items }) => {
    if (items.every(isShortMapping)) for (const item of items) if (isMap(item)) item.flow = true;
  },
  Pair: (_key, { key, value }) => {
    const isIdentity = isScalar(key) && key.value === 'entity';
    if (isMap(value) && isShortMapping(value) && !isIdentity) value.flow = true;
  },
};

function isShortMapping(node: unknown): boolean {
  if (!isMap(node) || node.items.length === 0) return false;
  const isOfLines = node.items.every(
    ({ value }) =>
      isScalar(value) && !(typeof value.value === 'string' && value.value.includes('\n')),
  );
  return isOfLines && JSON.stringify(node.toJSON()).length < widest - 10;
}
