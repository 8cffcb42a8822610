import { createHash } from 'node:crypto';
import { idKey } from '../contract/identity.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { plannedChanges, type Plan } from '../plan/plan.ts';

/**
 * What the comment tells the runs to come, hidden at its very start. Whoever can push a branch can
 * write one: it detects drift between review and apply, and proves nothing.
 */
export type CommentHeader = {
  /** The catalog and the folder that the comment is about: a repository may have several. */
  readonly key: string;
  /** The same but for the paths: a step that reads other files there has another comment. */
  readonly place: string;
  /** What people call the catalog, or its address. */
  readonly label: string;
  readonly catalog: string;
  /** The head of the pull request that was planned. */
  readonly head: string;
  /** What it was to be merged into. */
  readonly base: string;
  readonly run: number;
  readonly attempt: number;
  /** When it was planned, ISO 8601. */
  readonly time: string;
  readonly planHash?: string;
  /** What was shown, change by change, where there was room for it. */
  readonly changes?: readonly RecordedChange[];
  /** What the hash is of, packed, where there was room for it. */
  readonly plan?: string;
  /** The commit whose files an apply has brought about, this pull request's among them. */
  readonly applied?: string;
};

/** A change that a comment has shown. */
export type RecordedChange = {
  /** The beginning of its fingerprint. */
  readonly fingerprint: string;
  /** Tells its contract from others: a hash, since there are many and names are long. */
  readonly contract: string;
  readonly hasLanded: boolean;
};

const formatVersion = 3;
const opening = '<!-- contract-sync ';
const closing = ' -->';

/** One line, which GitHub does not show. */
export function formatHeader(header: CommentHeader): string {
  const { changes, ...rest } = header;
  const packed = changes && { changes: formatChanges(changes) };
  return `${opening}${JSON.stringify({ v: formatVersion, ...rest, ...packed })}${closing}`;
}

/** Characters: 48 bits of the fingerprint, 30 of the contract's name. */
const fingerprintLength = 12;
const contractLength = 5;

const algorithm = 'sha256:';

/** Changes in as few characters as will do: 2,000 of them in 36 kB. */
export function formatChanges(changes: readonly RecordedChange[]): string {
  return changes.map(formatChange).join(' ');
}

function formatChange({ fingerprint, contract, hasLanded }: RecordedChange): string {
  return `${hasLanded ? '+' : ''}${fingerprint.slice(algorithm.length)}${contract}`;
}

function parseChange(text: string): RecordedChange[] {
  const [, sign = '', fingerprint = '', contract = ''] =
    /^(\+?)([0-9a-f]{12})([\w-]{5})$/u.exec(text) ?? [];
  if (fingerprint === '') return [];
  return [{ fingerprint: `${algorithm}${fingerprint}`, contract, hasLanded: sign === '+' }];
}

/** The changes of a plan as a comment records them. */
export function recordChanges(plan: Plan): RecordedChange[] {
  return plannedChanges(plan).map((change) => ({
    fingerprint: change.fingerprint.slice(0, algorithm.length + fingerprintLength),
    contract: contractMark('id' in change ? change.id : change.fullyQualifiedName),
    hasLanded: false,
  }));
}

/** What a contract is known by in a record: of its id, or the name of one that is to be created. */
export function contractMark(name: string): string {
  return createHash('sha256').update(idKey(name)).digest('base64url').slice(0, contractLength);
}

/** The header that a comment starts with; further down it is somebody's text. */
export function parseHeader(body: string): CommentHeader | undefined {
  const [line = ''] = body.split(/\r?\n/u, 1);
  if (!line.startsWith(opening) || !line.endsWith(closing)) return undefined;
  const header = parseJson(line.slice(opening.length, -closing.length));
  if (!isObject(header) || header['v'] !== formatVersion) return undefined;
  const { key, place, label, catalog, head, base, run, attempt, time } = header;
  if (typeof run !== 'number' || typeof attempt !== 'number') return undefined;
  const texts = { key, place, label, catalog, head, base, time };
  if (!areTexts(texts)) return undefined;
  return { ...texts, run, attempt, ...parsePlanned(header) };
}

function parsePlanned({ planHash: hash, changes, plan, applied }: JsonObject) {
  return {
    ...(typeof hash === 'string' && { planHash: hash }),
    ...(typeof changes === 'string' && { changes: changes.split(' ').flatMap(parseChange) }),
    ...(typeof plan === 'string' && { plan }),
    ...(typeof applied === 'string' && { applied }),
  };
}

function areTexts<Name extends string>(
  values: Readonly<Record<Name, JsonValue | undefined>>,
): values is Readonly<Record<Name, string>> {
  return Object.values(values).every((value) => typeof value === 'string');
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
