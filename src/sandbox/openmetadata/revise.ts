import { ErrorAnswer } from '../http.ts';
import { byCodeUnits } from '../json.ts';
import {
  type ChangeDescription,
  type KeptContract,
  type Reference,
  reread,
  type Row,
  type Version,
  versionAfter,
} from './contract.ts';
import { bendProperties } from './properties.ts';
import {
  describeChange,
  findRecorded,
  isEmptyRecord,
  keepSameSet,
  keptChange,
  type Means,
} from './recorded.ts';
import { isAmong, putRow, refresh, withPeople, type World } from './world.ts';

export type Author = {
  readonly name: string;
  readonly now: number;
  readonly agent?: string | undefined;
};

// Milliseconds in which changes of one author become one version.
const sessionLength = 10 * 60 * 1000;

/** Throws where the server refuses the extension or the reviewers. */
type Check = () => void;

type MayReview = (reviewers: KeptContract['reviewers']) => boolean;

/** `bend` gives the stored form, where the server changes what was sent. A refusal may change the row. */
export function revise(
  row: Row,
  next: KeptContract,
  write: {
    author: Author;
    means: Means;
    mayReview: MayReview;
    check?: Check | undefined;
    bend?: () => KeptContract;
  },
) {
  const { author, means, mayReview, check, bend = () => next } = write;
  const { current } = row;
  const notReviewer = new ErrorAnswer(403, `User '${author.name}' is not a reviewer`);
  if (!mayStep(current, next, mayReview))
    return { kind: 'refused', row, error: notReviewer } as const;
  const owners = keepSameSet(current.owners, next.owners);
  try {
    check?.();
  } catch (error) {
    // The server has written the owners by then, outside any transaction.
    return { kind: 'refused', row: { ...row, current: { ...current, owners } }, error } as const;
  }
  const settled = { ...bend(), owners };
  const recorded = findRecorded(current, { ...next, owners }, means);
  const incremental = describeChange(current, recorded, author);
  const base = means === 'patch' ? findSessionBase(row, author) : undefined;
  if (base && !mayStep(base, settled, mayReview)) {
    // Before its second check the server has returned to the earlier version, and written the
    // owners and reviewers of that; the refusal leaves them so.
    const people = { owners: base.owners ?? [], reviewers: base.reviewers };
    const left = { ...row, current: { ...current, ...people } };
    return { kind: 'refused', row: left, error: notReviewer } as const;
  }
  const before = base ?? current;
  const delta = describeChange(before, findRecorded(before, settled, means), author);
  const change = { next: settled, author, incremental, delta };
  const stored = base ? storeInSession(row, base, change) : storeApart(row, change);
  const isAsked = !isEmptyRecord(recorded);
  const shown = isAsked || means !== 'put' ? incremental : current.changeDescription;
  return {
    kind: 'revised',
    row: stored,
    answer: {
      ...withStamp(settled, { ...stored.current, changeDescription: shown }),
      incrementalChangeDescription: incremental,
    },
    change: isAsked ? 'entityUpdated' : 'entityNoChange',
  } as const;
}

function withStamp(next: KeptContract, stamp: Stamp): KeptContract {
  const { changeDescription: _earlier, ...content } = next;
  const { version, updatedAt, updatedBy, changeDescription } = stamp;
  const stamped = { ...content, version, updatedAt, updatedBy };
  return changeDescription ? { ...stamped, changeDescription } : stamped;
}

type Stamp = Pick<Version, 'version' | 'updatedAt' | 'updatedBy'> & {
  readonly changeDescription?: ChangeDescription | undefined;
};

/** A session needs an earlier version to count from: the first edit of a contract has none. */
export function findSessionBase({ current, history }: Row, author: Author): Version | undefined {
  const { version, updatedBy, updatedAt, changeDescription } = current;
  if (version <= 0.1 || updatedBy !== author.name) return undefined;
  if (author.now - updatedAt > sessionLength) return undefined;
  return history.find((earlier) => earlier.version === changeDescription?.previousVersion);
}

// Only a reviewer ends In Review, if the contract has any.
function mayStep(before: Version, after: KeptContract, mayReview: MayReview): boolean {
  const ends = ['Approved', 'Rejected'].includes(after.entityStatus);
  return before.entityStatus !== 'In Review' || !ends || mayReview(before.reviewers);
}

