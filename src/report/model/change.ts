import {
  describeReference,
  parseReference,
  type PersonReference,
} from '../../contract/reference.ts';
import { isArray, type JsonValue } from '../../core/json.ts';
import { formatAge, formatDay } from '../../core/time.ts';
import type { Change, LiveBlame } from '../../plan/plan.ts';

/** A change in words. */
export type ChangeReport = Pick<Change, 'label' | 'before' | 'after' | 'source' | 'carrier'> & {
  readonly sign: 'added' | 'removed' | 'changed';
  /** Of what changes its place: `moved from 3 to 0`. */
  readonly movement?: string;
  /** Who set the live value, or which merge asks for another: `set by mira, 3 days ago, in 1.4`. */
  readonly blame?: string;
};

/** A change as it is told, which may be in more than one line. */
export function reportChange(change: Change, now?: number): readonly ChangeReport[] {
  const { blame, cause, mergedIn, unknown } = change;
  return wordsOfChange(change).map((report) => {
    const words = [
      ...(mergedIn === undefined ? [] : [mergedWords(mergedIn)]),
      ...(cause === 'drift'
        ? [unknown === undefined ? 'edited in the catalog' : unknownWords(unknown)]
        : []),
      ...(blame && isOfBlame(report, blame) ? [blameWords(blame, now)] : []),
    ];
    return words.length > 0 ? { ...report, blame: words.join('; ') } : report;
  });
}

/** `not known: this clone is shallow`. */
export function unknownWords(why: string): string {
  return `not known: ${why}`;
}

/** `merged in 3f2a1c9, not applied yet`. */
export function mergedWords(commit: string): string {
  return `merged in ${commit.slice(0, 7)}, not applied yet`;
}

/** Of several at one place, only those that go were set by somebody. */
function isOfBlame({ sign }: ChangeReport, { kind }: LiveBlame): boolean {
  return sign !== 'added' || kind === 'removed';
}

/** `set by mira, 3 days ago, in 1.4 (not from a commit)`; with a day where nobody says what time it is. */
export function blameWords(blame: LiveBlame, now?: number): string {
  const { kind, user, updatedAt, version, provenance } = blame;
  // Whoever wrote the first known version need not have set what stands in it.
  if (kind === 'known-since' && version !== firstVersion)
    return `set in ${version ?? 'the first known version'} or before`;
  const time = updatedAt === undefined ? undefined : timeWords(updatedAt, now);
  const words = [
    `${blameVerbs[kind]}${user === undefined ? '' : ` by ${user}`}`,
    ...(time === undefined ? [] : [time]),
    ...(version === undefined ? [] : [`in ${version}`]),
  ].join(', ');
  return provenance ? `${words} (${sourceWords(provenance)})` : words;
}

/** Catalogs begin to count with it. */
const firstVersion = '0.1';

const blameVerbs = {
  set: 'set',
  removed: 'removed',
  moved: 'moved',
  'known-since': 'set',
} as const;

function timeWords(time: number, now: number | undefined): string {
  return now === undefined ? `on ${formatDay(time)}` : formatAge(time, now);
}

function sourceWords(provenance: NonNullable<LiveBlame['provenance']>): string {
  if (provenance.kind === 'no-commit') return 'not from a commit';
  const commit = provenance.commit.slice(0, 7);
  return provenance.kind === 'git' ? `git ${commit}` : `in git since ${commit}`;
}

function wordsOfChange(change: Change): readonly ChangeReport[] {
  const people = describePeople(change);
  if (people) return people;
  const {
    kind,
    path,
    from = '',
    place: _place,
    inWords,
    blame: _,
    mergedIn: __,
    unknown: ___,
    ...values
  } = change;
  const shown = { ...values, ...inWords };
  const movement = `moved from ${lastToken(from)} to ${lastToken(path)}`;
  return [{ ...shown, sign: changeSigns[kind], ...(kind === 'move' && { movement }) }];
}

/** What each operation does to its place. */
export const changeSigns: Readonly<Record<Change['kind'], ChangeReport['sign']>> = {
  add: 'added',
  remove: 'removed',
  replace: 'changed',
  move: 'changed',
};

function lastToken(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

const words = { owners: 'owner', reviewers: 'reviewer' } as const;

/** A change of owners or reviewers by their names, ids left out; undefined where it is no such change. */
function describePeople({
  path,
  before,
  after,
  source,
}: Change): readonly ChangeReport[] | undefined {
  const [, field = '', ...deeper] = path.split('/');
  if ((field !== 'owners' && field !== 'reviewers') || deeper.length > 1) return undefined;
  const [gone, come] = [referencesOf(before), referencesOf(after)];
  if (!gone || !come) return undefined;
  const word = words[field];
  const place = source && { source };
  const [old, ...otherOld] = gone;
  const [young, ...otherYoung] = come;
  if (old && young && otherOld.length + otherYoung.length === 0)
    return [{ ...succession(word, old, young), ...place }];
  return [
    ...gone.map((each) => ({
      sign: 'removed' as const,
      label: word,
      before: describeReference(each),
      ...place,
    })),
    ...come.map((each) => ({
      sign: 'added' as const,
      label: word,
      after: describeReference(each),
      ...place,
    })),
  ];
}

/** One in the place of another: `owner team  sales-team → checkout-team`. */
function succession(word: string, old: PersonReference, young: PersonReference): ChangeReport {
  const sign = 'changed';
  return old.type === young.type && old.name !== undefined && young.name !== undefined
    ? { sign, label: `${word} ${old.type}`, before: old.name, after: young.name }
    : { sign, label: word, before: describeReference(old), after: describeReference(young) };
}

/** Undefined where anything in it is no reference. */
function referencesOf(value: JsonValue | undefined): readonly PersonReference[] | undefined {
  if (value === undefined) return [];
  const items = isArray(value) ? value : [value];
  const references = items.map(parseReference).filter((reference) => reference !== undefined);
  return references.length === items.length ? references : undefined;
}
