/** The text of a comment: a hidden header for later runs, their notes, and the plan. */

import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { idKey } from '../contract/identity.ts';
import type { SourcePosition } from '../core/diagnostic.ts';
import { isObject, type JsonValue, keepNumber, parseJson } from '../core/json.ts';
import type { Difference } from '../patch/difference.ts';
import { fingerprintOf, hashOfChanges } from '../plan/change.ts';
import { type Plan, plannedChanges } from '../plan/plan.ts';
import { code, prose } from '../report/markdown-text.ts';
import { type ReviewedChange, reviewedChanges } from '../review/compare.ts';

/**
 * What the comment holds for later runs, hidden at its very start. Everybody who can push a branch
 * can write one: it detects drift between review and apply, and proves nothing.
 */
export type CommentHeader = {
  /** Of the catalog and the files: a repository may have several. */
  readonly key: string;
  /** The same but for the paths: a step that reads other files there has another comment. */
  readonly place: string;
  /** What people call the catalog, or its address. */
  readonly label: string;
  readonly catalog: string;
  /** The head of the pull request that was planned. */
  readonly head: string;
  /** The commit that it was to be merged into. */
  readonly base: string;
  /** The branch of that commit. */
  readonly branch?: string | undefined;
  readonly run: number;
  readonly attempt: number;
  /** When it was planned, ISO 8601. */
  readonly time: string;
  readonly planHash?: string | undefined;
  /** What was shown, change by change, where there was room for it. */
  readonly changes?: readonly RecordedChange[] | undefined;
  /** What the hash is of, packed, where there was room for it. */
  readonly plan?: string | undefined;
  /** The commit whose files an apply has brought about, this pull request's among them. */
  readonly applied?: string | undefined;
};

/** A change that a comment has shown. */
export type RecordedChange = {
  /** The beginning of its fingerprint. */
  readonly fingerprint: string;
  /** The beginning of a hash of its contract's id, or of its name before there is one. */
  readonly contract: string;
  readonly hasLanded: boolean;
};

const formatVersion = 3;
const opening = '<!-- contract-sync ';
const closing = ' -->';

/** One line, which GitHub does not show. */
export function formatHeader({ changes, ...header }: CommentHeader): string {
  const packed = changes && { changes: formatChanges(changes) };
  return `${opening}${JSON.stringify({ v: formatVersion, ...header, ...packed })}${closing}`;
}

/** Changes in as few characters as will do: 2,000 of them in 36 kB. */
export function formatChanges(changes: readonly RecordedChange[]): string {
  return changes
    .map(({ fingerprint, contract, hasLanded }) => {
      const sign = hasLanded ? '+' : '';
      return `${sign}${fingerprint.slice(algorithm.length)}${contract}`;
    })
    .join(' ');
}

const algorithm = 'sha256:';

function parseChange(text: string): RecordedChange[] {
  const [, sign = '', fingerprint = '', contract = ''] =
    /^(\+?)([0-9a-f]{12})([\w-]{5})$/u.exec(text) ?? [];
  if (fingerprint === '') return [];
  return [{ fingerprint: `${algorithm}${fingerprint}`, contract, hasLanded: sign === '+' }];
}

/** Characters: 48 bits of the fingerprint, 30 of the contract's name. */
const fingerprintLength = 12;
const contractLength = 5;

/** The changes of a plan as a comment records them. */
export function recordChanges(plan: Plan): RecordedChange[] {
  return plannedChanges(plan).map((change) => ({
    fingerprint: change.fingerprint.slice(0, algorithm.length + fingerprintLength),
    contract: markOf('id' in change ? change.id : change.fullyQualifiedName),
    hasLanded: false,
  }));
}

export type ContractNames = { readonly id?: string; readonly fullyQualifiedName?: string };

/** What a contract may be known by in a record: by its id, and by its name before it had one. */
export function marksOf({ id, fullyQualifiedName }: ContractNames): string[] {
  return [id, fullyQualifiedName].filter((name) => name !== undefined).map(markOf);
}

function markOf(name: string): string {
  return createHash('sha256').update(idKey(name)).digest('base64url').slice(0, contractLength);
}