type Change = {
  readonly next: KeptContract;
  readonly author: Author;
  readonly incremental: ChangeDescription;
  readonly delta: ChangeDescription;
};

function storeApart(row: Row, change: Change): Row {
  const { incremental, delta, author } = change;
  if (isEmptyRecord(incremental)) return row;
  if (!isEmptyRecord(delta)) {
    const current = makeVersion(row.current, change);
    // A row of this version may be left from a refusal.
    const earlier = row.history.filter(({ version }) => version !== row.current.version);
    return { ...row, current, history: [row.current, ...earlier] };
  }
  // Reordering an enum's values makes no version, but sets the author and time of the last one.
  const touched = { ...row.current, updatedAt: author.now, updatedBy: author.name };
  const incrementalChangeDescription = keptChange(incremental);
  return { ...row, current: { ...touched, incrementalChangeDescription } };
}

// Remakes the last version, or removes it if nothing is left of the change.
function storeInSession(row: Row, base: Version, change: Change): Row {
  if (!isEmptyRecord(change.delta)) return { ...row, current: makeVersion(base, change) };
  // Unrecorded changes stay, at the version and time of before.
  const incrementalChangeDescription = keptChange(change.incremental);
  return {
    ...row,
    current: reread({ ...withStamp(change.next, base), incrementalChangeDescription }),
    history: row.history.filter((earlier) => earlier !== base),
  };
}

function makeVersion(base: Version, { next, author, incremental, delta }: Change): KeptContract {
  const { impersonatedBy: _, ...content } = withStamp(next, {
    ...stampOf(base, author),
    changeDescription: keptChange(delta),
  });
  return reread({
    ...content,
    ...(author.agent !== undefined && { impersonatedBy: author.agent }),
    incrementalChangeDescription: keptChange(incremental),
  });
}

function stampOf({ version }: Version, { name, now }: Author): Stamp {
  return { version: versionAfter(version), updatedAt: now, updatedBy: name };
}

export function softDelete(row: Row, author: Author): Row {
  const { current, history } = row;
  const change = {
    fieldsAdded: [],
    fieldsUpdated: [{ name: 'deleted', oldValue: false, newValue: true }],
    fieldsDeleted: [],
    previousVersion: current.version,
  };
  const changes = { changeDescription: change, incrementalChangeDescription: change };
  const deleted = { ...current, deleted: true, ...stampOf(current, author), ...changes };
  return { ...row, current: deleted, history: [current, ...history] };
}

// Deleted people stay owners and reviewers, whatever list is written.
function withAbsent(world: World, before: Row, after: Row): Row {
  const join = (people: readonly Reference[], earlier: readonly Reference[]) => {
    const absent = refresh(world, earlier, 'deleted');
    const added = absent.filter(({ id }) => !people.some((person) => person.id === id));
    return [...people, ...added].toSorted((a, b) => byCodeUnits(a.name, b.name));
  };
  const owners = join(after.current.owners, before.current.owners);
  const reviewers = join(after.current.reviewers, before.current.reviewers);
  return { ...after, current: { ...after.current, owners, reviewers } };
}

export type Revised = Extract<ReturnType<typeof revise>, { kind: 'revised' }>;

export function storeRevision(
  world: World,
  row: Row,
  next: KeptContract,
  write: { readonly author: Author; readonly means: Means; readonly check?: Check },
): Revised {
  const { author } = write;
  const current = withPeople(world, row.current);
  const present = current === row.current ? row : { ...row, current };
  const revision = revise(present, next, {
    ...write,
    bend: () => bendProperties(world, next),
    mayReview: (reviewers) => {
      const there = refresh(world, reviewers);
      return there.length === 0 || isAmong(world, author.name, there);
    },
  });
  try {
    if (revision.row !== present) putRow(world, withAbsent(world, row, revision.row));
  } catch (error) {
    // The earlier version, the owners and the reviewers are written before the contract.
    const { owners, reviewers } = revision.row.current;
    const current = { ...present.current, owners, reviewers };
    putRow(world, withAbsent(world, row, { ...revision.row, current }));
    throw error;
  }
  if (revision.kind === 'revised') return revision;
  throw revision.error;
}
