import { deepEqual, isArray, isObject, type JsonArray, type JsonValue } from '../json.ts';
import { alignInPlace, alignUnordered, alignWithMoves, type Link } from './align.ts';
import { cheaper, editsBytes } from './cost.ts';
import { type DiffOptions, type Edit, type Place, replaceEdit } from './edit.ts';
import { emit } from './emit.ts';
import { chooseKey, identityOf } from './identity.ts';
import { savingsInPlace, savingsWithMoves } from './savings.ts';
import { differingSection, elementPlace, type Section } from './section.ts';

/** How the elements of an array are compared. */
export type Comparison = {
  readonly options: DiffOptions;
  readonly compare: (live: JsonValue, desired: JsonValue, place: Place) => readonly Edit[];
};

type Alignment = readonly Link[];

/** The cheapest edits between two arrays. */
export function diffArrays(
  live: JsonArray,
  desired: JsonArray,
  place: Place,
  comparison: Comparison,
): readonly Edit[] {
  const section = differingSection(live, desired, place);
  const unordered = comparison.options.unordered?.includes(section.name) ?? false;
  const editsWithin = (link: Link): readonly Edit[] => linkEdits(link, section, comparison);
  return alignments(section, comparison, unordered)
    .map((links) => emit(section, links, { unordered, editsWithin }))
    .reduce(cheaper);
}

/** One of these alignments is the cheapest. */
function alignments(
  section: Section,
  comparison: Comparison,
  unordered: boolean,
): readonly Alignment[] {
  const key = chooseKey(section, comparison.options);
  const identities = {
    live: section.live.map((element) => identityOf(element, key)),
    desired: section.desired.map((element) => identityOf(element, key)),
  };
  if (unordered) return [alignUnordered(identities)];
  const saved = bytesSavedWithin(section, comparison);
  const inPlace = (): Alignment => alignInPlace(identities, savingsInPlace(section, saved));
  if (comparison.options.moves === false) return [inPlace()];
  const moving = alignWithMoves(identities, savingsWithMoves(section, saved));
  // Where only its value identifies an element, another value may be an edit of it.
  return key ? [moving] : [moving, inPlace()];
}

function linkEdits(
  { live, desired, kind }: Link,
  section: Section,
  { compare }: Comparison,
): readonly Edit[] {
  const before = section.live[live] ?? null;
  const after = section.desired[desired] ?? null;
  const place = elementPlace(section, live, desired);
  const edits = compare(before, after, place);
  return kind === 'replaced' ? cheapestInSlot(edits, replaceEdit(place, after)) : edits;
}

/** An element that is another one is sent whole, unless a single shorter edit makes it of the old. */
function cheapestInSlot(edits: readonly Edit[], whole: Edit): readonly Edit[] {
  return edits.length === 1 ? cheaper(edits, [whole]) : [whole];
}

/** Above so many pairs of elements it is not worth a look whether one is nearly the other. */
const closeLooks = 2 ** 16;

/** Bytes that an edit inside of a slot saves against sending the element whole. */
function bytesSavedWithin(
  section: Section,
  comparison: Comparison,
): (live: number, desired: number) => number {
  if (section.live.length * section.desired.length > closeLooks) return () => 0;
  return (live, desired) => {
    const after = section.desired[desired] ?? null;
    if (!isNearly(section.live[live] ?? null, after)) return 0;
    const edits = linkEdits({ live, desired, kind: 'replaced' }, section, comparison);
    return (
      editsBytes([replaceEdit(elementPlace(section, live, desired), after)]) - editsBytes(edits)
    );
  };
}

/** Cheap to tell, and true wherever a single edit within makes the one of the other. */
function isNearly(live: JsonValue, desired: JsonValue): boolean {
  if (!isObject(live) || !isObject(desired)) return isArray(live) && isArray(desired);
  let differing = 0;
  for (const member of new Set([...Object.keys(live), ...Object.keys(desired)])) {
    if (!deepEqual(live[member], desired[member])) differing += 1;
    if (differing > 1) return false;
  }
  return true;
}