/** What a comment has shown and no apply has brought about. */
export function pendingChanges({ changes = [] }: CommentHeader): RecordedChange[] {
  return changes.filter(({ hasLanded }) => !hasLanded);
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
  const textAt = (name: keyof CommentHeader): string | undefined => {
    const value = header[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    ...texts,
    branch: textAt('branch'),
    run,
    attempt,
    planHash: textAt('planHash'),
    changes: textAt('changes')?.split(' ').flatMap(parseChange),
    plan: textAt('plan'),
    applied: textAt('applied'),
  };
}

function areTexts<Name extends string>(
  values: Readonly<Record<Name, JsonValue | undefined>>,
): values is Readonly<Record<Name, string>> {
  return Object.values(values).every((value) => typeof value === 'string');
}

/** A change that a comment has kept, and the file that asks for it. */
export type KeptChange = ReviewedChange & { readonly source: SourcePosition };

/** Packs what a later run needs to say place by place what has changed since. */
export function packPlan(plan: Plan): string {
  const changes = reviewedChanges(plan).map((change) => {
    const { fullyQualifiedName, fingerprint, source, differences } = change;
    if (change.action === 'create') return { fullyQualifiedName, fingerprint, source };
    const { id, liveVersion, liveUpdatedAt } = change;
    return { id, fullyQualifiedName, liveVersion, liveUpdatedAt, source, differences };
  });
  return deflateRawSync(JSON.stringify(changes)).toString('base64');
}

/** More than any comment can hold: what is longer was made to fill the memory. */
const mostBytes = 4_000_000;

type Packed = { readonly source: SourcePosition } & (
  | { readonly id: string; readonly differences: readonly Difference[] }
  | { readonly fullyQualifiedName: string; readonly fingerprint: string }
);

/** The changes of the plan again, if it is the one of the hash. */
export function unpackPlan(
  text: string,
  { environment }: Pick<Plan, 'environment'>,
  hash: string,
): readonly KeptChange[] | undefined {
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes });
    const packed: Packed[] = JSON.parse(json.toString(), keepNumber);
    const changes = packed.map((change) =>
      'id' in change
        ? { ...change, fingerprint: fingerprintOf(change.id, change.differences) }
        : change,
    );
    const fingerprints = changes.map(({ fingerprint }) => fingerprint);
    return hashOfChanges(fingerprints, environment) === hash ? changes : undefined;
  } catch {
    return undefined;
  }
}

/** A comment: the header, what it is about, the notes of later runs, the plan as it is reviewed. */
export function formatBody(
  header: CommentHeader,
  notes: readonly string[],
  page: string,
  repository: string,
): string {
  const { label, head, run, time } = header;
  const about = [
    `**${prose(label)}**`,
    `commit ${code(head.slice(0, 7))}`,
    `[run ${run}](${repository}/actions/runs/${run})`,
    `${time.slice(0, 16).replace('T', ' ')} UTC`,
  ].join(' · ');
  const room = notes.length === 0 ? [] : ['', ...notes];
  return [formatHeader(header), about, ...room, '', page].join('\n');
}

/** The notes, a list item or a quote each, and the plan, which starts with the first title. */
export function parseBody(body: string): { readonly notes: string[]; readonly page: string } {
  const [, , ...lines] = body.split(/\r?\n/u);
  const start = lines.findIndex((line) => line.startsWith('## '));
  const end = start < 0 ? lines.length : start;
  const notes = lines.slice(0, end).join('\n').trim();
  return {
    notes: notes === '' ? [] : notes.split(/\n(?=- |> \[)/u),
    page: lines.slice(end).join('\n'),
  };
}

/** UTF-16 code units: with a page of 60,000 bytes, within what GitHub takes. */
const mostNotes = 5000;

/** One note more; of too many the oldest go, and so does a warning that this run outdates. */
export function withNote(notes: readonly string[], note: string): string[] {
  const kept = notes.filter((old) => !old.startsWith('> '));
  const all = [...kept, note];
  while (all.length > 1 && all.join('\n').length > mostNotes) all.shift();
  return all;
}

/** Marks the title: the run has changed a contract that the page shows. */
export function markStale(page: string, run: string): string {
  const [title = '', ...lines] = page.split('\n');
  const bare = title.replace(/ · \[stale\]\(\S+\)$/u, '');
  return [`${bare} · [stale](${run})`, ...lines].join('\n');
}
