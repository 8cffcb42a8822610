/** The text of a comment: a hidden header for later runs, their notes, and the plan. */

import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { idKey } from '../../contract/identity.ts';
import type { Diagnostic, SourcePosition } from '../../core/diagnostic.ts';
import {
  compareCodeUnits,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  keepNumber,
  parseJson,
} from '../../core/json.ts';
import type { Difference } from '../../patch/describe.ts';
import { fingerprintOf, hashOfChanges } from '../../plan/seal.ts';
import { type Plan, plannedChanges } from '../../plan/plan.ts';
import { code, prose } from '../../report/markdown-text.ts';
import type { ShownChange } from '../../review/agreement.ts';
import { type ReviewedChange, reviewedChanges } from '../../review/compare.ts';
import { at, textOf } from '../github-request.ts';

/**
 * Hidden at the start of a comment. Everybody who can push a branch can forge one: it detects drift
 * between review and apply, and proves nothing.
 */
export type CommentHeader = {
  /** Identifies the catalog and the files: a repository may have several. */
  readonly key: string;
  /** The inputs behind the key. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly label: string;
  readonly head: string;
  readonly base: string;
  readonly branch?: string | undefined;
  readonly run: number;
  readonly attempt: number;
  /** ISO 8601. */
  readonly time: string;
  readonly planHash?: string | undefined;
  readonly changes: readonly RecordedChange[];
  /** Since when those who read it could agree to it, by the beginning of its fingerprint. */
  readonly shown?: Readonly<Record<string, ShownChange>> | undefined;
  /** The place of this comment in the record, from 1; the first one shows the plan. */
  readonly part: number;
  readonly parts: number;
  /** The content of the hash, packed; absent where the comment has no room. */
  readonly plan?: string | undefined;
  /** Written by an apply, for want of a plan. */
  readonly isOutcome?: boolean;
  /** The commit of the apply that included this pull request. */
  readonly applied?: string | undefined;
};

export type RecordedChange = {
  /** Shortened by `shortFingerprint`. */
  readonly fingerprint: string;
  /** A prefix of the hash of the contract's id, or of its name before it has one. */
  readonly contract: string;
  readonly hasLanded: boolean;
};

const formatVersion = 1;
const opening = '<!-- contract-sync ';
const closing = ' -->';

export function formatHeader({ changes, ...header }: CommentHeader): string {
  const members = { v: formatVersion, ...header, changes: formatChanges(changes) };
  // A label or an address must not end the comment of HTML.
  return `${opening}${JSON.stringify(members).replaceAll('>', String.raw`\u003e`)}${closing}`;
}

export function formatChanges(changes: readonly RecordedChange[]): string {
  return changes
    .map(
      ({ fingerprint, contract, hasLanded }) => `${hasLanded ? '+' : ''}${fingerprint}${contract}`,
    )
    .join(' ');
}

function parseChange(text: string): RecordedChange[] {
  const [, sign = '', fingerprint = '', contract = ''] =
    /^(\+?)([\w-]{22})([\w-]{8})$/u.exec(text) ?? [];
  return fingerprint === '' ? [] : [{ fingerprint, contract, hasLanded: sign === '+' }];
}

// Characters of 6 bits: two changes that share 22 can't be found, two names that share 8 by chance.
const fingerprintLength = 22;
const contractLength = 8;

// 45,000 characters, to leave the page some of the first comment.
const changesOfComment = 1400;
const mostChanges = 20_000;
const mostParts = Math.ceil(mostChanges / changesOfComment);

/** One list for each comment, at least one. */
export function recordChanges(plan: Plan): RecordedChange[][] {
  const changes = plannedChanges(plan)
    .map((change) => ({
      fingerprint: shortFingerprint(change.fingerprint),
      contract: markOf('id' in change ? change.id : change.fullyQualifiedName),
      hasLanded: false,
    }))
    .toSorted((a, b) => compareCodeUnits(a.fingerprint, b.fingerprint));
  return Array.from(
    { length: Math.max(1, Math.ceil(changes.length / changesOfComment)) },
    (_, at) => changes.slice(at * changesOfComment, (at + 1) * changesOfComment),
  );
}

/** The beginning of the fingerprint, as the record of a comment holds it. */
export function shortFingerprint(fingerprint: string): string {
  const digits = fingerprint.replace('sha256:', '');
  return Buffer.from(digits, 'hex').toString('base64url').slice(0, fingerprintLength);
}

export function whyNotRecorded(plan: Plan): Diagnostic | undefined {
  const { length } = plannedChanges(plan);
  if (length <= mostChanges) return undefined;
  return {
    code: 'plan-too-large',
    severity: 'error',
    message: `The plan has ${length} changes. The comments of a pull request record at most ${mostChanges}, so a merge could apply none of them.`,
    hint: 'Split the pull request.',
  };
}

export type ContractNames = { readonly id?: string; readonly fullyQualifiedName?: string };

export function marksOf({ id, fullyQualifiedName }: ContractNames): string[] {
  return [id, fullyQualifiedName].filter((name) => name !== undefined).map(markOf);
}

function markOf(name: string): string {
  return createHash('sha256').update(idKey(name)).digest('base64url').slice(0, contractLength);
}

export function pendingChanges(changes: readonly RecordedChange[]): RecordedChange[] {
  return changes.filter(({ hasLanded }) => !hasLanded);
}

/** `contracts`: their marks. */
export function markLanded(
  changes: readonly RecordedChange[],
  contracts: ReadonlySet<string>,
): RecordedChange[] {
  return changes.map((change) =>
    contracts.has(change.contract) ? { ...change, hasLanded: true } : change,
  );
}

