import { type LiveContract, managedFields } from '../../../contract/contract.ts';
import { type RestateRules, targetDocument, withUnstated } from '../../../contract/equality.ts';
import { deepEqual, isArray, isEmpty, isObject, type JsonObject } from '../../../core/json.ts';
import { valuesIn } from '../../read/document.ts';
import {
  changedMeanwhile,
  type ComposedDocument,
  type ComposeOptions,
  type Divergence,
  editRefused,
  type FilePart,
  type Format,
  type FormatRules,
  isUnique,
  managedOf,
  noticesOf,
  restateInTurn,
  type OwnDocument,
  type PlacedDifference,
  type RestatedPart,
  type RestateOptions,
} from '../format.ts';
import { detectFormat, mapOdcs, type MappedContract } from './read.ts';
import {
  hasVariables,
  makeScope,
  objectsAt,
  objectsOf,
  originIn,
  type Section,
  type Stated,
  stateGroup,
} from './scope.ts';
import { inexactNumbers } from '../../../contract/conventions.ts';
import {
  restateDescription,
  restateStatus,
  splitDescription,
  statusWord,
} from './document-fields.ts';
import { composeSla, restateSla } from './sla.ts';
import { type Bindings, bindingsFor, boundMembers } from './entity.ts';
import { composeProperty, restateProperties, restateQuality } from './columns.ts';
import type { Operation, Patch } from '../../../patch/evaluate.ts';
import { contractLabel } from '../../../contract/identity.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { listFirst } from '../../../core/text.ts';
import { labelKeyPath } from '../../../patch/identity.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../../../patch/pointer.ts';
import { withoutMark } from '../../text.ts';
import { diff } from '../../../patch/diff.ts';
import { diffByPlace, type Difference } from '../../../patch/describe.ts';

export const odcs: Format = {
  recognises: (document) => detectFormat(document).format !== 'native',
  read: (document, rules) => {
    const { format, diagnostics } = detectFormat(document);
    if (format !== 'odcs') return { contracts: [], diagnostics };
    const mapping = mapOdcs(document, rules);
    // Traces, which are larger than their contracts, are not kept.
    const contracts = mapping.contracts.map(({ fields, pointer, coarse }) => {
      return { fields, pointer, coarse };
    });
    return { contracts, diagnostics: [...diagnostics, ...mapping.diagnostics] };
  },
  origin: (own, pointer) => originIn(traceOf(own), pointer),
  restate: restateOdcs,
  compose: composeOdcs,
  // Editors recognise the files by their names.
  newFiles: { path: 'contracts/{domain}/{name}.odcs.yaml', head: '', areShared: false },
};

// Caches the last document only, as few contracts change.
let last: { of: OwnDocument; contracts: readonly MappedContract[] } | undefined;

function traceOf(own: OwnDocument): Stated {
  const { document, rules } = own;
  const isLast =
    last && last.of.rules.odcs === rules.odcs && last.of.document.text === document.text;
  if (!isLast || last?.of.document.index !== document.index) {
    const value = valuesIn(document.text)[document.index] ?? null;
    last = { of: own, contracts: mapOdcs(value, rules).contracts };
  }
  const contract = last.contracts.find(({ pointer }) => deepEqual(pointer, own.contract.pointer));
  return contract?.trace ?? stateGroup(own.contract.pointer, {});
}

function composeOdcs(whole: LiveContract, options: ComposeOptions): ComposedDocument {
  const { names, rules, checks } = options;
  const scope = makeScope({ value: {}, pointer: [] }, checks);
  const { settings } = scope;
  const leftOut = inexactNumbers(whole.document);
  const unfit = new Set(leftOut.map(({ pointer }) => pointer[0]));
  const fit = Object.entries(whole.document).filter(([field]) => !unfit.has(field));
  const live = { ...whole, document: Object.fromEntries(fit) };
  const isBoundByEntity = settings.entity.length > 0 && !settings.name;
  if (isBoundByEntity && !isUnique(names, 'entity.fullyQualifiedName', live)) {
    const hint = 'Set `odcs.name`, such as "{contract.name}".';
    return { refused: { message: 'its entity has several contracts.', hint } };
  }
  const entity = live.entity?.fullyQualifiedName;
  const possible = settings.entity.flatMap((rule) => (entity && bindingsFor(rule, entity)) || []);
  const isBound = settings.entity.length === 0 || possible.length > 0;
  if (isBound && statusWord(live.document['entityStatus'], rules, scope) === undefined) {
    const hint = 'Map the status with `odcs.status`.';
    return { refused: { message: 'ODCS has no equivalent of its status.', hint } };
  }
  for (const bindings of settings.entity.length === 0 ? [new Map()] : possible) {
    const made = agreeing(live, bindings, options);
    if (made) return { ...made, leftOut };
  }
  const hint =
    'Add one, such as "warehouse.{server.database}.{server.schema}.{object.physicalName}".';
  return { refused: { message: 'no template in `odcs.entity` matches its entity.', hint } };
}

// Fields that would not be read back as they are live stay the catalog's.
function agreeing(live: LiveContract, bindings: Bindings, { rules, checks }: ComposeOptions) {
  const compare = (document: JsonObject) =>
    compareWithLive(document, ['schema', '0'], { live, rules }, checks);
  const whole = compare(compose(live, bindings, rules, checks));
  const differing = new Set(whole?.differences.map(({ place }) => place.split('/')[1]));
  const kept = Object.entries(live.document).filter(([field]) => !differing.has(field));
  const part = { ...live, document: Object.fromEntries(kept) };
  const document = compose(part, bindings, rules, checks);
  const comparison = compare(document);
  if (comparison?.differences.length !== 0) return undefined;
  const said = comparison.contract.fields;
  const { id, entity, name = live.name } = said;
  const fullName = isObject(entity) && entity['fullyQualifiedName'];
  const isSameEntity = fullName === live.entity?.fullyQualifiedName && name === live.name;
  if (id === undefined ? !isSameEntity : id !== live.id) return undefined;
  const leftToCatalog = managedFields.filter(
    (field) => !isEmpty(live.document[field]) && !Object.hasOwn(said, field),
  );
  return { document, leftToCatalog };
}

