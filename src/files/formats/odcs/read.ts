import { isArray, isEmpty, isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { listFirst, printable, quote } from '../../../core/text.ts';
import {
  coarseValues,
  listAt,
  makeScope,
  type MappingScope,
  memberAt,
  objectsAt,
  objectsOf,
  type OdcsVersion,
  odcsVersionText,
  parseOdcsVersion,
  type PlacedObject,
  reportTwins,
  type Stated,
  stateGroup,
  stateValue,
  textAt,
} from './scope.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import { isUuid } from '../../../contract/identity.ts';
import { formatPointer, type Pointer } from '../../../patch/pointer.ts';
import { diffByPlace, type Difference } from '../../../patch/describe.ts';
import { type RestateRules, targetDocument, withUnstated } from '../../../contract/equality.ts';
import { type FormatRules, managedOf } from '../format.ts';
import { mapColumns, isKept, mapQuality } from './columns.ts';
import {
  isOwnDescription,
  isOwnProperty,
  mapDescription,
  mapExtension,
  mapMovedFrom,
  mapOwners,
  mapStatus,
} from './document-fields.ts';
import { bindToEntity, type StatedIdentity } from './entity.ts';
import type { CoarseValue, LiveContract } from '../../../contract/contract.ts';
import { defaultOdcsRules, type OdcsField, type OdcsSettings } from './settings.ts';
import { odcsShapeProblems } from './shape.ts';
import { isMappedSla, mapSla } from './sla.ts';

type DetectedFormat = {
  readonly format: 'native' | 'odcs' | 'foreign';
  readonly diagnostics: readonly PointerDiagnostic[];
};

const native: DetectedFormat = { format: 'native', diagnostics: [] };

/** Native files have neither `kind` nor `apiVersion`. */
export function detectFormat(document: JsonValue): DetectedFormat {
  if (!isObject(document)) return native;
  const text = odcsVersionText(document['apiVersion']);
  if (document['kind'] === 'DataContract') {
    const version = parseOdcsVersion(text);
    if (version?.major !== 3) return foreign(unsupported(text, version));
    if (version.minor <= 2) return { format: 'odcs', diagnostics: [] };
    const message = `ODCS ${text} is newer than v3.2.0, the newest supported: read as v3.2.0.`;
    const newer = { code: 'odcs-version-newer', severity: 'warning', message } as const;
    const hint = 'Upgrade contract-sync.';
    return { format: 'odcs', diagnostics: [{ ...newer, hint, pointer: ['apiVersion'] }] };
  }
  if (document['kind'] === 'DataProduct') {
    const message = 'This is a data product (ODPS), not a data contract: left out.';
    const severity = 'information';
    return foreign({ code: 'not-a-contract', severity, message, pointer: ['kind'] });
  }
  if (Object.hasOwn(document, 'dataContractSpecification')) return foreign(specification);
  // A version of three numbers; Kubernetes writes `apps/v1`.
  const isVersioned = /^v?[23]\.\d+\.\d+/u.test(text);
  return isVersioned ? foreign(unknownKind(document)) : native;
}

function foreign(diagnostic: PointerDiagnostic): DetectedFormat {
  return { format: 'foreign', diagnostics: [diagnostic] };
}

const leaveOut = 'add the file to `contracts.exclude`';

const specification: PointerDiagnostic = {
  code: 'odcs-version-unsupported',
  message: "Can't read the Data Contract Specification, which ODCS has replaced.",
  hint: `Convert the file with \`datacontract export odcs\`, or ${leaveOut}.`,
  pointer: ['dataContractSpecification'],
  atKey: true,
};

function unknownKind({ kind }: JsonObject): PointerDiagnostic {
  const message =
    typeof kind === 'string'
      ? `Unknown kind ${quote(kind)}.`
      : 'The document has an `apiVersion` of ODCS but no `kind`.';
  const hint = `Write \`kind: DataContract\`, or ${leaveOut}.`;
  return { code: 'odcs-kind-unknown', message, hint, pointer: ['kind'] };
}

function unsupported(text: string, version: OdcsVersion | undefined): PointerDiagnostic {
  const isOlder = version && version.major <= 3;
  const way = isOlder ? 'Convert the file to ODCS v3.1.0' : 'Upgrade contract-sync';
  const hint = version
    ? `${way}, or ${leaveOut}.`
    : 'Write `apiVersion: v3.1.0`, or another version from v3.0.0 to v3.2.0.';
  const message = text === '' ? 'The file has no ODCS version.' : `Can't read ODCS ${quote(text)}.`;
  return { code: 'odcs-version-unsupported', message, hint, pointer: ['apiVersion'] };
}

export type MappedContract = {
  /** Below the top level, null removes a live member that `keepUnstated` would keep. */
  readonly fields: JsonObject;
  readonly trace: Stated;
  readonly pointer: Pointer;
  readonly coarse: readonly CoarseValue[];
};

/** Contracts with errors, of their own or of the document, are left out. */
export type OdcsMapping = {
  readonly contracts: readonly MappedContract[];
  readonly diagnostics: readonly PointerDiagnostic[];
};

export function mapOdcs(value: JsonValue, rules: FormatRules): OdcsMapping {
  const { settings } = rules.odcs ?? defaultOdcsRules;
  const diagnostics = odcsShapeProblems(value, settings);
  if (!isObject(value)) return { contracts: [], diagnostics };
  const document = { value, pointer: [] };
  const scope = makeScope(document, rules, (diagnostic) => diagnostics.push(diagnostic));
  const contracts = mapObjects(scope);
  diagnostics.push(...notSynced(document, settings));
  const byText = new Map(
    diagnostics.map((each) => [`${each.pointer.join('/')} ${each.code} ${each.message}`, each]),
  );
  return {
    contracts: contracts.filter(
      (contract) =>
        !diagnostics.some(
          ({ severity = 'error', pointer }) =>
            severity === 'error' && !isElsewhere(pointer, contract.pointer),
        ),
    ),
    diagnostics: [...byText.values()],
  };
}

// Within another object of `schema`; what is in none of them concerns all.
function isElsewhere([section, index]: Pointer, [, own]: Pointer): boolean {
  return section === 'schema' && index !== undefined && own !== undefined && index !== own;
}

// An object without an entity is mapped too, so that all its problems are reported.
function mapObjects(scope: MappingScope): MappedContract[] {
  const objects = objectsAt(scope.document, 'schema');
  const names = objects.flatMap((object) => textAt(object, 'name') ?? []);
  reportTwins(names, 'objects', scope);
  const id = textAt(scope.document, 'id');
  // A catalog's own import gives a contract the UUID of its document.
  if (objects.length < 2 && scope.settings.entity.length === 0 && id && isUuid(id.value)) {
    const identity = { id: stateValue(id.pointer, id.value) };
    return [mapObject({ ...scope, object: objects[0] }, identity)];
  }
  if (objects.length === 0) {
    const schema = memberAt(scope.document, 'schema');
    if (!schema || isArray(schema.value)) {
      const message = 'The file has no object in `schema`, so it has no entity.';
      const hint = 'Add an object for the table or topic, or add the file to `contracts.exclude`.';
      scope.report({ code: 'no-object', message, hint, pointer: schema?.pointer ?? [] });
    }
    mapObject(scope);
  }
  return objects.flatMap((object) => {
    const own = { ...scope, object };
    const identity = bindToEntity(own);
    if (identity === 'left-out') return [];
    const contract = mapObject(own, identity);
    return identity ? [contract] : [];
  });
}

const fieldMappings: {
  readonly [field in Exclude<OdcsField, 'tags'>]: (scope: MappingScope) => Stated | undefined;
} = {
  description: mapDescription,
  entityStatus: mapStatus,
  sla: mapSla,
  schema: (scope) => {
    const properties = scope.object && listAt(scope.object, 'properties');
    return properties && mapColumns(properties, scope);
  },
  owners: mapOwners,
  extension: mapExtension,
  odcsQualityRules: mapQuality,
};

function mapObject(scope: MappingScope, identity?: StatedIdentity): MappedContract {
  const managed = Object.entries(fieldMappings)
    .filter(([field]) => scope.settings.fields.some((each) => each === field))
    .map(([field, map]) => [field, map(scope)] as const);
  const pointer = scope.object?.pointer ?? [];
  const movedFrom = mapMovedFrom(scope);
  const trace = stateGroup(pointer, { ...identity, movedFrom, ...Object.fromEntries(managed) });
  return { fields: trace.json, trace, pointer, coarse: coarseValues(trace) };
}

function notSynced(document: PlacedObject, settings: OdcsSettings): PointerDiagnostic[] {
  const { fields } = settings;
  const objects = objectsAt(document, 'schema');
  const described = objects.filter(
    (object) => textAt(object, 'description') && !isOwnDescription(object, document),
  );
  const elements = elementsOf(document.value);
  const areRules = fields.includes('odcsQualityRules');
  const rules = [document.value, ...elements].flatMap(({ quality }) => objectsOf(quality));
  const ofElements = [...syncedOfElements, ...(areRules ? ['quality'] : [])];
  const ofColumns = [...ofElements, ...(fields.includes('tags') ? ['tags'] : [])];
  const levels = objectsAt(document, 'slaProperties').filter(
    (entry) => !fields.includes('sla') || !isMappedSla(entry),
  );
  const parts = [
    listKeys('', unsyncedKeys(document.value, syncedOfDocument(settings))),
    listKeys('of objects and columns ', [
      ...described.map(() => 'description'),
      ...objects.flatMap(({ value }) => unsyncedKeys(value, ofElements)),
      ...elements.flatMap((element) => unsyncedKeys(element, ofColumns)),
    ]),
    listKeys(
      'of the SLA ',
      levels.map((entry) => textAt(entry, 'property')?.value ?? '?'),
    ),
    listKeys(
      'of quality rules ',
      areRules
        ? rules.flatMap((rule) => Object.keys(rule).filter((key) => !isKept(rule, key)))
        : [],
    ),
  ].filter((part) => part !== '');
  if (parts.length === 0) return [];
  const message = `${parts.join('; ')}: not synced.`;
  return [{ code: 'not-synced', severity: 'information', scope: 'contract', message, pointer: [] }];
}

function listKeys(of: string, keys: readonly string[]): string {
  return keys.length > 0 ? of + printable(listFirst([...new Set(keys)].toSorted(), 10), 300) : '';
}

// The identity, the version and the servers are not content.
function syncedOfDocument({ fields, extension }: OdcsSettings): readonly string[] {
  return [
    ...'apiVersion kind id name version servers schema slaProperties'.split(' '),
    ...(fields.includes('entityStatus') ? ['status'] : []),
    ...(fields.includes('description') ? ['description'] : []),
    ...(fields.includes('owners') ? ['team'] : []),
    ...(fields.includes('extension') && extension.length > 0 ? ['customProperties'] : []),
    ...(fields.includes('odcsQualityRules') ? ['quality'] : []),
  ];
}

const syncedOfElements = `id name physicalName physicalType logicalType semanticType description
  primaryKey unique required properties items`.split(/\s+/u);

function unsyncedKeys(element: JsonObject, synced: readonly string[]): readonly string[] {
  return Object.entries(element).flatMap(([key, value]) => {
    if (synced.includes(key)) return [];
    const content = objectsOf(value).filter(({ property }) => !isOwnProperty(property));
    const isOwn = key === 'customProperties' && content.length === 0;
    const isLength =
      key === 'logicalTypeOptions' &&
      isObject(value) &&
      Object.keys(value).every((option) => option === 'maxLength');
    return isIdle(value) || isOwn || isLength ? [] : [key];
  });
}

// Whether a value is empty or the standard's default.
function isIdle(value: JsonValue): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return isEmpty(value) || value === '' || value === false || value === -1;
}

function elementsOf(parent: JsonObject): JsonObject[] {
  const below = ['schema', 'properties', 'items'].flatMap((key) => [parent[key]].flat());
  return below
    .filter((child): child is JsonObject => isObject(child))
    .flatMap((child) => [child, ...elementsOf(child)]);
}

// Mapping a document takes a while, and it is needed once for each contract and field.
const mapped = new WeakMap<JsonObject, ReadonlyMap<string, MappedContract>>();

export function mappedIn(document: JsonObject, checks: FormatRules) {
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

export type LiveComparison = {
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
