import type { LiveContract } from '../../src/contract/contract.ts';
import { deepEqual, isObject, type JsonObject } from '../../src/core/json.ts';
import { evaluate, type Patch, PatchError } from '../../src/patch/evaluate.ts';
import { liveOf } from './world.ts';

/** What kinds of servers make of `test` operations, of `updatedAt` and of the version. */
export const serverKinds = [
  'heeds test',
  'refuses test',
  'ignores test',
  'heeds test, not atomic',
  'restores updatedAt',
  'keeps the version',
  'restores updatedAt and version',
] as const;
export type ServerKind = (typeof serverKinds)[number];

type Author = 'tool' | 'others';

/** One write: the whole contract before and after. */
export type Commit = {
  readonly id: string;
  readonly author: Author;
  readonly before: JsonObject;
  readonly after: JsonObject;
};

/** The answer to a patch: a refusal, or the contract as it is then. */
export type PatchAnswer =
  | { readonly status: 200; readonly body: JsonObject }
  | { readonly status: 400 | 404 };

/** A patch that the server has taken in and will carry out when it is told to. */
export type Landing = () => PatchAnswer;

/** A catalog in memory: what is stored, by which rules, and who wrote it. */
export type SmallCatalog = {
  readonly kind: ServerKind;
  readonly contracts: () => readonly JsonObject[];
  /** As it was in the beginning. */
  readonly initial: (id: string) => JsonObject;
  readonly find: (id: string) => LiveContract;
  /** Takes a patch in; it lands when the result is called, whole or not at all. */
  readonly takeIn: (id: string, patch: Patch, author?: Author) => Landing;
  readonly commits: readonly Commit[];
  /** Those that landed after the server seemed to have lost them. */
  readonly late: Set<Commit>;
};

export function createSmallCatalog(kind: ServerKind, seed: readonly JsonObject[]): SmallCatalog {
  const stored = new Map(
    seed.map((document, index) => [idOf(document), complete(document, index)]),
  );
  const initial = new Map(stored);
  const commits: Commit[] = [];
  const read = (id: string): JsonObject => stored.get(id) ?? {};
  const commit = (id: string, author: Author, patched: JsonObject): PatchAnswer => {
    const before = read(id);
    const after = advance(before, patched, author, kind);
    if (!deepEqual(before, after)) commits.push({ id, author, before, after });
    stored.set(id, after);
    return { status: 200, body: after };
  };
  const takeIn: SmallCatalog['takeIn'] = (id, patch, author = 'tool') => {
    if (!stored.has(id)) return () => ({ status: 404 });
    const isTested = patch.some(({ op }) => op === 'test');
    if (kind === 'refuses test' && isTested) return () => ({ status: 400 });
    const carriedOut = kind === 'ignores test' ? patch.filter(({ op }) => op !== 'test') : patch;
    if (kind !== 'heeds test, not atomic') {
      return () => attempt(() => commit(id, author, evaluated(read(id), carriedOut)));
    }
    // Tested and patched as it comes in, and written whole when it lands, whatever is there by then.
    const base = read(id);
    const early = attempt(() => ({ status: 200, body: evaluated(base, carriedOut) }));
    const isWrite = early.status === 200 && !deepEqual(early.body, base);
    return () => (isWrite ? commit(id, author, early.body) : early);
  };
  return {
    kind,
    contracts: () => [...stored.values()],
    initial: (id) => initial.get(id) ?? {},
    find: (id) => liveOf(read(id)),
    takeIn,
    commits,
    late: new Set(),
  };
}

function idOf({ id }: JsonObject): string {
  return typeof id === 'string' ? id : '';
}

function complete(document: JsonObject, index: number): JsonObject {
  return { name: `table ${index}`, version: 0.1, updatedAt: 1_700_000_000_000, ...document };
}

function attempt(work: () => PatchAnswer): PatchAnswer {
  try {
    return work();
  } catch (error) {
    if (error instanceof PatchError) return { status: 400 };
    throw error;
  }
}

function evaluated(document: JsonObject, patch: Patch): JsonObject {
  const patched = evaluate(document, patch);
  return isObject(patched) ? patched : {};
}

/** Counts a write, unless it changes nothing. */
function advance(
  before: JsonObject,
  patched: JsonObject,
  author: Author,
  kind: ServerKind,
): JsonObject {
  const { version = 0, updatedAt = 0 } = before;
  const kept = {
    version,
    updatedAt,
    ...('updatedBy' in before && { updatedBy: before['updatedBy'] ?? null }),
  };
  const content = { ...patched, ...kept };
  if (deepEqual(content, before)) return before;
  const isHidden = author === 'others' && kind === 'restores updatedAt and version';
  const keepsVersion = kind === 'keeps the version' || isHidden;
  const keepsTime = kind === 'restores updatedAt' || isHidden;
  return {
    ...content,
    version: keepsVersion ? version : (Math.round(Number(version) * 10) + 1) / 10,
    updatedAt: keepsTime ? updatedAt : Number(updatedAt) + 1,
    updatedBy: author,
  };
}
