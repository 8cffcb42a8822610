/** Which readers have to agree to a change that breaks what they read, and whether they have. */

import type { DownstreamAsset } from '../contract/lineage.ts';
import { defined } from '../core/json.ts';
import type {
  ReaderAgreement,
  AgreementReader,
  Downstream,
  ReaderAnswer,
  UpdatePlan,
} from '../plan/plan.ts';
import type { ReaderRules } from '../plan/rules.ts';
import { markOf } from '../plan/seal.ts';

/** An account's latest verdict on a pull request, where that approves. */
export type ReviewApproval = {
  readonly login: string;
  /** The commit that was looked at. */
  readonly commit: string;
  /** ISO 8601. */
  readonly at: string;
};

/** What the comment of a pull request has shown of one change since it has its fingerprint. */
export type ShownChange = {
  /** ISO 8601. */
  readonly since: string;
  /** The commits whose plans had it. */
  readonly commits: readonly string[];
  /** Marks of the readers that have had to agree, and of what they lose. */
  readonly readers: readonly string[];
};

export type Evidence = {
  readonly author: string;
  readonly approvals: readonly ReviewApproval[];
  /** Undefined before the comment has shown the change. */
  readonly shown: ShownChange | undefined;
  /** Logins, by agreer; or why the members of that team can't be read. */
  readonly accounts: ReadonlyMap<string, readonly string[] | { readonly unread: string }>;
};

function missing(why: string): ReaderAnswer {
  return { kind: 'missing', why };
}

type AskedReaders = Pick<ReaderAgreement, 'readers' | 'unasked' | 'unknown'>;

/**
 * Nobody has agreed yet. `active` is the status of contracts in use; `isWhole`: every reader of the
 * asset is concerned, whatever columns it reads.
 */
export function askReaders(
  downstream: Downstream,
  active: string,
  isWhole: boolean,
  rules: ReaderRules,
): AskedReaders {
  const readers: AgreementReader[] = [];
  const unasked: string[] = [];
  if ('unknown' in downstream) return { readers, unasked, unknown: downstream.unknown };
  if (downstream.contractsUnread) {
    const unknown = 'which of its readers have contracts was not asked for';
    return { readers, unasked, unknown };
  }
  for (const asset of downstream.assets) {
    const { id, name, columns, owners, contract } = asset;
    if (columns?.length === 0) continue;
    const isProven = isWhole || columns !== undefined;
    const names = { id, name, ...defined({ columns, owners }) };
    if (contract?.status === active) {
      const reader = { ...names, ...agreersFor(asset, rules) };
      const answer: ReaderAnswer = isProven
        ? (whyUnanswerable(reader) ?? missing('not asked yet'))
        : { kind: 'possible' };
      readers.push({ ...reader, answer });
    } else if (isProven) unasked.push(readName(names));
  }
  return { readers, unasked };
}

// The fallback stands in for owners without a handle; unreadable owners may have one.
function agreersFor({ owners }: DownstreamAsset, { handles, fallback }: ReaderRules) {
  if (!owners) return { agreers: [] };
  const agreers = new Set<string>();
  const withoutHandle: string[] = [];
  for (const owner of owners) {
    if (Object.hasOwn(handles, owner)) agreers.add(`@${handles[owner]?.replace(/^@/u, '')}`);
    else withoutHandle.push(owner);
  }
  if (fallback !== undefined && (agreers.size === 0 || withoutHandle.length > 0))
    agreers.add(fallback);
  return {
    agreers: [...agreers],
    ...(withoutHandle.length > 0 && { withoutHandle }),
  };
}

export function stateOf({ readers, unknown }: AskedReaders) {
  if (unknown !== undefined || readers.some(({ answer }) => answer.kind === 'missing'))
    return 'held';
  const isAsked = readers.some(({ answer }) => answer.kind === 'agreed' || answer.kind === 'own');
  return isAsked ? 'agreed' : 'needless';
}