/** Only at the start of the body: further down, anybody may have written it. */
export function parseHeader(body: string): CommentHeader | undefined {
  const [line = ''] = body.split(/\r?\n/u, 1);
  if (!line.startsWith(opening) || !line.endsWith(closing)) return undefined;
  const header = parseJson(line.slice(opening.length, -closing.length));
  if (!isObject(header) || header['v'] !== formatVersion) return undefined;
  const isText = (name: keyof CommentHeader) => typeof header[name] === 'string';
  const isCount = (name: keyof CommentHeader) => typeof header[name] === 'number';
  if (!(['key', 'label', 'head', 'base', 'time'] as const).every(isText)) return undefined;
  if (!(['run', 'attempt', 'part', 'parts'] as const).every(isCount)) return undefined;
  const text = (name: keyof CommentHeader) => textOf(header[name]);
  const optional = (name: keyof CommentHeader) => (isText(name) ? text(name) : undefined);
  const parts = Number(header['parts']);
  if (parts > mostParts) return undefined;
  return {
    key: text('key'),
    inputs: Object.fromEntries(
      Object.entries(at(header, 'inputs')).map(([name, value]) => [name, textOf(value)]),
    ),
    label: text('label'),
    head: text('head'),
    base: text('base'),
    branch: optional('branch'),
    run: Number(header['run']),
    attempt: Number(header['attempt']),
    time: text('time'),
    planHash: optional('planHash'),
    changes: text('changes').split(' ').flatMap(parseChange),
    ...(isObject(header['shown']) && { shown: parseShown(header['shown']) }),
    part: Number(header['part']),
    parts,
    plan: optional('plan'),
    isOutcome: header['isOutcome'] === true,
    applied: optional('applied'),
  };
}

function parseShown(shown: JsonObject): Record<string, ShownChange> {
  return Object.fromEntries(
    Object.entries(shown).map(([fingerprint, each]) => {
      const { since, commits, readers } = at(each);
      const known = { since: textOf(since), commits: textsOf(commits), readers: textsOf(readers) };
      return [fingerprint, known];
    }),
  );
}

function textsOf(value: JsonValue | undefined): string[] {
  return isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export type KeptChange = ReviewedChange & { readonly source: SourcePosition };

// Characters of an asset's id: enough to tell some hundred apart.
const readerLength = 8;

export function packPlan(plan: Plan): string {
  const changes = reviewedChanges(plan).map((change) => {
    const { fullyQualifiedName, fingerprint, source, differences } = change;
    const readers = change.readers?.map((id) => id.slice(0, readerLength));
    if (change.action === 'create') return { fullyQualifiedName, fingerprint, source };
    const { id, liveVersion, liveUpdatedAt } = change;
    return { id, fullyQualifiedName, liveVersion, liveUpdatedAt, source, differences, readers };
  });
  return deflateRawSync(JSON.stringify(changes)).toString('base64');
}

// Bytes: more than any comment can hold. Longer data was made to exhaust the memory.
const mostBytes = 4_000_000;

type Packed = { readonly source: SourcePosition } & (
  | { readonly id: string; readonly differences: readonly Difference[] }
  | { readonly fullyQualifiedName: string; readonly fingerprint: string }
);

/** Undefined if it isn't the plan of the hash. */
export function unpackPlan(
  text: string,
  planHash: string | undefined,
  environment: string | undefined,
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
    return hashOfChanges(fingerprints, environment) === planHash ? changes : undefined;
  } catch {
    return undefined;
  }
}

export type CommentText = {
  /** A line for each apply; before any, why there is no newer plan. */
  readonly notes: readonly string[];
  /** Absent before the first apply; then it stands above the notes, and the plan is folded. */
  readonly outcome?: string | undefined;
  readonly page: string;
};

export function formatBody(
  header: CommentHeader,
  { notes, outcome, page }: CommentText,
  repository: string,
): string {
  const { label, head, run, time } = header;
  const about = [
    `**${prose(label)}**`,
    `commit ${code(head.slice(0, 7))}`,
    `[run ${run}](${repository}/actions/runs/${run})`,
    `${time.slice(0, 16).replace('T', ' ')} UTC`,
  ].join(' · ');
  const text =
    outcome === undefined
      ? [...(notes.length === 0 ? [] : [...notes, '']), page]
      : [`${title}${outcome}`, '', ...notes, '', foldStart, '', page.trim(), '', foldEnd];
  return [formatHeader(header), about, '', ...text].join('\n');
}

const title = '## contract-sync: ';
const foldStart = '<details>\n<summary>The plan before the merge</summary>';
const foldEnd = '</details>';

export function parseBody(body: string): CommentText {
  const text = body.replaceAll('\r\n', '\n').replace(/^.*\n.*\n\n?/u, '');
  const fold = text.indexOf(`\n${foldStart}\n`);
  if (!text.startsWith(title) || fold < 0) {
    const start = Math.max(0, `\n${text}`.indexOf(`\n${title}`));
    return { notes: notesIn(text.slice(0, start)), page: text.slice(start) };
  }
  const [first = '', ...notes] = text.slice(0, fold).split('\n');
  return {
    notes: notesIn(notes.join('\n')),
    outcome: first.slice(title.length),
    page: text.slice(fold + foldStart.length + 1, text.lastIndexOf(foldEnd)).trim(),
  };
}

function notesIn(text: string): string[] {
  return text.trim() === '' ? [] : text.trim().split(/\n(?=- |> \[)/u);
}
