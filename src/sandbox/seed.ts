import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { type Contract, isContract, makeNextVersion, shapeProblem } from './contract.ts';
import { SandboxError } from './http.ts';
import { isList, isRecord } from './json.ts';

// The namespace of RFC 9562 §5.5: a name always gives the same UUID.
const namespace = Buffer.from('6f3a1c0e8d5b4c7a9e2f4b6d8a0c1e3f', 'hex');

export function parseSeed(
  text: string,
  file: string,
  partNames: readonly string[] = [],
): JsonObject[] {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw seedError(`The seed file ${file} is not JSON: ${reason}.`, { cause });
  }
  const contracts = isRecord(value) ? value['data'] : value;
  if (isRecord(value)) refuseUnknown(value, [], [...listNames, ...partNames], { text, file });
  if (isList(contracts) && contracts.every(isRecord)) return [...contracts];
  throw seedError(
    `The seed file ${file} must contain a JSON array of contracts, or an object with such an array as \`data\`.`,
  );
}

// `paging` is in the answer to a list, which may be kept as a seed.
const listNames = ['data', 'paging'];

type Key = string | number;

/** What a seed holds beyond what is served would be lost without a word. */
export function refuseUnknown(
  given: JsonObject,
  path: readonly Key[],
  known: readonly string[],
  { text, file }: { readonly text: string; readonly file: string },
): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const line = lineOf(text, JSON.stringify([...path, unknown]));
  throw seedError(`${file}:${line}: The seed has the unknown key "${unknown}".`, {
    hint: `The keys there are ${known.join(', ')}.`,
  });
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

// The text is JSON.
function lineOf(text: string, wanted: string): number {
  const path: Key[] = [];
  let isKey = false;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const last = path.at(-1);
    if (token === '{' || token === '[') path.push(token === '{' ? '' : 0);
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',' && typeof last === 'number') path[path.length - 1] = last + 1;
    else if (isKey && typeof last === 'string') path[path.length - 1] = JSON.parse(token);
    isKey = token === '{' || token === ',';
    if (JSON.stringify(path) === wanted) return text.slice(0, index).split('\n').length;
  }
  return 1;
}

export function completeSeed(seed: readonly JsonObject[], now: number): (readonly Contract[])[] {
  const histories = seed.map((given, index) => completeHistory(given, { index, now }));
  const known = new Map<string | undefined, number>();
  for (const [index, [contract]] of histories.entries()) {
    const id = contract?.id;
    const first = known.get(id) ?? index;
    if (first < index)
      throw seedError(
        `Contracts ${first + 1} and ${index + 1} of the seed have the same id, ${id}.`,
      );
    known.set(id, index);
  }
  return histories;
}

type Sowing = { readonly index: number; readonly now: number };

// `versions`, oldest first, hold what was different from the current contract.
function completeHistory(given: JsonObject, sowing: Sowing): readonly Contract[] {
  const { versions = [], ...today } = given;
  if (!isList(versions) || !versions.every(isRecord))
    throw invalid(sowing, '`versions` must be an array of objects.');
  // Members that the server writes belong to one version alone; `null` stands for an absent member.
  const { version: _v, updatedAt: _t, updatedBy: _u, ...lasting } = today;
  const [first = today, ...later] = [...versions, today].map((state) =>
    Object.fromEntries(
      Object.entries({ ...lasting, ...state }).filter(([, value]) => value !== null),
    ),
  );
  let current = requireContract(complete(first, sowing.now), sowing);
  return [current, ...later.map((state) => (current = nextOf(current, state, sowing)))];
}

function nextOf(before: Contract, state: JsonObject, sowing: Sowing): Contract {
  const { updatedBy, updatedAt, ...content } = complete(state, sowing.now);
  const subject = typeof updatedBy === 'string' ? updatedBy : 'seed';
  const next = makeNextVersion(before, content, { subject, now: Number(updatedAt) });
  if (!next) throw invalid(sowing, 'two consecutive versions are the same.');
  const kept = Object.entries(state).filter(([name]) => name === 'version' || name === 'deleted');
  const contract = requireContract({ ...next, ...Object.fromEntries(kept) }, sowing);
  if (contract.version > before.version) return contract;
  throw invalid(sowing, 'each version needs a higher number than the one before.');
}

function requireContract(document: JsonObject, sowing: Sowing): Contract {
  if (isContract(document)) return document;
  throw invalid(sowing, shapeProblem(document));
}

function invalid({ index }: Sowing, reason = ''): SandboxError {
  return seedError(`Contract ${index + 1} of the seed is not valid: ${reason}`);
}

// What a seed doesn't date was there before any commit, so files that differ are not applied yet.
export const longAgo = Date.UTC(2000, 0);

function complete(given: JsonObject, now: number): JsonObject {
  const { name = null, entity } = given;
  const prefix = isRecord(entity) ? entity['fullyQualifiedName'] : undefined;
  const hasBoth = typeof prefix === 'string' && typeof name === 'string';
  // Unlike OpenMetadata's names, by which that product is recognised.
  const fullyQualifiedName = given['fullyQualifiedName'] ?? (hasBoth ? `${prefix}.${name}` : name);
  return {
    id: uuidOf(JSON.stringify(fullyQualifiedName)),
    name: fullyQualifiedName,
    fullyQualifiedName,
    entityStatus: 'Draft',
    version: 0.1,
    updatedBy: 'seed',
    ...given,
    updatedAt: seededTime(given['updatedAt'] ?? longAgo, now),
  };
}

const spans: { readonly [unit: string]: number } = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const dateTime = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/u;

// Epoch milliseconds of a date or time, UTC unless it has a zone. `3d` is three days before the
// sandbox starts, so that a seed never grows old. Other values are left for validation to refuse.
export function seededTime(given: JsonValue, now: number): JsonValue {
  if (typeof given !== 'string') return given;
  const [, amount, unit = ''] = /^(\d{1,5})([mhdw])$/u.exec(given) ?? [];
  const span = spans[unit];
  if (span !== undefined) return now - Number(amount) * span;
  const [, day = '', zone] = dateTime.exec(given) ?? [];
  const time = Date.parse(given.includes('T') && zone === undefined ? `${given}Z` : given);
  const start = Date.parse(`${day}T00:00Z`);
  // JavaScript turns 30 February into a day of March.
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
  return isDay && !Number.isNaN(time) ? time : given;
}

/** Version 5 (RFC 9562 §5.5): the same name has the same id in every run. */
export function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

export function seedError(
  message: string,
  options?: { readonly hint?: string; readonly cause?: unknown },
): SandboxError {
  return new SandboxError('unreadable-file', message, options);
}
