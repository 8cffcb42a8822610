import { type LiveContract, managedFields } from '../../../contract/contract.ts';
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
import {
  listAt,
  makeScope,
  type MappingScope,
  objectsIn,
  originIn,
  type Stated,
  stateGroup,
} from './scope.ts';
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
  const status = statusWord(live.document['entityStatus'], rules, scope);
  const name = live.entity?.fullyQualifiedName;
  const possible: readonly Bindings[] =
    settings.entity.length === 0
      ? [new Map()]
      : settings.entity.flatMap((rule) => (name && bindingsFor(rule, name)) || []);
  if (possible.length === 0) return { refused: unbound };
  if (status === undefined) {
    const hint = 'Map the status with `odcs.status`.';
    return { refused: { message: 'ODCS has no equivalent of its status.', hint } };
  }
  for (const bindings of possible) {
    const plain = compose(live, status, bindings, scope);
    for (const document of [withQuality(plain, live, checks), plain]) {
      const made = agreeing(document, live, options);
      if (made) return { ...made, leftOut };
    }
  }
  return { refused: unbound };
}

const unbound = {
  message: 'no template in `odcs.entity` matches its entity.',
  hint: 'Add one, such as "warehouse.{server.database}.{server.schema}.{object.physicalName}".',
};

function agreeing(composed: JsonObject, live: LiveContract, { rules, checks }: ComposeOptions) {
  const compare = (document: JsonObject) =>
    compareWithLive(document, ['schema', '0'], { live, rules }, checks);
  const differing = compare(composed)?.differences ?? [];
  const fields = new Set(differing.map(({ place }) => place.split('/')[1] ?? ''));
  const document = [...fields].reduce(withoutField, composed);
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
  // An SLA that can't be read back would only cause a warning in each plan.
  const isSlaLeft = leftToCatalog.includes('sla');
  return { document: isSlaLeft ? withoutField(document, 'sla') : document, leftToCatalog };
}

const version = { text: 'v3.1.0', minor: 1 };

function compose(live: LiveContract, status: string, bindings: Bindings, scope: MappingScope) {
  const entity = live.entity?.fullyQualifiedName ?? live.fullyQualifiedName ?? live.id;
  const { server } = scope.settings;
  const { document, servers, object } = boundMembers(bindings, { entity, server });
  const { description, schema, sla } = live.document;
  const columns = isArray(schema) && schema.filter(isObject);
  const hasTags = scope.settings.fields.includes('tags');
  const properties =
    columns &&
    columns.map((column) =>
      composeProperty(column, { minor: version.minor, isLarge: false, hasTags }),
    );
  return {
    apiVersion: version.text,
    kind: 'DataContract',
    id: live.id,
    ...(live.name !== undefined && { name: live.name }),
    // ODCS versions have three numbers; the catalog's have two.
    version: `${live.version ?? '0.1'}.0`,
    status,
    ...document,
    ...(typeof description === 'string' && { description: splitDescription(description) }),
    ...(servers && { servers }),
    schema: [{ ...object, ...(properties && { properties }) }],
    ...(isObject(sla) && composeSla(sla, scope)),
  };
}

function withQuality(document: JsonObject, live: LiveContract, checks: FormatRules): JsonObject {
  const scope = makeScope({ value: document, pointer: [] }, checks);
  if (!scope.settings.fields.includes('odcsQualityRules')) return document;
  const [object] = objectsIn(listAt(scope.document, 'schema'));
  return restateQuality({ scope: { ...scope, object }, live: live.document });
}

function withoutField(document: JsonObject, field: string): JsonObject {
  const { schema } = document;
  if (field === 'schema' && isArray(schema)) {
    const objects = schema.filter(isObject).map((object) => without(object, 'properties'));
    return { ...document, schema: objects };
  }
  if (field === 'sla') return without(document, 'slaProperties');
  return without(document, field === 'entityStatus' ? 'status' : field);
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name));
}
