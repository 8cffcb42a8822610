import { type LiveContract, managedFields } from '../../../contract/contract.ts';
import type { RestateRules } from '../../../contract/equality.ts';
import { isArray, isEmpty, isObject, type JsonObject } from '../../../core/json.ts';
import {
  type ComposedDocument,
  type ComposeOptions,
  type FormatRules,
  isUnique,
} from '../format.ts';
import { compareWithLive } from './read.ts';
import { makeScope, objectsAt, objectsOf } from './scope.ts';
import { inexactNumbers } from '../../../contract/conventions.ts';
import { splitSegments } from '../../../contract/names.ts';
import { splitDescription, statusWord } from './document-fields.ts';
import { composeSla } from './sla.ts';
import { composeProperty, restateQuality } from './columns.ts';
import type { EntityRule } from './settings.ts';

/** A document that is read back as the contract, but for what ODCS can't express. */
export function composeOdcs(whole: LiveContract, options: ComposeOptions): ComposedDocument {
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

type Bindings = ReadonlyMap<string, string>;

/** The placeholder values with which a rule yields this entity; undefined where none can. */
function bindingsFor({ is, when }: EntityRule, entity: string): Bindings | undefined {
  if (is === null) return undefined;
  const placeholders = is.filter((part) => part.kind === 'placeholder');
  const patterns = is.map((part) =>
    part.kind === 'placeholder'
      ? '("(?:[^"]|"")*"|[^."]+)'
      : part.text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`),
  );
  const found = new RegExp(`^${patterns.join('')}$`, 'u').exec(entity);
  if (!found) return undefined;
  const bindings = new Map<string, string>();
  for (const [index, { name, filters }] of placeholders.entries()) {
    const text = found[index + 1] ?? '';
    const value = filters.includes('quote') ? (splitSegments(text)[0] ?? text) : text;
    if ((bindings.get(name) ?? value) !== value) return undefined;
    bindings.set(name, value);
  }
  const said = Object.entries(when).filter(
    ([name, pattern]) => !bindings.has(name) && !pattern.includes('*'),
  );
  return new Map([...bindings, ...said]);
}

function boundMembers(
  bindings: Bindings,
  { entity, server }: { readonly entity: string; readonly server?: string | undefined },
) {
  const of = (kind: string): JsonObject => {
    const own = [...bindings].filter(([placeholder]) => placeholder.startsWith(`${kind}.`));
    return Object.fromEntries(own.map(([name, value]) => [name.slice(kind.length + 1), value]));
  };
  const table = splitSegments(entity).at(-1) ?? entity;
  const { name = table, physicalName } = of('object');
  const { type = 'custom', ...keys } = of('server');
  const hasServer = Object.keys(of('server')).length > 0;
  const properties = Object.entries(of('property'));
  return {
    document: of('contract'),
    ...(hasServer && { servers: [{ server: server ?? 'production', type, ...keys }] }),
    object: {
      name: bindings.has('object.name') ? name : (physicalName ?? name),
      ...(physicalName !== undefined && bindings.has('object.name') && { physicalName }),
      ...(properties.length > 0 && {
        customProperties: properties.map(([property, value]) => ({ property, value })),
      }),
    },
  };
}
