import { deepEqual, type JsonArray, type JsonValue } from '../core/json.ts';
import { alignInPlace, alignUnordered, alignWithMoves, indicesBut, type Link } from './align.ts';
import { cheaper, editsBytes } from './cost.ts';
import { identify, isKey } from './identity.ts';
import { moveEdits } from './moves.ts';
import {
  addEdit,
  childPlace,
  type DiffOptions,
  type Edit,
  type Place,
  removeEdit,
  replaceEdit,
} from './operation.ts';
import {
  differingSection,
  elementPlace,
  isNearly,
  savingsInPlace,
  savingsWithMoves,
  type Section,
} from './section.ts';

/** How the elements of an array are compared. */
type Comparison = {
  readonly options: DiffOptions;
  readonly compare: (
    live: JsonValue,
    desired: JsonValue,
    place: Place,
    options: DiffOptions,
  ) => readonly Edit[];
};

type EditsWithin = (link: Link) => readonly Edit[];

/** The cheapest edits between two arrays. */
export function diffArrays(
  live: JsonArray,
  desired: JsonArray,
  place: Place,
  comparison: Comparison,
): readonly Edit[] {
  const section = differingSection(live, desired, place);
  if (!section) return none;
  const { options } = comparison;
  const unordered = isUnordered(section, options);
  const editsWithin = rememberPairs(section, (link) => linkEdits(link, section, comparison));
  return alignments(section, options, editsWithin)
    .map((links) => emit(section, links, { unordered, editsWithin }))
    .reduce(cheaper);
}

function isUnordered({ name }: Section, { unordered = [] }: DiffOptions): boolean {
  return unordered.includes(name);
}

const none: readonly Edit[] = [];

/** Without this, elements within elements would be compared twice as often at every depth. */
function rememberPairs(section: Section, editsWithin: EditsWithin): EditsWithin {
  const known = new Map<number, readonly Edit[]>();
  return (link) => {
    if (isUnchanged(link, section)) return none;
    const pair = link.live * section.desired.length + link.desired;
    const edits = known.get(pair) ?? editsWithin(link);
    known.set(pair, edits);
    return edits;
  };
}

function isUnchanged({ live, desired, kind }: Link, section: Section): boolean {
  return kind !== 'replaced' && deepEqual(section.live[live], section.desired[desired]);
}

function linkEdits(
  { live, desired, kind }: Link,
  section: Section,
  { options, compare }: Comparison,
): readonly Edit[] {
  const before = section.live[live] ?? null;
  const after = section.desired[desired] ?? null;
  const place = elementPlace(section, live, desired);
  const edits = compare(before, after, place, options);
  if (kind !== 'replaced') return edits;
  // Another element is sent whole, unless one shorter edit makes it of the one in its slot.
  const whole = [replaceEdit(place, after)];
  return edits.length === 1 ? cheaper(edits, whole) : whole;
}

/** One of these alignments is the cheapest. */
function alignments(
  section: Section,
  options: DiffOptions,
  editsWithin: EditsWithin,
): readonly (readonly Link[])[] {
  if (section.live.length === 0 || section.desired.length === 0) return [[]];
  const identities = identify(section, options);
  if (isUnordered(section, options)) return [alignUnordered(identities)];
  const within = bytesSavedWithin(section, editsWithin);
  const moving = alignWithMoves(identities, savingsWithMoves(section, within));
  // Where nothing but its value identifies an element, another value may be an edit of it.
  return identities.live.some(isKey)
    ? [moving]
    : [moving, alignInPlace(identities, savingsInPlace(section, within))];
}

/** Above so many pairs of elements it is not worth a look whether one is nearly the other. */
const closeLooks = 2 ** 16;

/** Bytes that an edit inside of a slot saves against sending the new element whole. */
function bytesSavedWithin(
  section: Section,
  editsWithin: EditsWithin,
): (live: number, desired: number) => number {
  if (section.live.length * section.desired.length > closeLooks) return () => 0;
  return (live, desired) => {
    const after = section.desired[desired] ?? null;
    if (!isNearly(section.live[live] ?? null, after)) return 0;
    const whole = replaceEdit(elementPlace(section, live, desired), after);
    return editsBytes([whole]) - editsBytes(editsWithin({ live, desired, kind: 'replaced' }));
  };
}

/**
 * The edits of an array, in the one order in which every index is known beforehand: those within
 * elements, while each has its live index; removes from the last to the first; moves; adds from
 * the first to the last, at their final index or, in an unordered array, at the end.
 */
function emit(
  section: Section,
  links: readonly Link[],
  how: { readonly unordered: boolean; readonly editsWithin: (link: Link) => readonly Edit[] },
): readonly Edit[] {
  const within: readonly Edit[] = links.flatMap(how.editsWithin);
  return within.concat(
    removeEdits(section, links),
    moveEdits(links, section),
    addEdits(section, links, how.unordered),
  );
}

function removeEdits(section: Section, links: readonly Link[]): Edit[] {
  const linked = links.map(({ live }) => live);
  const removed = indicesBut(linked, section.live.length);
  return removed.toReversed().map((index) => removeEdit(elementPlace(section, index, index)));
}

function addEdits(section: Section, links: readonly Link[], unordered: boolean): Edit[] {
  const linked = links.map(({ desired }) => desired);
  const added = indicesBut(linked, section.desired.length);
  return added.map((index, rank) => {
    const isAtEnd = unordered || (section.isLast && index === links.length + rank);
    const final = section.start + index;
    const place = childPlace(section.place, isAtEnd ? '-' : final, final);
    return addEdit(place, section.desired[index] ?? null);
  });
}
