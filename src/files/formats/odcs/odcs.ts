import { type LiveContract, managedFields } from '../../../contract/contract.ts';
import type { RestateRules } from '../../../contract/equality.ts';
import { deepEqual, isArray, isEmpty, isObject, type JsonObject } from '../../../core/json.ts';
import { valuesIn } from '../../read/document.ts';
import {
  type ComposedDocument,
  type ComposeOptions,
  type Format,
  type FormatRules,
  isUnique,
  type OwnDocument,
} from '../format.ts';
import { detectFormat, mapOdcs, type MappedContract } from './read.ts';
import { restateQuality } from './quality.ts';
import { makeScope, objectsAt, objectsOf, originIn, type Stated, stateGroup } from './scope.ts';
import { compareWithLive, restateOdcs } from './restate.ts';
import { inexactNumbers } from '../../../contract/conventions.ts';
import { splitDescription, statusWord } from './document-fields.ts';
import { composeSla } from './sla.ts';
import { type Bindings, bindingsFor, boundMembers } from './entity.ts';
import { composeProperty } from './columns.ts';

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
