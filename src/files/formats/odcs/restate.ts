import { managedFields } from '../../../contract/contract.ts';
import { contractLabel } from '../../../contract/identity.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { deepEqual, isArray, isObject, type JsonObject } from '../../../core/json.ts';
import { listFirst, quote } from '../../../core/text.ts';
import { labelKeyPath } from '../../../patch/identity.ts';
import type { Operation } from '../../../patch/evaluate.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../../../patch/pointer.ts';
import { valuesIn } from '../../read/document.ts';
import { withoutMark } from '../../read/text.ts';
import {
  changedMeanwhile,
  type Divergence,
  type FilePart,
  type FormatRules,
  noticesOf,
  type PlacedDifference,
  type RestatedPart,
  type RestateOptions,
} from '../format.ts';
import { targetDocument } from '../../../contract/equality.ts';
import { diff } from '../../../patch/diff.ts';
import { diffByPlace } from '../../../patch/describe.ts';
import type { editYaml } from '../../edit/edit.ts';
import { managedOf } from '../desired.ts';
import { restateProperties } from './columns.ts';
import { restateDescription, restateStatus } from './document-fields.ts';
import { mapOdcs, type MappedContract } from './read.ts';
import { withUnstated } from '../../../contract/unstated.ts';
import { hasVariables, listAt, makeScope, objectsIn, type Section } from './scope.ts';
import { restateSla } from './sla.ts';

/**
 * Takes what ODCS can express; the rest stays as in the file and is reported. A document is edited
 * in one step; if that fails, in halves, and at last field by field.
 */
export function restateOdcs(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: RestateOptions,
): RestatedPart {
  const noted: Operation[] = [];
  const edit: FilePart['edit'] = (text, patch) => {
    noted.push(...patch);
    return { kind: 'edited', text, notices: [], removedComments: [] };
  };
  const [first] = placed;
  const { pulled, problems } = restateEach(part, placed, { ...options, edit });
  const index = (first?.document.index ?? 0) - part.first;
  const together = part.edit(part.text, noted, { document: index });
  if (first && together.kind === 'edited') {
    const notices = noticesOf(first.difference, together);
    return { text: together.text, pulled, problems: [...notices, ...problems] };
  }
  if (placed.length < 2) return restateEach(part, placed, { ...options, edit: part.edit });
  const half = Math.ceil(placed.length / 2);
  const former = restateOdcs(part, placed.slice(0, half), options);
  const latter = restateOdcs({ ...part, text: former.text }, placed.slice(half), options);
  return {
    text: latter.text,
    pulled: [...former.pulled, ...latter.pulled],
    problems: [...former.problems, ...latter.problems],
  };
}

function restateEach(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: RestateOptions & Pick<FilePart, 'edit'>,
): RestatedPart {
  const index = (placed[0]?.document.index ?? 0) - part.first;
  const document = valuesIn(withoutMark(part.text))[index];
  if (!isObject(document)) {
    const problems = placed.map(({ difference }) => changedMeanwhile(difference));
    return { text: part.text, pulled: [], problems };
  }
  let state: OdcsState = { text: part.text, document, notices: [] };
  const pulled: Divergence[] = [];
  const problems: Diagnostic[] = [];
  for (const own of placed) {
    const restated = restateContract(state, own, { ...options, index });
    if (restated.state.document !== state.document) pulled.push(own.difference);
    problems.push(...restated.problems);
    state = restated.state;
  }
  return { text: state.text, pulled, problems };
}

function restateContract(
  before: OdcsState,
  { difference, document }: PlacedDifference,
  options: RestateOptions & Pick<FilePart, 'edit'> & { readonly index: number },
): { readonly state: OdcsState; readonly problems: readonly Diagnostic[] } {
  const { index, edit, checks, inFile } = options;
  const siblings = inFile.filter(
    (each) => each.document !== document && each.document.index === document.index,
  );
  const { pointer } = document;
  const subject = { index, pointer, difference, siblings, checks, edit };
  const reasons = new Map<string, Reason>();
  let state: OdcsState = { ...before, notices: [] };
  for (const field of managedFields) state = restateField(state, field, subject, reasons);
  const { differences = [] } = compareWithLive(state.document, subject) ?? {};
  const places = differences.map(({ place }) => parsePointer(place) ?? []);
  const byField = Map.groupBy(places, ([field = '']) => field);
  const notPulled = [...byField].map(([field, own]) =>
    notPulledProblem(difference, field, own.map(labelKeyPath), reasons.get(field)),
  );
  return { state, problems: [...state.notices, ...notPulled] };
}