const version = { text: 'v3.1.0', minor: 1 };

function compose(
  live: LiveContract,
  bindings: Bindings,
  rules: RestateRules,
  checks: FormatRules,
): JsonObject {
  const scope = makeScope({ value: {}, pointer: [] }, checks);
  const { server, fields } = scope.settings;
  const entity = live.entity?.fullyQualifiedName ?? live.fullyQualifiedName ?? live.id;
  const { document, servers, object } = boundMembers(bindings, { entity, server });
  const { entityStatus, description, schema, sla } = live.document;
  const status = statusWord(entityStatus, rules, scope);
  const context = { scope, minor: version.minor };
  const properties =
    isArray(schema) && objectsOf(schema).map((column) => composeProperty(column, context));
  const value: JsonObject = {
    apiVersion: version.text,
    kind: 'DataContract',
    id: live.id,
    ...(live.name !== undefined && { name: live.name }),
    // ODCS versions have three numbers; the catalog's have two.
    version: `${live.version ?? '0.1'}.0`,
    ...(status !== undefined && { status }),
    ...document,
    ...(typeof description === 'string' && { description: splitDescription(description) }),
    ...(servers && { servers }),
    schema: [{ ...object, ...(properties && { properties }) }],
    ...(isObject(sla) && composeSla(sla, scope)),
  };
  if (!fields.includes('odcsQualityRules')) return value;
  const composed = makeScope({ value, pointer: [] }, checks);
  const [own] = objectsAt(composed.document, 'schema');
  return restateQuality({ ...composed, object: own }, live.document);
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
  const edit = part.edit(part.text, state.patch, { document: index });
  if (edit.kind === 'edited') {
    const notices = noticesOf(first.difference, edit);
    return { text: edit.text, pulled, problems: [...notices, ...problems] };
  }
  if (placed.length === 1)
    return { text: part.text, pulled: [], problems: [editRefused(first.difference, edit)] };
  const each = placed.map((own) => [own]);
  return restateInTurn(part, each, options);
}

type Subject = PlacedDifference & RestateOptions;

type Restated = { readonly document: JsonObject; readonly patch: Patch };

type Reason = keyof typeof sentences;

function restateField(
  state: Restated,
  field: string,
  subject: Subject,
  reasons: Map<string, Reason>,
): Restated {
  const before = compare(state.document, subject);
  if (!before || !differsIn(before, field)) return state;
  const whole = attempt(state, field, subject, () => true);
  if (typeof whole === 'object') return whole;
  reasons.set(field, whole);
  if (field !== 'schema') return state;
  const lists = [subject.difference.live.document['schema'], before.contract.fields['schema']];
  const columns = lists.filter(isArray).flat();
  const names = columns.map((column) => (isObject(column) ? column['name'] : undefined));
  let current = state;
  for (const name of new Set(names.filter((each) => typeof each === 'string'))) {
    const next = attempt(current, field, subject, (column) => column === name);
    if (typeof next === 'object') current = next;
  }
  return current;
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
  isMeant: Section['isMeant'],
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
    isMeant,
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
function touchesVariable(document: JsonObject, operation: Operation): boolean {
  if (operation.op === 'add' || operation.op === 'test') return false;
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

// Mapping a document takes a while, and it is needed once for each contract and field.
const mapped = new WeakMap<JsonObject, ReadonlyMap<string, MappedContract>>();

function mappedIn(document: JsonObject, checks: FormatRules) {
  const known = mapped.get(document);
  if (known) return known;
  const { contracts, diagnostics } = mapOdcs(document, checks);
  const isBroken = diagnostics.some(({ severity = 'error' }) => severity === 'error');
  const byPointer = new Map(
    (isBroken ? [] : contracts).map((each) => [formatPointer(each.pointer), each] as const),
  );
  mapped.set(document, byPointer);
  return byPointer;
}

function compare(
  state: JsonObject,
  { document, difference, checks }: PlacedDifference & { readonly checks: FormatRules },
) {
  return compareWithLive(state, document.pointer, difference, checks);
}

type LiveComparison = {
  readonly contract: MappedContract;
  readonly managed: JsonObject;
  /** From live to what the document says. */
  readonly differences: readonly Difference[];
};

export function compareWithLive(
  document: JsonObject,
  pointer: Pointer,
  { live, rules }: { readonly live: LiveContract; readonly rules: RestateRules },
  checks: FormatRules,
): LiveComparison | undefined {
  const contract = mappedIn(document, checks).get(formatPointer(pointer));
  if (!contract) return undefined;
  const stated = { managed: managedOf(contract.fields), coarse: contract.coarse };
  const managed = withUnstated(stated, live.document);
  const target = targetDocument(live, managed, rules.equivalence, rules.arrays);
  return { contract, managed, differences: diffByPlace(live.document, target, rules.arrays) };
}

function differsIn({ differences }: LiveComparison, ...path: readonly string[]): boolean {
  const asked = `${formatPointer(path)}/`;
  return differences.some(
    ({ place }) => `${place}/`.startsWith(asked) || asked.startsWith(`${place}/`),
  );
}
