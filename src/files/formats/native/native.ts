import { type LiveContract, managedFields, serverFields } from '../../../contract/contract.ts';
import { type FieldProblem, inexactNumbers } from '../../../contract/conventions.ts';
import { differingFields, restateFields } from '../../../contract/equality.ts';
import { contractLabel } from '../../../contract/identity.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { keyMeantBy } from '../../../contract/synonyms.ts';
import {
  deepEqual,
  deepestNesting,
  isArray,
  isEmpty,
  isObject,
  type JsonValue,
} from '../../../core/json.ts';
import { diff } from '../../../patch/diff.ts';
import { formatPointer, parsePointer, type Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import {
  type ComposedDocument,
  type ComposeOptions,
  describeMisfit,
  editRefused,
  type FilePart,
  type Format,
  type FormatRules,
  hintForType,
  identityFor,
  managedOf,
  type PlacedDifference,
  type RestatedPart,
  type RestateOptions,
} from '../format.ts';
import { ruleProblems, structureProblems } from './rules.ts';
import type { ErrorObject } from 'ajv';
import { didYouMean, quote } from '../../../core/text.ts';
import { validate } from '../../../generated/contract.js';
import { mostProblems } from '../../read/finding.ts';

export const native: Format = {
  recognises: isObject,
  read: (document, rules) => ({
    contracts: isObject(document) ? [{ fields: document, pointer: [] }] : [],
    diagnostics: problemsOf(document, rules),
  }),
  restate: restateNative,
  compose: composeNative,
  newFiles: {
    path: 'contracts/{domain}/{name}.yaml',
    // Editors complete keys and words by this schema.
    head: (schema) =>
      `# yaml-language-server: $schema=https://cdn.jsdelivr.net/npm/contract-sync/schemas/${schema}.schema.json\n`,
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
  { checks }: RestateOptions,
): RestatedPart {
  const kept = { text: part.text, pulled: [], problems: [] };
  if (!only) return kept;
  const { difference, document } = only;
  const { live, desired, rules } = difference;
  const { fields } = document;
  const restated = { ...fields, ...restateFields(live, managedOf(fields), rules) };
  const problems = [
    ...problemsOf(restated, checks),
    ...(checks.check?.(managedOf(restated)) ?? []),
  ];
  const wrong = problems.find(({ severity = 'error' }) => severity === 'error');
  if (wrong) {
    const message = `${contractLabel(live)} can't be pulled: the catalog's content is not valid in a file. ${wrong.message}`;
    const hint = wrong.hint ?? 'Correct the contract in the catalog.';
    const { source } = desired;
    return {
      ...kept,
      problems: [{ code: 'not-for-files', severity: 'error', message, hint, source }],
    };
  }
  const patch = diff(fields, restated, rules.arrays).map(({ operation }) => operation);
  const edit = part.edit(part.text, patch, document.index - part.first);
  if (edit.kind === 'refused') return { ...kept, problems: [editRefused(difference, edit)] };
  return { text: edit.text, pulled: [difference], problems: [] };
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

/**
 * Checks a document against `schemas/contract.schema.json`, with messages of our own. Places are
 * computed only for reported problems: finding a key's place scans its whole mapping.
 */
export function shapeProblems(document: JsonValue): PointerDiagnostic[] {
  if (validate(document)) return [];
  const errors = validate.errors ?? [];
  if (isForeign(document, errors)) return [foreign];
  return errors
    .values()
    .flatMap(describe)
    .take(mostProblems + 1)
    .toArray();
}

// Not one of its keys is a contract's, or nearly.
function isForeign(document: JsonValue, errors: readonly ErrorObject[]): boolean {
  const unknown = errors.filter(
    ({ keyword, instancePath }) => keyword === 'additionalProperties' && instancePath === '',
  );
  const known = [...serverFields, ...Object.keys(unknown[0]?.parentSchema?.['properties'] ?? {})];
  const keys = unknown.map(({ params }) => String(params['additionalProperty']));
  return (
    isObject(document) &&
    keys.length > 1 &&
    keys.length === Object.keys(document).length &&
    keys.every((key) => !known.includes(key) && !didYouMean(key, known))
  );
}

const foreign: PointerDiagnostic = {
  code: 'not-a-contract',
  message: 'This is no contract: none of its keys is one of a contract.',
  hint: 'Add the file to `contracts.exclude`. A saved plan is given as `--plan`.',
  pointer: [],
};

function describe(error: ErrorObject): PointerDiagnostic[] {
  const pointer = parsePointer(error.instancePath) ?? [];
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(error.params['additionalProperty']);
      const unknown = unknownKey(error, 'a contract');
      if (pointer.length > 0 || !serverFields.some((field) => field === key)) return [unknown];
      const message = `The catalog sets \`${key}\` with every change: a file can't.`;
      const hint = `Remove \`${key}\`.`;
      return [{ ...unknown, code: 'server-owned-field', message, hint }];
    }
    case 'type':
      return [wrongType(pointer, [error.params['type']].flat().map(String), error.data)];
    case 'pattern':
    case 'minProperties':
    case 'minItems': {
      const message = `\`${pointer.join('.')}\` is empty.`;
      const hint = 'Give it a value, or leave the key out.';
      return [{ code: 'missing-key', message, hint, pointer }];
    }
    case 'if': {
      const message = "This document doesn't say which contract it is.";
      const hint =
        'Give `id`, or `fullyQualifiedName`, or `name` with `entity.id` or `entity.fullyQualifiedName`.';
      return [{ code: 'identity-missing', message, hint, pointer: [] }];
    }
    default:
      return []; // What the `else` requires, of which the `if` is reported.
  }
}

export function unknownKey({ instancePath, params, parentSchema }: ErrorObject, whole: string) {
  const parent = parsePointer(instancePath) ?? [];
  const key = String(params['additionalProperty']);
  const where = parent.length === 0 ? whole : `\`${parent.join('.')}\``;
  const known = Object.keys(parentSchema?.['properties'] ?? {});
  const message = `Unknown key ${quote(key)}${parent.length === 0 ? '' : ` in ${where}`}.`;
  const meant = parent.length === 0 && keyMeantBy(key, 'contract', known);
  const hint = didYouMean(meant || key, known) ?? `The keys of ${where} are ${known.join(', ')}.`;
  return { code: 'unknown-key', message, hint, pointer: [...parent, key], atKey: true };
}

function wrongType(pointer: Pointer, expected: readonly string[], value: unknown) {
  const misfit = describeMisfit(value, expected);
  if (pointer.length === 0) {
    const message = `A contract ${misfit}.`;
    const hint = "Start the document with the contract's keys, such as `name: …`.";
    return { code: 'not-a-mapping', message, hint, pointer };
  }
  // Managed fields may be null, which removes them; what identifies a contract may not.
  if (value === null) {
    const message = `\`${pointer.join('.')}\` is empty.`;
    const hint = expected.includes('object')
      ? 'Indent its members below it, such as `type` and `fullyQualifiedName`.'
      : 'Give it a value, or leave the key out.';
    return { code: 'wrong-type', message, hint, pointer };
  }
  const message = `\`${pointer.join('.')}\` ${misfit}.`;
  const hint =
    hintForReference(pointer, expected, value) ??
    hintForAmount(pointer, expected, value) ??
    hintForType(value, expected);
  return { code: 'wrong-type', message, hint, pointer };
}

function hintForAmount(pointer: Pointer, expected: readonly string[], value: unknown) {
  const span = expected.includes('number') ? parseDuration(String(value), undefined) : undefined;
  return span && `Write \`${pointer.at(-1)}: ${span.amount}, unit: ${span.unit}\`.`;
}

function hintForReference(pointer: Pointer, expected: readonly string[], value: unknown) {
  const [list = '', , below] = pointer;
  const isReference = /^(?:owners|reviewers)$/u.test(list) && below === undefined;
  if (!isReference || typeof value !== 'string' || !expected.includes('object')) return undefined;
  const name = /^[\w.-]{1,60}$/u.test(value) ? value : quote(value);
  return `Write { type: team, name: ${name} }, or type: user.`;
}