/** The agreement by the reviews of a pull request. */
export function judgeAgreement(agreement: ReaderAgreement, evidence: Evidence): ReaderAgreement {
  const answered = agreement.readers.map((reader): AgreementReader => {
    return { ...reader, answer: answerOf(reader, evidence) };
  });
  const earlier = evidence.shown?.readers ?? [];
  const asked = answered.filter(({ id }) => earlier.includes(markOf(id)));
  // Those of a loss that was announced or allowed until now were never asked.
  const haveAgreed =
    lossMarks(agreement).every((mark) => earlier.includes(mark)) &&
    asked.some(({ answer }) => answer.kind === 'agreed') &&
    asked.every(({ answer }) => answer.kind !== 'missing');
  const readers = answered.map((reader): AgreementReader => {
    const isLater = haveAgreed && reader.answer.kind === 'missing';
    return isLater ? { ...reader, answer: { kind: 'later' } } : reader;
  });
  return { ...agreement, readers, state: stateOf({ ...agreement, readers }) };
}

function answerOf(reader: AgreementReader, evidence: Evidence): ReaderAnswer {
  if (reader.answer.kind === 'possible') return reader.answer;
  const unanswerable = whyUnanswerable(reader);
  if (unanswerable) return unanswerable;
  const { author, approvals, shown } = evidence;
  const { people, unread, isOwn } = peopleBehind(reader, evidence);
  if (isOwn) return { kind: 'own', by: author };
  const own = approvals.filter(({ login }) => people.has(login));
  const valid = own.find((approval) => counts(approval, shown));
  if (valid) return { kind: 'agreed', by: valid.login, at: valid.at };
  if (unread.length > 0) return missing(unread.join('; '));
  const [early] = own;
  if (early) return missing(`${early.login} approved before this change was shown`);
  if (people.size === 0) return missing(whyNoOther(reader));
  return missing(whyNotByOthers(reader, evidence) ?? 'not agreed yet');
}

// Approvals by those who can agree for another reader are no mistake.
function whyNotByOthers({ agreers }: AgreementReader, { approvals, accounts }: Evidence) {
  const known = new Set([...accounts.values()].flatMap((each) => ('unread' in each ? [] : each)));
  const others = approvals.filter(({ login }) => !known.has(login)).map(({ login }) => login);
  if (others.length === 0) return undefined;
  return `${listOnce(others)} approved, but can't agree for ${agreers.join(' or ')}`;
}

function whyUnanswerable({
  owners,
  agreers,
}: Pick<AgreementReader, 'owners' | 'agreers'>): ReaderAnswer | undefined {
  if (!owners) return missing("its owners can't be read");
  if (agreers.length > 0) return undefined;
  return missing(
    'no owner has a handle in `comment.handles`, and `reviews.fallback` names no team',
  );
}

// Those who can agree, without the author; `isOwn`: the author is all of them.
function peopleBehind(
  { agreers, withoutHandle = [], owners = [] }: AgreementReader,
  { author, accounts }: Evidence,
) {
  const people = new Set<string>();
  const unread: string[] = [];
  let isOwn = owners.length > 0 && withoutHandle.length === 0;
  for (const agreer of agreers) {
    const known = accounts.get(agreer) ?? { unread: 'they were not asked for' };
    if ('unread' in known) {
      unread.push(`the members of ${agreer} can't be read: ${known.unread}`);
      isOwn = false;
      continue;
    }
    for (const login of known) people.add(login);
    isOwn &&= known.length === 1 && known[0] === author;
  }
  people.delete(author);
  return { people, unread, isOwn };
}

function whyNoOther({ agreers, withoutHandle = [] }: AgreementReader): string {
  const why = 'no account but the author could agree';
  const hasFallback = agreers.some((agreer) => !agreer.startsWith('@'));
  if (hasFallback || withoutHandle.length === 0) return why;
  return `${why}: give ${withoutHandle.join(' or ')} a handle in \`comment.handles\``;
}

/** An approval is of a change if it came after the plan showed it, for a commit whose plan had it. */
function counts({ commit, at }: ReviewApproval, shown: ShownChange | undefined): boolean {
  return shown?.commits.includes(commit) === true && Date.parse(at) > Date.parse(shown.since);
}

/**
 * Marks of those who have had to agree or may yet have to, and of what they lose, as the comment
 * records them: also those whom lineage shows no more, so that none of them counts as later once it
 * does, nor once what they read is no longer allowed or announced.
 */
