import { managedFields } from '../../../contract/contract.ts';
import { deepEqual, isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { valuesIn } from '../../read/document.ts';
import {
  changedMeanwhile,
  type Divergence,
  editRefused,
  type FilePart,
  type Format,
  type FormatRules,
  type Origin,
  type PlacedDifference,
  type RestatedPart,
  restateInTurn,
  type RestateOptions,
} from '../format.ts';
import {
  compareWithLive,
  detectFormat,
  type LiveComparison,
  mapOdcs,
  mappedIn,
  type MappedContract,
} from './read.ts';
import {
  hasVariables,
  makeScope,
  objectsAt,
  originIn,
  type Section,
  type Stated,
} from './scope.ts';
import { composeOdcs } from './compose.ts';
import { restateDescription, restateStatus } from './document-fields.ts';
import { restateSla } from './sla.ts';
import { restateProperties, restateQuality } from './columns.ts';
import { contractLabel } from '../../../contract/identity.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { listFirst } from '../../../core/text.ts';
import { labelKeyPath } from '../../../patch/identity.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../../../patch/pointer.ts';
import { withoutMark } from '../../text.ts';
import { diff, type Edit } from '../../../patch/diff.ts';

export const odcs: Format = {
  recognises: (document) => detectFormat(document).format !== 'native',
  read: (document, rules) => {
    const { format, diagnostics } = detectFormat(document);
    if (format !== 'odcs') return { contracts: [], diagnostics };
    const mapping = mapOdcs(document, rules);
    const contracts = mapping.contracts.map(({ fields, pointer, coarse }) => {
      return { fields, pointer, coarse, origin: originsOf(document, pointer, rules) };
    });
    return { contracts, diagnostics: [...diagnostics, ...mapping.diagnostics] };
  },
  restate: restateOdcs,
  compose: composeOdcs,
  // Editors recognise the files by their names.
  newFiles: { path: 'contracts/{domain}/{name}.odcs.yaml', head: () => '', areShared: false },
};

// Traces, which are larger than their contracts, are made again for the few that change.
function originsOf(document: JsonValue, contract: Pointer, rules: FormatRules) {
  let trace: Stated | undefined;
  return (pointer: Pointer): Origin => {
    const isOwn = (each: MappedContract) => deepEqual(each.pointer, contract);
    trace ??= mapOdcs(document, rules).contracts.find(isOwn)?.trace;
    return trace ? originIn(trace, pointer) : { pointer: contract };
  };
}

/**
 * Takes what ODCS can express; the rest stays as in the file and is reported. A document is edited
 * in one step, or contract by contract if that fails.
 */
function restateOdcs(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: RestateOptions,
): RestatedPart {
  const [first] = placed;
  const index = (first?.document.index ?? 0) - part.first;
  const document = valuesIn(withoutMark(part.text))[index];
  if (!first || !isObject(document)) {
    const problems = placed.map(({ difference }) => changedMeanwhile(difference));
    return { text: part.text, pulled: [], problems };
  }
  let state: Restated = { document, patch: [] };
  const pulled: Divergence[] = [];
  const problems: Diagnostic[] = [];
  for (const own of placed) {
    const subject = { ...own, ...options };
    const before = state;
    const reasons = new Map<string, Reason>();
    for (const field of managedFields) state = restateField(state, field, subject, reasons);
    if (state !== before) pulled.push(own.difference);
    problems.push(...notPulled(state.document, subject, reasons));
  }
  const edit = part.edit(part.text, state.patch, index);
  if (edit.kind === 'edited') return { text: edit.text, pulled, problems };
  if (placed.length === 1)
    return { text: part.text, pulled: [], problems: [editRefused(first.difference, edit)] };
  const each = placed.map((own) => [own]);
  return restateInTurn(part, each, options);
}

type Subject = PlacedDifference & RestateOptions;

type Restated = { readonly document: JsonObject; readonly patch: readonly Edit['operation'][] };

type Reason = keyof typeof sentences;

function restateField(
  state: Restated,
  field: string,
  subject: Subject,
  reasons: Map<string, Reason>,
): Restated {
  const before = compare(state.document, subject);
  if (!before || !differsIn(before, field)) return state;
  const next = attempt(state, field, subject);
  if (typeof next === 'object') return next;
  reasons.set(field, next);
  return state;
}

const restatements: { readonly [field: string]: (section: Section) => JsonObject } = {
  entityStatus: restateStatus,
  description: restateDescription,
  schema: restateProperties,
  sla: restateSla,
  odcsQualityRules: ({ scope, live }) => restateQuality(scope, live),
};

// Only what brings the file nearer to the catalog is taken.
function attempt(
  { document, patch: earlier }: Restated,
  field: string,
  subject: Subject,
): Restated | Reason {
  const { checks, difference } = subject;
  const before = compare(document, subject);
  const restate = restatements[field];
  if (!before || !restate) return 'no-words';
  const scope = makeScope({ value: document, pointer: [] }, checks);
  const object = objectsAt(scope.document, 'schema').find((each) =>
    deepEqual(each.pointer, before.contract.pointer),
  );
  const next = restate({
    scope: { ...scope, object },
    live: difference.live.document,
    rules: difference.rules,
    differs: (...path) => differsIn(before, ...path),
  });
  const patch = diff(document, next, { keys }).map(({ operation }) => operation);
  if (patch.some((operation) => touchesVariable(document, operation))) return 'variable';
  const after = compare(next, subject);
  const former = new Set(before.differences.map(({ place }) => place));
  const isBetter =
    after !== undefined &&
    !checks.check?.(after.managed).some(({ severity }) => severity === 'error') &&
    after.differences.length < before.differences.length &&
    after.differences.every(({ place }) => former.has(place));
  if (!isBetter) return 'no-words';
  if (isAgainstSiblings(document, next, field, subject)) return 'shared';
  return { document: next, patch: [...earlier, ...patch] };
}

// An entry of a service level keeps its identity when its value changes.
const keys = { slaProperties: ['property'] };

// A variable may have other values in other environments, so its text is never edited.
function touchesVariable(document: JsonObject, operation: Edit['operation']): boolean {
  if (operation.op === 'add') return false;
  if (!hasVariables({ value: document, pointer: [] })) return false;
  const place = 'from' in operation ? operation.from : operation.path;
  const value = valueAt(document, parsePointer(place) ?? []);
  return /\$\{[A-Za-z_]/u.test(JSON.stringify(value ?? null));
}

// A sibling is another object of the document, which its sections are for as well.
function isAgainstSiblings(
  before: JsonObject,
  after: JsonObject,
  field: string,
  { document, inFile, checks }: Subject,
): boolean {
  return inFile.some((sibling) => {
    if (sibling.document === document || sibling.document.index !== document.index) return false;
    const place = formatPointer(sibling.document.pointer);
    const former = mappedIn(before, checks).get(place);
    const later = mappedIn(after, checks).get(place);
    if (!former || !later) return former !== later;
    if (deepEqual(former.fields[field] ?? null, later.fields[field] ?? null)) return false;
    const comparison = compare(after, { ...sibling, checks });
    return comparison !== undefined && differsIn(comparison, field);
  });
}

function notPulled(
  document: JsonObject,
  subject: Subject,
  reasons: ReadonlyMap<string, Reason>,
): readonly Diagnostic[] {
  const { live, desired } = subject.difference;
  const { differences = [] } = compare(document, subject) ?? {};
  const places = differences.map(({ place }) => parsePointer(place) ?? []);
  return [...Map.groupBy(places, ([field = '']) => field)].map(([field, own]) => {
    const reason = reasons.get(field) ?? 'no-words';
    const [why, hint] = sentences[reason];
    const shown = own.map((each) => `\`${labelKeyPath(each)}\``);
    return {
      code: 'not-pulled',
      // A person can fix the file, but not what ODCS can't express.
      severity: reason === 'no-words' ? 'warning' : 'error',
      message: `${listFirst(shown, 3)} of ${contractLabel(live)} isn't pulled: ${why}`,
      hint,
      source: desired.locate([field]),
    };
  });
}

const sentences = {
  'no-words': [
    "ODCS can't express the catalog's value.",
    'An apply sets it to what the file says. Remove the section from the file to keep it.',
  ],
  variable: [
    'the file has a variable there.',
    'Change the value of the variable, or replace the variable with the text.',
  ],
  shared: [
    'several objects share it in the file but differ in the catalog.',
    'Make them equal in the catalog, or move the object to its own file.',
  ],
} as const;

function compare(
  state: JsonObject,
  { document, difference, checks }: PlacedDifference & { readonly checks: FormatRules },
) {
  return compareWithLive(state, document.pointer, difference, checks);
}

function differsIn({ differences }: LiveComparison, ...path: readonly string[]): boolean {
  const asked = `${formatPointer(path)}/`;
  return differences.some(
    ({ place }) => `${place}/`.startsWith(asked) || asked.startsWith(`${place}/`),
  );
}
