import {
  type ContractHead,
  formatVersion,
  type Identity,
  type LiveContract,
  textMembers,
} from '../../../contract/contract.ts';
import {
  type CarriedChange,
  type Carrier,
  predictSmallStep,
} from '../../../contract/conventions.ts';
import type { Lineage, LineageAsset, LineageEdge } from '../../../contract/lineage.ts';
import {
  compareCodeUnits,
  deepEqual,
  isArray,
  isEmpty,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import type { Patch } from '../../../patch/evaluate.ts';
import type { ContractAddress } from '../../catalog.ts';
import { isSince, type Product, type WrittenState } from '../product.ts';
import { checkChange, checkFields, checkNew, properties } from './check.ts';
import { meaning } from './refused.ts';
import {
  asWritten,
  bodyOf,
  equivalence,
  fromVersion,
  isDateField,
  lifecycle,
  reviewedStatuses,
} from './words.ts';

/** OpenMetadata, releases 1.10 to 2.1; where they differ, as 1.12.6 was observed. */
export const openmetadata: Product = {
  name: 'openmetadata',
  title: 'OpenMetadata',
  contractSchema: 'contract.openmetadata',
  detect: {
    statuses: ['Approved', 'In Review', 'Unprocessed', 'Rejected', 'Archived'],
    statusesSince: { Archived: '1.13.0' },
    release: {
      since: '1.10',
      sparesBotsSince: '2.1',
      parse: parseRelease,
      describe: describeRelease,
    },
  },
  equivalence,
  fromWire: withEntityName,
  fromVersion,
  addressOf,
  // The server gives up to 1,000,000, more than any memory holds as one answer.
  keyCursors: { largestPage: 5000 },
  resolvesReferences: true,
  checksColumns: true,
  owningTeams: ['Group'],
  properties,
  creation: { nameOf: contractNameOf, toWire: bodyOf, checkNew },
  lifecycle,
  predictVersions: predictSmallStep,
  checkFields,
  checkChange,
  asWritten,
  // Dates are numbers in answers, and are not kept as such.
  isTestable: (field) => !isDateField(field),
  // Its JSON Patch library, Parsson, compares the texts of the two paths.
  refusesPrefixMoves: true,
  // The server writes a version as 1.0, JavaScript as 1.
  comparesNumbers: false,
  knowsTests: true,
  findCarrier,
  // Unlike a `test`, a tag is atomic with the change, and makes the change a version of its own.
  tags: {
    choose: (patch, state, read) => {
      if (read && isOtherTag(read)) return read.tag;
      return isLossy(patch) ? undefined : computeTag(state);
    },
    otherwiseSince: '1.13.1',
  },
  movesStatus: true,
  session: {
    milliseconds: 600_000,
    note: 'Without a version of its own, as others of this run may be: the catalog makes one version of what a user changes within ten minutes.',
  },
  meaning,
  reviewedStatuses: [...reviewedStatuses, 'Active'],
  takesAnyUnit: false,
  parseLineage,
};

function computeTag({ version, updatedAt }: WrittenState): string | undefined {
  if (version === undefined || updatedAt === undefined) return undefined;
  const state = `${formatVersion(version)}-${updatedAt}`;
  const { hash } = process.getBuiltinModule('node:crypto');
  return `"${hash('sha256', state).slice(0, 16)}"`;
}

// A server or a gateway that compresses an answer marks its tag.
function isOtherTag({ tag, ...live }: LiveContract): boolean {
  return (
    tag !== undefined && tag.replace(/^W\//u, '').replace(/--?gzip"$/u, '"') !== computeTag(live)
  );
}

// Up to 1.13.0 a patch with `If-Match` is stored whole if it changes one of these; another one
// loses sections.
function isLossy(patch: Patch): boolean {
  const kept = /^\/(?:description|displayName|owners|entityStatus)(?:\/|$)/u;
  return !patch.some(({ path }) => kept.test(path));
}

function parseRelease(answer: JsonValue) {
  const { version, revision } = isObject(answer) ? answer : {};
  if (typeof version !== 'string' || typeof revision !== 'string' || revision === '') return;
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})(?:[.\-+][\w.\-+]{0,40})?$/u.exec(version) ?? [];
  if (major === undefined) return { version, is: 'unreadable' } as const;
  const isKnown = Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 10);
  return { version, is: isKnown ? 'known' : 'too-old' } as const;
}

