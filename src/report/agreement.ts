/** Who has to agree to what a plan breaks, who has, and what needs no agreement. */

import { contractLabel } from '../contract/identity.ts';
import { listFirst } from '../core/text.ts';
import { formatAge, formatDay } from '../core/time.ts';
import {
  type AgreementReader,
  type Announcement,
  type ReaderAgreement,
  heldChanges,
  type Plan,
  type UpdatePlan,
} from '../plan/plan.ts';
import { heldFor, readName, wayToLift, whyHeld } from '../review/agreement.ts';
import { type Block, note, type TableRow, type Words } from './blocks.ts';

type AgreementView = {
  /** Epoch milliseconds. */
  readonly now?: number | undefined;
  /** Given in a comment that asks those who haven't agreed, by mentioning them. */
  readonly handles?: object | undefined;
  readonly merge?: object | undefined;
  /** The pull request whose reviews count: none on the command line. */
  readonly pull?: 'open' | 'merged' | undefined;
};

export function agreementBlocks(plan: Plan, view: AgreementView): Block[] {
  const judged = plan.contracts.filter(
    (contract): contract is UpdatePlan & { readonly agreement: ReaderAgreement } =>
      contract.action === 'update' && contract.agreement !== undefined,
  );
  const held = heldChanges(plan);
  const names = heldFor(held);
  const what = view.merge && !plan.errored ? 'Merging is held' : 'Held';
  return [
    ...(names === undefined ? [] : [note(`${what} for ${names}.`, 'error')]),
    ...held
      .filter(({ agreement }) => agreement?.unknown !== undefined)
      .map((change) => note(`${contractLabel(change)}: ${whyHeld(change)}`, 'error')),
    {
      kind: 'table',
      columns: ['Contract', 'Reader', 'Who can agree', 'Agreement'],
      rows: judged.flatMap((change) =>
        change.agreement.readers.map((reader) => rowOf(change, reader, view)),
      ),
    },
    ...(held.length > 0
      ? [note([{ text: wayToLift(held, view.pull !== undefined), as: 'hint' }])]
      : []),
    ...judged.flatMap((change) => unaskedNotes(change, change.agreement)),
    ...judged.flatMap((change) => liftedBy(change, change.agreement, view)),
  ];
}

const mostUnasked = 6;

function unaskedNotes(change: UpdatePlan, { unasked }: ReaderAgreement): Block[] {
  if (unasked.length === 0) return [];
  const readers = listFirst(unasked, mostUnasked);
  const why =
    unasked.length === 1
      ? 'reads it too, but has no active contract of its own, so it was not asked'
      : 'read it too, but have no active contracts of their own, so they were not asked';
  return [note(`${contractLabel(change)}: ${readers} ${why}.`)];
}

function rowOf(change: UpdatePlan, reader: AgreementReader, view: AgreementView): TableRow {
  const { owners = [], agreers, withoutHandle = [], answer } = reader;
  const isMentioned = view.handles !== undefined && ['missing', 'possible'].includes(answer.kind);
  const people = agreers.map((agreer): Words => {
    if (!agreer.startsWith('@')) {
      const others = agreers.length > 1 ? ` for ${withoutHandle.join(', ')}` : '';
      return ['the team ', { text: agreer, as: 'code' }, others];
    }
    // The schema of the configuration lets no other Markdown through than a handle.
    return [{ text: agreer, as: isMentioned ? 'own' : 'code' }];
  });
  if (people.length === 0) {
    const owner = withoutHandle.length > 0 ? withoutHandle.join(', ') : 'no owner';
    people.push([withoutHandle.length === 0 ? 'nobody' : `nobody, since ${owner} has no handle`]);
  }
  const owned = owners.length > 0 ? ` (${owners.join(', ')})` : '';
  return {
    cells: [
      [{ text: contractLabel(change), as: 'code' }],
      [{ text: readName(reader), as: 'code' }, owned],
      people.flatMap((words, index) => (index === 0 ? words : [' or ', ...words])),
      [answerWords(answer, view)],
    ],
  };
}

function answerWords(answer: AgreementReader['answer'], { pull }: AgreementView): string {
  switch (answer.kind) {
    case 'agreed':
      return `${answer.by} agreed on ${answer.at.slice(0, 10)}`;
    case 'own':
      return `${answer.by} owns it alone, and made this pull request`;
    case 'possible':
      return `${pull ? 'asked: ' : ''}which columns it reads is unknown, so it holds nothing`;
    case 'later':
      return 'not needed: lineage shows it only since the others agreed';
    case 'missing':
      return answer.why;
  }
}

function liftedBy(
  change: UpdatePlan,
  { announced, noticed, allowed }: ReaderAgreement,
  { now }: AgreementView,
): Block[] {
  const nameOf = (place: string | undefined) =>
    place === undefined ? contractLabel(change) : `${contractLabel(change)} ${place}`;
  const announcement = ({ place, since, version }: Announcement): string => {
    const when = now === undefined ? `on ${formatDay(since)}` : formatAge(since, now);
    const where = version === undefined ? '' : `, in ${version}`;
    return `${nameOf(place)}: announced ${when}${where}`;
  };
  return [
    ...announced.map((each) => note(`${announcement(each)}, so it needs no agreement.`)),
    ...noticed.map((each) =>
      note(`${announcement(each)}; it may go without an agreement from ${formatDay(each.from)}.`),
    ),
    ...allowed.map(({ place, reason, until }) =>
      note(`${nameOf(place)}: allowed without its readers' agreement until ${until}: ${reason}`),
    ),
  ];
}
