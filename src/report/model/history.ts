/** What there is to say of a contract's versions. */

import type { ContractVersion, VersionChange } from '../../history/version.ts';
import type { Provenance } from '../../history/provenance.ts';
import type { Chapter, Story } from '../../history/story.ts';
import { type Transition } from '../../plan/plan.ts';
import { type ChangeReport, changeSigns } from './change.ts';

/** How times are written, and what is still to come. */
export type Times = { readonly format: (time: number) => string; readonly now: number };

export type ChapterReport = {
  readonly version: string;
  readonly time: string;
  readonly user: string;
  /** `git 3f2a1c9 (Ada)`, `not from a commit`; empty where nobody knows. */
  readonly source: string;
  readonly transition?: Transition;
  /** But the transition. */
  readonly changes: readonly ChangeReport[];
  /** What is odd about it: `at least`, where other edits may have been merged into it. */
  readonly remarks: readonly string[];
  /** What to say where nothing has changed. */
  readonly nothing: string;
};

export function describeChapters({ chapters, unrecorded }: Story, times: Times): ChapterReport[] {
  const nothing =
    unrecorded.length > 0 ? 'no field that the versions carry' : 'no field that is compared';
  return chapters.map((chapter) => describeChapter(chapter, { ...times, nothing }));
}

type Describing = Times & Pick<ChapterReport, 'nothing'>;

function describeChapter(chapter: Chapter, { nothing, ...times }: Describing): ChapterReport {
  const { version, provenance, changes, isFirst } = chapter;
  const move = changes.find(({ path }) => path === '/entityStatus');
  return {
    version: version.version ?? '?',
    time: version.updatedAt === undefined ? 'at an unknown time' : times.format(version.updatedAt),
    user: version.user ?? 'unknown',
    source: provenanceText(provenance),
    ...(move && { transition: transitionOf(move) }),
    changes: changes.filter((change) => change !== move).map(reportVersionChange),
    remarks: remarksOn(version, times),
    nothing: isFirst ? 'the first known version' : nothing,
  };
}

/** Empty where nobody knows. */
function provenanceText(provenance: Provenance): string {
  switch (provenance.kind) {
    case 'git':
      return `git ${provenance.commit.slice(0, 7)} (${provenance.author})`;
    case 'git-since':
      return `in git since ${provenance.commit.slice(0, 7)} (${provenance.author})`;
    case 'no-commit':
      return 'not from a commit';
    case 'unknown':
      return '';
  }
}

/** Null where there was no status. */
function transitionOf({ before, after }: VersionChange): Transition {
  const [from = null, to = null] = [before, after].map((status) =>
    typeof status === 'string' ? status : null,
  );
  return { from, to };
}

/** Clocks differ by less. */
const future = 60_000;

function remarksOn(
  { mayHoldMore, numbering, updatedAt = 0 }: ContractVersion,
  { now }: Times,
): readonly string[] {
  return [
    ...(mayHoldMore ? ['at least these changes: later edits were merged into the version'] : []),
    ...(numbering === 'repeats' ? ['the number was given before'] : []),
    ...(numbering === 'goes-back' ? ['the number is lower than the one before'] : []),
    ...(updatedAt > now + future ? ['in the future'] : []),
  ];
}

function reportVersionChange({ kind, label, before, after }: VersionChange): ChangeReport {
  return {
    sign: changeSigns[kind],
    label,
    ...(kind === 'move' && { movement: 'moved' }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

/** What is not told, in sentences. */
export function storyEnd({ older, unrecorded }: Story): readonly string[] {
  return [
    ...(older === 0 ? [] : [`… and ${older} older (show more with --limit or --since)`]),
    ...(unrecorded.length === 0 ? [] : [notCarried(unrecorded)]),
  ];
}

/** Of fields that the contract has. */
export function notCarried(fields: readonly string[]): string {
  return `The catalog's versions don't carry ${fields.join(', ')}: what changed there is not known.`;
}