function restateField(
  state: OdcsState,
  field: string,
  subject: OdcsSubject,
  reasons: Map<string, Reason>,
): OdcsState {
  const before = compareWithLive(state.document, subject);
  if (!before || !differsIn(before, field)) return state;
  const whole = attempt(state, field, { subject, before, isMeant: () => true });
  if ('text' in whole) return whole;
  reasons.set(field, whole);
  if (field !== 'schema') return state;
  const lists = [subject.difference.live.document['schema'], before.contract.fields['schema']];
  const columns = lists.filter(isArray).flat();
  const names = columns.map((column) => (isObject(column) ? column['name'] : undefined));
  return [...new Set(names.filter((name) => typeof name === 'string'))].reduce((current, name) => {
    const now = compareWithLive(current.document, subject) ?? before;
    const isMeant = (column: string): boolean => column === name;
    const next = attempt(current, field, { subject, before: now, isMeant });
    return 'text' in next ? next : current;
  }, state);
}

// An error where a person can fix the file; not one where ODCS can't express the value.
function notPulledProblem(
  { live, desired }: Divergence,
  field: string,
  labels: readonly string[],
  reason: Reason = { kind: 'no-words' },
): Diagnostic {
  const [because, hint] = sentences[reason.kind];
  const why = reason.kind === 'refused' ? reason.reason : because;
  const place = desired.locate([field]);
  const shown = labels.map((label) => `\`${label}\``);
  return {
    code: 'not-pulled',
    severity: reason.kind === 'no-words' ? 'warning' : 'error',
    message: `${listFirst(shown, 3)} of ${contractLabel(live)} isn't pulled: ${why}`,
    hint,
    source: reason.kind === 'refused' ? { ...place, line: reason.line, column: 1 } : place,
  };
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
  refused: ['', 'Change the file yourself. `contract-sync plan` shows what differs.'],
} as const;

type OdcsSubject = Compared & {
  readonly difference: Divergence;
  readonly index: number;
  readonly siblings: readonly PlacedDifference[];
  readonly edit: typeof editYaml;
};

type OdcsState = {
  readonly text: string;
  readonly document: JsonObject;
  readonly notices: readonly Diagnostic[];
};

type Reason =
  | { readonly kind: 'no-words' | 'variable' | 'shared' }
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string };

type Trial = Pick<Section, 'isMeant'> & {
  readonly subject: OdcsSubject;
  readonly before: LiveComparison;
};

function attempt(state: OdcsState, field: string, trial: Trial): OdcsState | Reason {
  const { subject, before } = trial;
  const removals: Diagnostic[] = [];
  const { desired } = subject.difference;
  const next = restate(state.document, field, trial, (column, removed) => {
    const listed = removed.map((name) => `\`${name}\``).join(', ');
    const message = `Removed ${listed} of ${quote(column)}: the column's new type has no such thing.`;
    const source = desired.locate([field]);
    removals.push({ code: 'pull-notice', severity: 'information', message, source });
  });
  const patch = diff(state.document, next, { keys }).map(({ operation }) => operation);
  if (patch.some((operation) => touchesVariable(state.document, operation)))
    return { kind: 'variable' };
  const after = compareWithLive(next, subject);
  const { check = () => [] } = subject.checks;
  const isSound = after && !check(after.managed).some(({ severity }) => severity === 'error');
  const former = new Set(before.differences.map(({ place }) => place));
  const isBetter =
    isSound &&
    after.differences.length < before.differences.length &&
    after.differences.every(({ place }) => former.has(place));
  if (!isBetter) return { kind: 'no-words' };
  if (isAgainstSiblings(state.document, next, field, subject)) return { kind: 'shared' };
  const edit = subject.edit(state.text, patch, { document: subject.index });
  if (edit.kind === 'refused') return edit;
  const notices = [...state.notices, ...noticesOf(subject.difference, edit), ...removals];
  return { text: edit.text, document: next, notices };
}

