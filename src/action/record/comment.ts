/** The text of a comment: a hidden header for later runs, their notes, and the plan. */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SourcePosition } from '../../core/diagnostic.ts';
import { compareCodeUnits, isArray, isObject, keepNumber, parseJson } from '../../core/json.ts';
import type { Difference } from '../../patch/describe.ts';
import { fingerprintOf, hashOfChanges, markOf } from '../../plan/seal.ts';
import { type Plan, plannedChanges, type UpdatePlan, updates } from '../../plan/plan.ts';
import { code, prose } from '../../report/markdown-text.ts';
import { markReaders, type ShownChange } from '../../review/agreement.ts';
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
  /** Those that showed a change for which readers have to agree, oldest first. */
  readonly plans?: readonly ShownPlan[] | undefined;
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

/** `at` in ISO 8601. */
type ShownPlan = { readonly commit: string; readonly at: string };

export type RecordedChange = {
  /** Shortened by `shortFingerprint`. */
  readonly fingerprint: string;
  /** A prefix of the hash of the contract's id, or of its name before it has one. */
  readonly contract: string;
  readonly hasLanded: boolean;
  /** Absent where no reader has to agree. */
  readonly asked?: RecordedReaders | undefined;
};

type RecordedReaders = {
  /** The place of the plan that first showed it, of the header's `plans`. */
  readonly from: number;
  /** Their marks. */
  readonly readers: readonly string[];
};

const formatVersion = 1;
const opening = '<!-- contract-sync ';
const closing = ' -->';

export function formatHeader({ changes, plans, ...header }: CommentHeader): string {
  const shown = plans?.map(({ commit, at: time }) => `${commit} ${time}`);
  const members = { v: formatVersion, ...header, plans: shown, changes: formatChanges(changes) };
  // A label or an address must not end the comment of HTML.
  return `${opening}${JSON.stringify(members).replaceAll('>', String.raw`\u003e`)}${closing}`;
}

export function formatChanges(changes: readonly RecordedChange[]): string {
  return changes.map(formatChange).join(' ');
}

function formatChange({ fingerprint, contract, hasLanded, asked }: RecordedChange): string {
  const readers = asked && `:${asked.from}:${asked.readers.join('')}`;
  return `${hasLanded ? '+' : ''}${fingerprint}${contract}${readers ?? ''}`;
}

const written = /^(\+?)([\w-]{22})([\w-]{8})(?::(\d+):((?:[\w-]{8})*))?$/u;

function parseChange(text: string): RecordedChange[] {
  const [whole, sign, fingerprint = '', contract = '', from, marks] = written.exec(text) ?? [];
  if (whole === undefined) return [];
  const change = { fingerprint, contract, hasLanded: sign === '+' };
  if (from === undefined) return [change];
  return [{ ...change, asked: { from: Number(from), readers: marks?.match(/.{8}/gu) ?? [] } }];
}

// Characters of 6 bits: two changes that share 22 can't be found.
const fingerprintLength = 22;

// Characters, to leave the page some of the first comment.
const mostOfComment = 45_000;
const mostParts = 200;

// A pull request with more pushes asks readers again who agreed before these.
const mostPlans = 20;

/** `changes` has a list for each comment, at least one. `earlier` is what the comment shows so far. */
export function recordPlan(
  plan: Plan,
  earlier: Recorded | undefined,
  { commit, at: time }: ShownPlan,
): { readonly plans: readonly ShownPlan[] | undefined; readonly changes: RecordedChange[][] } {
  const earlierPlans = earlier?.header.plans ?? [];
  const asked = new Map(earlier?.changes.map((each) => [each.fingerprint, each.asked]));
  const isKnown = (change: UpdatePlan) => asked.get(shortFingerprint(change.fingerprint));
  const isShown = earlierPlans.at(-1)?.commit === commit && askingChanges(plan).every(isKnown);
  const all = isShown ? earlierPlans : [...earlierPlans, { commit, at: time }];
  const dropped = Math.max(0, all.length - mostPlans);
  const changes = plannedChanges(plan).map((change): RecordedChange => {
    const fingerprint = shortFingerprint(change.fingerprint);
    const contract = markOf('id' in change ? change.id : change.fullyQualifiedName);
    const recorded = { fingerprint, contract, hasLanded: false };
    if (change.action === 'create' || !change.agreement) return recorded;
    const before = asked.get(fingerprint);
    const from = Math.max(0, (before?.from ?? all.length - 1) - dropped);
    return {
      ...recorded,
      asked: { from, readers: markReaders(change, before?.readers) },
    };
  });
  const isAsking = askingChanges(plan).length > 0;
  return { plans: isAsking ? all.slice(dropped) : undefined, changes: intoComments(changes) };
}

function intoComments(changes: readonly RecordedChange[]): RecordedChange[][] {
  let last: RecordedChange[] = [];
  const comments = [last];
  let length = 0;
  for (const change of changes.toSorted((a, b) => compareCodeUnits(a.fingerprint, b.fingerprint))) {
    const own = formatChange(change).length + 1;
    if (length + own > mostOfComment) {
      last = [];
      comments.push(last);
      length = 0;
    }
    last.push(change);
    length += own;
  }
  return comments;
}

function askingChanges(plan: Plan): UpdatePlan[] {
  return updates(plan).filter(({ agreement }) => agreement !== undefined);
}

type Recorded = { readonly header: CommentHeader; readonly changes: readonly RecordedChange[] };

/** What the comment has shown of the change, as the one who wrote it recorded it. */
export function shownIn(
  { header, changes }: Recorded,
  { fingerprint }: UpdatePlan,
): ShownChange | undefined {
  const short = shortFingerprint(fingerprint);
  const { asked } = changes.find((each) => each.fingerprint === short) ?? {};
  const plans = asked && header.plans?.slice(asked.from);
  const [first] = plans ?? [];
  if (!asked || !plans || !first) return undefined;
  return { since: first.at, commits: plans.map(({ commit }) => commit), readers: asked.readers };
}

/** The beginning of the fingerprint, as the record of a comment holds it. */
export function shortFingerprint(fingerprint: string): string {
  const digits = fingerprint.replace('sha256:', '');
  return Buffer.from(digits, 'hex').toString('base64url').slice(0, fingerprintLength);
}

export type ContractNames = { readonly id?: string; readonly fullyQualifiedName?: string };

export function marksOf({ id, fullyQualifiedName }: ContractNames): string[] {
  return [id, fullyQualifiedName].filter((name) => name !== undefined).map(markOf);
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
    ...(isArray(header['plans']) && {
      plans: header['plans'].map((each) => {
        const [commit = '', time = ''] = textOf(each).split(' ');
        return { commit, at: time };
      }),
    }),
    part: Number(header['part']),
    parts,
    plan: optional('plan'),
    isOutcome: header['isOutcome'] === true,
    applied: optional('applied'),
  };
}

export type KeptChange = ReviewedChange & { readonly source: SourcePosition };

export function packPlan(plan: Plan): string {
  const changes = reviewedChanges(plan).map((change) => {
    const { fullyQualifiedName, fingerprint, source, differences } = change;
    if (change.action === 'create') return { fullyQualifiedName, fingerprint, source };
    const { id, liveVersion, liveUpdatedAt } = change;
    return { id, fullyQualifiedName, liveVersion, liveUpdatedAt, source, differences };
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
