import { createHash } from 'node:crypto';
import { SyncError } from '../core/errors.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { parseMoment } from '../core/time.ts';
import { makeNextVersion } from './next-version.ts';
import { isContract, shapeProblem, type Contract, type SeededContract } from './shape.ts';

/** RFC 9562 §5.5 wants a namespace under which a name always gives the same UUID. */
const namespace = Buffer.from('6f3a1c0e8d5b4c7a9e2f4b6d8a0c1e3f', 'hex');

/** Contracts of a seed file: a JSON array of them, or `{ "data": [...] }` as a list answers. */
export function parseSeed(text: string, file: string): JsonObject[] {
  const value = parseJson(text, file);
  const contracts = isObject(value) ? value['data'] : value;
  if (isArray(contracts) && contracts.every(isObject)) return [...contracts];
  throw seedError(
    `The seed file ${file} must contain a JSON array of contracts, or an object with such an array as \`data\`.`,
  );
}

function parseJson(text: string, file: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw seedError(`The seed file ${file} is not JSON: ${reason}.`, cause);
  }
}

/** Fills in what a catalog would give to a new contract, and refuses what is none. */
export function completeSeed(seed: readonly JsonObject[], now: number): SeededContract[] {
  const contracts = seed.map((given, index) => completeHistory(given, { index, now }));
  refuseDoubles(contracts.map(({ current }) => current));
  return contracts;
}

/** Which contract of a seed it is, and when that is served. */
type Sowing = { readonly index: number; readonly now: number };

/** `versions`, oldest first, are earlier states: each says what was other than it is today. */
function completeHistory(given: JsonObject, sowing: Sowing): SeededContract {
  const { versions = [], ...today } = given;
  if (!isArray(versions) || !versions.every(isObject))
    throw invalid(sowing, '`versions` must be an array of objects.');
  const [first, ...later] = [...versions, today].map((state) => stateOf(today, state));
  let current = requireContract(complete(first ?? today, sowing.now), sowing);
  const earlier: Contract[] = [];
  for (const state of later) {
    earlier.push(current);
    current = nextOf(current, state, sowing);
  }
  return { current, earlier };
}

/** What the server writes is of one version alone; `null` stands for what was not there. */
function stateOf(
  { version: _v, updatedAt: _t, updatedBy: _u, ...today }: JsonObject,
  state: JsonObject,
): JsonObject {
  const members = Object.entries({ ...today, ...state }).filter(([, value]) => value !== null);
  return Object.fromEntries(members);
}

function nextOf(before: Contract, state: JsonObject, sowing: Sowing): Contract {
  const { updatedBy, updatedAt, ...content } = complete(state, sowing.now);
  const subject = typeof updatedBy === 'string' ? updatedBy : 'seed';
  const author = { subject, now: Number(updatedAt) };
  const next = makeNextVersion(before, content, author);
  if (!next) throw invalid(sowing, 'two consecutive versions are the same.');
  const { version = next['version'], deleted } = state;
  const made = { ...next, ...(version !== undefined && { version }) };
  const contract = requireContract({ ...made, ...(deleted !== undefined && { deleted }) }, sowing);
  if (contract.version > before.version) return contract;
  throw invalid(sowing, 'each version needs a higher number than the one before.');
}

function requireContract(document: JsonObject, sowing: Sowing): Contract {
  if (isContract(document)) return document;
  throw invalid(sowing, shapeProblem(document));
}

function invalid({ index }: Sowing, reason = ''): SyncError {
  return seedError(`Contract ${index + 1} of the seed is not valid: ${reason}`);
}

function complete(given: JsonObject, now: number): JsonObject {
  const fullyQualifiedName = given['fullyQualifiedName'] ?? qualifiedName(given);
  const { updatedAt = now } = given;
  return {
    id: uuidOf(JSON.stringify(fullyQualifiedName)),
    name: fullyQualifiedName,
    fullyQualifiedName,
    entityStatus: 'Draft',
    version: 0.1,
    updatedBy: 'seed',
    ...given,
    updatedAt: seededTime(updatedAt, now),
  };
}

/** `3d` is so long before the sandbox starts: a story that never grows old. What is no time is left to be refused. */
export function seededTime(given: JsonValue, now: number): JsonValue {
  return (typeof given === 'string' ? parseMoment(given, now, { utc: true }) : undefined) ?? given;
}

/** After its entity; not in the way of OpenMetadata, which is how that dialect is known. */
function qualifiedName({ name = null, entity }: JsonObject): JsonValue {
  const prefix = isObject(entity) ? entity['fullyQualifiedName'] : undefined;
  if (typeof prefix !== 'string' || typeof name !== 'string') return name;
  return `${prefix}.${name}`;
}

function refuseDoubles(contracts: readonly Contract[]): void {
  const places = new Map<string, number>();
  for (const [index, { id }] of contracts.entries()) {
    const first = places.get(id);
    if (first !== undefined) {
      throw seedError(
        `Contracts ${first + 1} and ${index + 1} of the seed have the same id, ${id}.`,
      );
    }
    places.set(id, index);
  }
}

/** A UUID of version 5 (RFC 9562 §5.5): the same name has the same id in every run. */
export function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

function seedError(message: string, cause?: unknown): SyncError {
  return new SyncError('sandbox-seed', message, { cause });
}