// An entry keeps its identity when its value changes.
const keys = { slaProperties: ['property'] };

const restatements: { readonly [field: string]: (section: Section) => JsonObject } = {
  entityStatus: restateStatus,
  description: restateDescription,
  schema: restateProperties,
  sla: restateSla,
};

function restate(
  document: JsonObject,
  field: string,
  { subject, before, isMeant }: Trial,
  note: Section['note'],
) {
  const scope = makeScope({ value: document, pointer: [] }, subject.checks);
  const { live, rules } = subject.difference;
  const { trace, pointer } = before.contract;
  const objects = objectsIn(listAt(scope.document, 'schema'));
  const object = objects.find((each) => deepEqual(each.pointer, pointer));
  const differs: Section['differs'] = (...path) => differsIn(before, ...path);
  const own = { scope: { ...scope, object }, trace, live: live.document };
  return restatements[field]?.({ ...own, rules, differs, isMeant, note }) ?? document;
}

// A variable may have other values in other environments, so its text is never edited.
function touchesVariable(document: JsonObject, operation: Operation): boolean {
  if (operation.op === 'add' || operation.op === 'test') return false;
  if (!hasVariables({ value: document, pointer: [] })) return false;
  const place = 'from' in operation ? operation.from : operation.path;
  const value = valueAt(document, parsePointer(place) ?? []);
  return /\$\{[A-Za-z_]/u.test(JSON.stringify(value ?? null));
}

function isAgainstSiblings(
  before: JsonObject,
  after: JsonObject,
  field: string,
  { siblings, checks }: OdcsSubject,
): boolean {
  return siblings.some(({ difference, document: { pointer } }) => {
    const place = formatPointer(pointer);
    const [former, later] = [before, after].map((each) => mappedIn(each, checks).get(place));
    if (!former || !later) return former !== later;
    const [said = null, says = null] = [former.fields[field], later.fields[field]];
    if (deepEqual(said, says)) return false;
    const comparison = compareWithLive(after, { pointer, difference, checks });
    return comparison !== undefined && differsIn(comparison, field);
  });
}

type LiveComparison = NonNullable<ReturnType<typeof compareWithLive>>;

type Compared = {
  readonly pointer: Pointer;
  readonly difference: Pick<Divergence, 'live' | 'rules'>;
  readonly checks: FormatRules;
};

// Mapping a document takes a while, and it is needed once for each contract and field.
const mapped = new WeakMap<
  JsonObject,
  { of: FormatRules['odcs']; contracts: ReadonlyMap<string, MappedContract> }
>();

function mappedIn(document: JsonObject, checks: FormatRules) {
  const known = mapped.get(document);
  if (known && known.of === checks.odcs) return known.contracts;
  const { contracts, diagnostics } = mapOdcs(document, checks);
  const isBroken = diagnostics.some(({ severity = 'error' }) => severity === 'error');
  const byPointer = new Map(
    (isBroken ? [] : contracts).map((each) => [formatPointer(each.pointer), each] as const),
  );
  mapped.set(document, { of: checks.odcs, contracts: byPointer });
  return byPointer;
}

export function compareWithLive(
  document: JsonObject,
  { pointer, difference: { live, rules }, checks }: Compared,
) {
  const contract = mappedIn(document, checks).get(formatPointer(pointer));
  if (!contract) return undefined;
  const managed = withUnstated(
    { managed: managedOf(contract.fields), coarse: contract.coarse },
    live.document,
  );
  const target = targetDocument(live, managed, rules.equivalence, rules.arrays);
  // From live to what the document says.
  return { contract, managed, differences: diffByPlace(live.document, target, rules.arrays) };
}

function differsIn({ differences }: LiveComparison, ...path: readonly string[]): boolean {
  const asked = `${formatPointer(path)}/`;
  return differences.some(
    ({ place }) => `${place}/`.startsWith(asked) || asked.startsWith(`${place}/`),
  );
}