export function markReaders(
  { agreement, downstream }: UpdatePlan,
  earlier: readonly string[] = [],
): readonly string[] {
  if (!agreement) return earlier;
  const { readers, unknown } = agreement;
  const excused = readers.filter(({ answer }) => ['possible', 'later'].includes(answer.kind));
  const all = [...agreement.losses, ...agreement.allowed, ...agreement.announced];
  const isWhole = all.some(({ place }) => !place?.startsWith('schema.'));
  const assets = downstream && 'assets' in downstream ? downstream.assets : [];
  const known = new Set(readers.map(({ id }) => id));
  for (const { id, columns, contract } of assets)
    if (contract && (isWhole || columns?.length)) known.add(id);
  for (const { id } of excused) known.delete(id);
  const losses = unknown === undefined ? lossMarks(agreement) : [];
  return [...new Set([...earlier, ...[...known].map(markOf), ...losses])];
}

function lossMarks({ losses }: ReaderAgreement): string[] {
  return losses.map(({ rule, place = '' }) => markOf(`${rule} ${place}`));
}

/** `finance (payouts.iban) and growth (campaigns)`; undefined where nothing is held for a reader. */
export function heldFor(changes: readonly UpdatePlan[]): string | undefined {
  const labels = changes.flatMap(missingReaders).map((reader) => {
    const { owners = [], agreers } = reader;
    const who = owners.length > 0 ? owners : agreers;
    return `${who.length > 0 ? who.join(' or ') : 'nobody known'} (${readName(reader)})`;
  });
  return labels.length === 0 ? undefined : listOnce(labels);
}

/** `payouts.iban`. */
export function readName({
  name,
  columns = [],
}: {
  readonly name: string;
  readonly columns?: readonly string[];
}): string {
  const [first, ...others] = columns;
  if (first === undefined) return name;
  return others.length === 0 ? `${name}.${first}` : `${name}.{${columns.join(', ')}}`;
}

/** Why a change isn't sent. */
export function whyHeld(change: UpdatePlan): string {
  const { readers = [], unknown } = change.agreement ?? {};
  if (unknown !== undefined)
    return `Held: who reads it isn't known: ${unknown.replace(/\.$/u, '')}.`;
  const whys = readers.flatMap(({ answer }) => (answer.kind === 'missing' ? [answer.why] : []));
  return `Held for ${heldFor([change])}: ${[...new Set(whys)].join('; ').replace(/\.$/u, '')}.`;
}

/** What lifts them: who has to do what. The command line counts no reviews. */
export function wayToLift(changes: readonly UpdatePlan[], countsReviews: boolean): string {
  const ways: string[] = [];
  const readers = changes.flatMap(missingReaders);
  const people: string[] = [];
  const owners: string[] = [];
  for (const { agreers, withoutHandle = [] } of readers) {
    const names = agreers.map((each) => (each.startsWith('@') ? each : `the team ${each}`));
    if (names.length > 0) people.push(names.join(' or '));
    else owners.push(...withoutHandle);
  }
  if (changes.some(({ agreement }) => agreement?.unknown !== undefined))
    ways.push('Plan again once the catalog tells who reads it.');
  if (people.length > 0) {
    const next = countsReviews
      ? ', then run the job again.'
      : ": an apply of the Action counts that, the command line doesn't.";
    ways.push(`Have ${listOnce(people)} approve the pull request${next}`);
  }
  if (owners.length > 0)
    ways.push(
      `Give ${listOnce(owners)} a handle in \`comment.handles\`, or name a team in \`reviews.fallback\`.`,
    );
  const allow = ways.length > 0 ? 'Or name it' : 'Name it';
  ways.push(`${allow} in \`allow\` with a place, a reason and \`until\`.`);
  return ways.join(' ');
}

function missingReaders({ agreement }: UpdatePlan): AgreementReader[] {
  return (agreement?.readers ?? []).filter(({ answer }) => answer.kind === 'missing');
}

const mostNames = 6;

function listOnce(all: readonly string[]): string {
  const names = [...new Set(all)];
  const last = names.length > mostNames ? `${names.length - mostNames + 1} more` : names.pop();
  const first = names.slice(0, mostNames - 1);
  return first.length === 0 ? (last ?? '') : `${first.join(', ')} and ${last}`;
}
