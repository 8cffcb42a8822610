import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isObject, type JsonValue } from '../core/json.ts';
import type { Difference } from '../patch/difference.ts';
import { fingerprintOf, planHash } from '../plan/fingerprint.ts';
import { makePlan } from '../plan/make.ts';
import { updates, type Plan, type PlanSubject, type UpdatePlan } from '../plan/plan.ts';

/**
 * What the comment tells the runs to come, hidden at its very start. Whoever can push a branch can
 * write one: it detects drift between review and apply, and proves nothing.
 */
export type CommentHeader = {
  /** The catalog and the folder that the comment is about: a repository may have several. */
  readonly key: string;
  /** What people call the catalog, or its address. */
  readonly label: string;
  /** The head of the pull request that was planned. */
  readonly head: string;
  /** What it was to be merged into. */
  readonly base: string;
  readonly run: number;
  readonly attempt: number;
  /** When it was planned, ISO 8601. */
  readonly time: string;
  readonly planHash?: string;
  /** What the hash is of, packed, where there was room for it. */
  readonly plan?: string;
};

const formatVersion = 2;
const opening = '<!-- contract-sync ';
const closing = ' -->';

/** One line, which GitHub does not show. */
export function formatHeader(header: CommentHeader): string {
  return `${opening}${JSON.stringify({ v: formatVersion, ...header })}${closing}`;
}

/** The header that a comment starts with; further down it is somebody's text. */
export function parseHeader(body: string): CommentHeader | undefined {
  const [line = ''] = body.split(/\r?\n/u, 1);
  if (!line.startsWith(opening) || !line.endsWith(closing)) return undefined;
  const header = parseJson(line.slice(opening.length, -closing.length));
  if (!isObject(header) || header['v'] !== formatVersion) return undefined;
  const { key, label, head, base, run, attempt, time, planHash: hash, plan } = header;
  if (typeof run !== 'number' || typeof attempt !== 'number') return undefined;
  const texts = { key, label, head, base, time };
  if (!areTexts(texts)) return undefined;
  return {
    ...texts,
    run,
    attempt,
    ...(typeof hash === 'string' && { planHash: hash }),
    ...(typeof plan === 'string' && { plan }),
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

/** The changes of a plan, so that a later run can say place by place what has changed. */
export function packPlan(plan: Plan): string {
  const changes = updates(plan).map(
    ({ id, fullyQualifiedName, liveVersion, liveUpdatedAt, differences }) => ({
      id,
      fullyQualifiedName,
      liveVersion,
      liveUpdatedAt,
      differences,
    }),
  );
  return deflateRawSync(JSON.stringify(changes)).toString('base64');
}

/** More than any comment can hold: what is longer was made to fill the memory. */
const mostBytes = 4_000_000;

/** The plan again, if it is the one of the hash. */
export function unpackPlan(text: string, subject: PlanSubject, hash: string): Plan | undefined {
  const { catalogUrl, environment } = subject;
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes });
    const changes: Packed[] = JSON.parse(json.toString());
    const contracts = changes.map(unpackUpdate);
    if (planHash(contracts, environment) !== hash) return undefined;
    return makePlan(catalogUrl, contracts, [], environment === undefined ? {} : { environment });
  } catch {
    return undefined;
  }
}

type Packed = { readonly id: string; readonly differences: readonly Difference[] };

function unpackUpdate(change: Packed): UpdatePlan {
  return { ...bareUpdate, ...change, fingerprint: fingerprintOf(change.id, change.differences) };
}

const bareUpdate = {
  action: 'update',
  source: { file: '', line: 1, column: 1 },
  predictedVersions: [],
  patch: [],
  guard: [],
  changes: [],
  target: {},
  problems: [],
} as const;
