import { ErrorAnswer } from '../http.ts';
import { byCodeUnits } from '../json.ts';
import type { KeptContract, Reference } from './contract.ts';
import { bendProperties } from './properties.ts';
import type { Means } from './recorded.ts';
import { type Author, revise, type Revision, type Row } from './revise.ts';
import { isAmong, putRow, refresh, withPeople, type World } from './world.ts';

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

export type Revised = Extract<Revision, { kind: 'revised' }>;

export function storeRevision(
  world: World,
  row: Row,
  next: KeptContract,
  { author, means }: { readonly author: Author; readonly means: Means },
): Revised {
  const current = withPeople(world, row.current);
  const present = current === row.current ? row : { ...row, current };
  const revision = revise(present, next, {
    author,
    means,
    bent: bendProperties(world, next),
    mayReview: (reviewers) => {
      const there = refresh(world, reviewers);
      return there.length === 0 || isAmong(world, author.name, there);
    },
  });
  if (revision.row !== present) putRow(world, withAbsent(world, row, revision.row));
  if (revision.kind === 'revised') return revision;
  throw new ErrorAnswer(403, `User '${author.name}' is not a reviewer`);
}