const tried = '1.12.6';

function describeRelease(version: string): string {
  if (version === tried) return `${version}: tried on a running server`;
  const others = isSince(version, '1.13')
    ? '; docs/openmetadata.md has what is known to differ'
    : '';
  return `${version}: not tried; taken to behave as ${tried}, which was${others}`;
}

function contractNameOf(asset: string, name: string): string {
  return `${asset}${prefix}${name}`;
}

const prefix = '.dataContract_';

// `entity.fullyQualifiedName` is often missing and sometimes wrong; the contract's own name is
// right.
function withEntityName<Contract extends ContractHead>(contract: Contract): Contract {
  const { name, fullyQualifiedName, entity } = contract;
  if (name === undefined || !fullyQualifiedName?.endsWith(name)) return contract;
  const start = fullyQualifiedName.length - name.length;
  if (!fullyQualifiedName.endsWith(prefix, start)) return contract;
  const asset = fullyQualifiedName.slice(0, start - prefix.length);
  if (entity?.fullyQualifiedName === asset) return contract;
  return { ...contract, entity: { ...entity, fullyQualifiedName: asset } };
}

function addressOf(identity: Identity): ContractAddress | undefined {
  const { id, name, fullyQualifiedName, entity = {} } = identity;
  if (id !== undefined) return { by: 'id', id };
  if (fullyQualifiedName !== undefined) return { by: 'name', fullyQualifiedName };
  const asset = entity.fullyQualifiedName;
  if (name !== undefined && asset !== undefined)
    return { by: 'name', fullyQualifiedName: contractNameOf(asset, name) };
  const isKnown = entity.id !== undefined && entity.type !== undefined;
  return isKnown ? { by: 'asset', id: entity.id, type: entity.type } : undefined;
}

/** GET /v1/lineage/{type}/{id}; undefined where a member has another form. */
function parseLineage(answer: JsonValue): Lineage | undefined {
  if (!isObject(answer)) return undefined;
  const { entity = null, nodes = null, downstreamEdges = null } = answer;
  const [asset] = [entity].flatMap(assetOf);
  const [assets, edges] = [listOf(nodes, assetOf), listOf(downstreamEdges, edgeOf)];
  return asset && assets && edges && { asset, assets, edges };
}

// No item is left out: with a hole, the list would say less than the server does.
function listOf<Item>(value: JsonValue, read: (item: JsonValue) => readonly Item[]) {
  const items = isArray(value) ? value.flatMap(read) : [];
  return isArray(value) && items.length === value.length ? items : undefined;
}

function assetOf(node: JsonValue): readonly LineageAsset[] {
  if (!isObject(node)) return [];
  const { id, type, fullyQualifiedName, ...names } = textMembers(node, [
    'id',
    'type',
    'name',
    'fullyQualifiedName',
    'displayName',
  ]);
  if (id === undefined || type === undefined) return [];
  const name = fullyQualifiedName ?? names.name ?? id;
  const { displayName } = names;
  return [{ id, type, fullyQualifiedName: name, displayName, isDeleted: node['deleted'] === true }];
}

function edgeOf(edge: JsonValue): readonly LineageEdge[] {
  if (!isObject(edge)) return [];
  const { fromEntity: from, toEntity: to, lineageDetails } = edge;
  if (typeof from !== 'string' || typeof to !== 'string') return [];
  const { columnsLineage = null } = isObject(lineageDetails) ? lineageDetails : {};
  return [{ from, to, columns: listOf(columnsLineage, lineOf) ?? [] }];
}

