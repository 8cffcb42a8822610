/** A live contract as a new native file. Pure. */

import { Document, isMap, isScalar, type Node, type Scalar, visit } from 'yaml';
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
  'displayName',
  'entityStatus',
  'description',
  'owners',
  'reviewers',
  'semantics',
  'sla',
  'schema',
  ...managedFields,
] as const;

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
    return saysNothing(value) || isInherited(live.document[field]) ? [] : [[field, value]];
  });
  const said = Object.fromEntries(members);
  const leftOut = [
    ...managedFields.filter((field) => live.tooDeep?.includes(field)).map(nestedTooDeep),
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

function nestedTooDeep(field: string): FieldProblem {
  return {
    code: 'nested-too-deep',
    severity: 'error',
    message: `\`${field}\` is nested deeper than ${deepestNesting} levels.`,
    pointer: [field],
  };
}

function isInherited(value: JsonValue | undefined): boolean {
  return isArray(value) && value.every((item) => isObject(item) && item['inherited'] === true);
}

function saysNothing(value: JsonValue): boolean {
  return isEmpty(value) || (isObject(value) && Object.keys(value).length === 0);
}

// Columns of a flow mapping; longer ones are written as blocks.
const widest = 100;

export function composeDocument(fields: JsonObject): string {
  const pretty = writeDocument(fields, style);
  // Falls back to quoting where the pretty text does not read back as the same value.
  return readsAs(pretty, fields) ? pretty : writeDocument(fields, quoteAll);
}

function writeDocument(fields: JsonObject, restyle: (document: Document) => void): string {
  const document = new Document(fields, { version: '1.2', compat: 'yaml-1.1' });
  restyle(document);
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && needsEscape(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeLikeYaml(document.toString({ lineWidth: widest, flowCollectionPadding: true }));
}

function readsAs(text: string, fields: JsonObject): boolean {
  const { documents, errors } = readDocuments(text);
  const [document, second] = documents;
  if (!document || second || errors.length + document.errors.length > 0) return false;
  return deepEqual(document.value, fields);
}

function quoteAll(document: Document): void {
  visit(document, {
    Scalar: (key, node) => {
      if (key !== 'key' && typeof node.value === 'string') node.type = 'QUOTE_DOUBLE';
    },
  });
}

function style(document: Document): void {
  visit(document, {
    Scalar: (key, node) => {
      if (key !== 'key') styleText(node);
    },
    Seq: (_key, { items }) => {
      if (items.every(isShortMapping)) for (const item of items) if (isMap(item)) item.flow = true;
    },
    Pair: (_key, { key, value }) => {
      const isIdentity = isScalar(key) && key.value === 'entity';
      if (isMap(value) && isShortMapping(value) && !isIdentity) value.flow = true;
    },
  });
}

function styleText(node: Scalar): void {
  if (typeof node.value !== 'string') return;
  if (node.value.includes('\n')) node.type = 'BLOCK_LITERAL';
  else if (node.value.length > widest - 20 && /^\S+(?: \S+)+$/u.test(node.value))
    node.type = 'BLOCK_FOLDED';
}

function isShortMapping(node: unknown): boolean {
  if (!isMap(node) || node.items.length === 0) return false;
  const values = node.items.map(({ value }) => value);
  return values.every(isScalar) && widthOf(node) < widest - 10 && !hasLongText(values);
}

function hasLongText(values: readonly Scalar[]): boolean {
  return values.some(({ value }) => typeof value === 'string' && value.includes('\n'));
}

function widthOf(node: Node): number {
  return JSON.stringify(node.toJSON()).length;
}
