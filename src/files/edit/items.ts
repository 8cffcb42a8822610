import { deepEqual, type JsonValue } from '../../core/json.ts';
import { parseIndex, type Pointer } from '../../patch/pointer.ts';
import {
  insertFlow,
  insertLines,
  isAiryAmong,
  removeFlow,
  removeLines,
  swapInBlock,
} from './collection.ts';
import { itemLines, type Manner, writeBody, writeKey } from './body.ts';
import { writeScalar } from './scalar.ts';
import { bodiesOf, type Carried, carryItem, writeValue } from './write-value.ts';
import { type Habits, habitsAround, nameBelow } from './habits.ts';
import { applySplices, type Candidate, inWhole } from './lines.ts';
import {
  followPointer,
  type Found,
  isCollection,
  reparseTree,
  type Site,
  type YamlTree,
} from './tree.ts';

export type Addition = {
  readonly value: JsonValue;
  readonly carried?: Carried;
  readonly isAiry?: boolean | undefined;
};

export function* addItem(
  tree: YamlTree,
  pointer: Pointer,
  addition: Addition,
): Generator<Candidate> {
  const way = followPointer(tree.root, pointer.slice(0, -1));
  if (way.kind !== 'found' || !isCollection(way.node)) return;
  const holder = way.node;
  // A key that is not a string, such as `200:`, is absent from the JSON value.
  if (holder.kind === 'map' && followPointer(tree.root, pointer).kind === 'found') return;
  const last = holder.items.length;
  const token = pointer.at(-1) ?? '';
  const index = holder.kind === 'seq' ? (parseIndex(token) ?? last) : last;
  const place = { holder, index, token, habits: habitsAround(tree, holder) };
  if (holder.style !== 'block') {
    yield* addToFlow(tree, way, place, addition);
    return;
  }
  for (const lines of linesFor(place, addition)) {
    yield insertLines(tree, place, lines, addition.isAiry);
    // A blank line would be content of a `|+` above or below it.
    yield insertLines(tree, place, lines, false);
  }
}

type ItemPlace = Site & { readonly token: string; readonly habits: Habits };

function* linesFor(place: ItemPlace, { value, carried }: Addition): Generator<readonly string[]> {
  const { habits } = place;
  const isMember = place.holder.kind === 'map';
  const indicator = isMember ? `${writeKey(place.token, habits)}:` : '-';
  if (carried?.lines) {
    const { above, body } = carried.lines;
    const isSame = carried.lines.isMember === isMember;
    const fitted = isSame ? body : { ...body, head: body.head.trimStart(), shift: undefined };
    yield [...above, ...itemLines(indicator, fitted, habits)];
  }
  for (const body of bodiesOf(value, mannerOf(place, false))) {
    yield itemLines(indicator, body, habits);
  }
}

function mannerOf({ holder, token, habits }: ItemPlace, isFlow: boolean): Manner {
  const isMember = holder.kind === 'map';
  const name = isMember ? token : nameBelow(habits.name, {});
  return { habits, name, isMember, isFlow, style: isMember ? undefined : habits.element };
}

function* addToFlow(
  tree: YamlTree,
  way: Found,
  place: ItemPlace,
  addition: Addition,
): Generator<Candidate> {
  const { holder, token, habits } = place;
  const isLone = holder.items.length === 0;
  const around = way.site ? habitsAround(tree, way.site.holder) : habits;
  if (isLone && !way.isInFlow && !around.isFlow(holder.kind, habits.name)) {
    for (const lines of linesFor(place, addition)) {
      yield* swapInBlock(tree, way, { head: '', lines, nested: holder.kind }, habits);
    }
  }
  const key = holder.kind === 'map' ? `${writeKey(token, habits, true)}: ` : '';
  const padding = habits.padding(holder.kind);
  const { carried, value } = addition;
  const comments = carried?.comments ?? [];
  for (const text of [carried?.flow, writeBody(value, mannerOf(place, true)).head]) {
    if (text === undefined) continue;
    yield insertFlow(tree, place, { text: key + text, comments, padding });
  }
}

export function* removeItem(tree: YamlTree, pointer: Pointer): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || !way.site) return;
  const { holder } = way.site;
  if (holder.style === 'block') yield* removeLines(tree, way.site);
  else if (holder.style === 'flow') yield* removeFlow(tree, way.site);
  else yield* writeValue(tree, pointer.slice(0, -1), {});
}

export function* renameKey(tree: YamlTree, pointer: Pointer, name: string): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  const node = way.kind === 'found' ? way.item?.key?.node : undefined;
  if (way.kind !== 'found' || !way.site || node?.kind !== 'scalar' || node.style === 'block')
    return;
  const habits = habitsAround(tree, way.site.holder);
  const text = writeScalar(name, { style: node.style, habits, isFlow: way.isInFlow });
  yield { splices: [{ start: node.body, end: node.end, text }] };
}

export function* moveItem(
  tree: YamlTree,
  from: Pointer,
  to: Pointer,
  value: JsonValue,
): Generator<Candidate> {
  const way = followPointer(tree.root, from);
  if (way.kind !== 'found' || !way.site) return;
  const isWithin = deepEqual(from.slice(0, -1), to.slice(0, -1));
  const isAiry = isWithin ? isAiryAmong(tree.text, way.site.holder) : undefined;
  for (const { splices: removal, losing } of removeItem(tree, from)) {
    const rest = reparseTree(applySplices(tree.text, removal), tree);
    const addition = { value, isAiry, carried: carryItem(tree, way, losing) };
    for (const { splices } of addItem(rest, to, addition)) {
      yield { splices: [inWhole(tree.text, applySplices(rest.text, splices))], losing };
    }
  }
}