function lineOf(line: JsonValue): LineageEdge['columns'] {
  const { fromColumns = null, toColumn: to } = isObject(line) ? line : {};
  const from = listOf(fromColumns, (column) => (typeof column === 'string' ? [column] : []));
  return from && typeof to === 'string' ? [{ from, to }] : [];
}

// Only these make a version of a contract in release 1.12.6: all else is stored beside it, or lost.
const whole = [
  'description',
  'displayName',
  'entityStatus',
  'extension',
  'sla',
  'security',
  'termsOfUse',
] as const;

// Elements count that come, go or change in these members; their order does not.
const listed: Readonly<Record<string, readonly string[]>> = {
  owners: ['id', 'type', 'name', 'fullyQualifiedName'],
  reviewers: ['id', 'type', 'name', 'fullyQualifiedName'],
  schema: ['name', 'dataType', 'arrayDataType'],
  semantics: ['name', 'rule', 'description', 'enabled', 'entityType', 'provider'],
  qualityExpectations: ['id', 'type', 'name', 'fullyQualifiedName'],
};

const defaults: Readonly<Record<string, JsonValue>> = { enabled: true, provider: 'user' };

function isRecorded(before: JsonObject, after: JsonObject): boolean {
  const differs = (field: string) =>
    !(isEmpty(before[field]) && isEmpty(after[field])) && !deepEqual(before[field], after[field]);
  const differsAsSet = ([field, members]: readonly [string, readonly string[]]) =>
    !deepEqual(keysOf(before[field], members), keysOf(after[field], members));
  return whole.some(differs) || Object.entries(listed).some(differsAsSet);
}

function keysOf(list: JsonValue | undefined, members: readonly string[]): readonly string[] {
  const elements = isArray(list) ? list : [];
  const keys = elements.map((element) => JSON.stringify(keyOf(element, members)));
  return [...new Set(keys)].toSorted(compareCodeUnits);
}

// The server ignores case in the names of columns; only columns have a data type.
function keyOf(element: JsonValue, members: readonly string[]): JsonValue {
  if (!isObject(element)) return element;
  return members.map((member) => {
    const value = element[member] ?? defaults[member] ?? null;
    const isColumnName = member === 'name' && members.includes('dataType');
    return isColumnName && typeof value === 'string' ? value.toLowerCase() : value;
  });
}

// Release 1.12.6 answers a change of nothing that it records with 200, and drops it. Beside a
// recorded change it is stored, and one of those is invisible: a display name that is the
// contract's name.
function findCarrier({ live, target, managed, section }: CarriedChange): Carrier {
  if (isRecorded(live, target)) return { kind: 'none' };
  const { name = null, displayName } = live;
  const isForbidden = isObject(section) && section['carrier'] === 'none';
  if (isForbidden || name === null) return impossible(`C${otherwise.slice(1)}`);
  if (!isNothing(managed['displayName']) && managed['displayName'] !== name)
    return impossible(`Leave \`displayName\` out of the file, or ${otherwise}`);
  if (isNothing(displayName))
    return carrier(name, 'sets the display name to the name of the contract');
  if (displayName === name)
    return carrier(null, 'removes the display name, which is the name of the contract');
  return impossible(`Remove the contract's display name in the catalog, or ${otherwise}`);
}

const notStored = 'The catalog accepts this change but stores it only together with another';

const otherwise =
  'also change something in the file that the catalog stores by itself, such as the description.';

function carrier(value: JsonValue, what: string): Carrier {
  const reason = `${notStored}. So the patch also ${what}, which changes nothing that people see.`;
  return { kind: 'field', field: 'displayName', value, reason };
}

function impossible(hint: string): Carrier {
  return { kind: 'impossible', message: `${notStored}.`, hint };
}
