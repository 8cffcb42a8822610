import { deepEqual, type JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { type Addition, addItem } from './add-item.ts';
import { isAiryAmong, removeLines } from './block.ts';
import { type Carried, carryItem } from './carried.ts';
import { removeFlow } from './flow.ts';
import { habitsAround } from './habits.ts';
import type { YamlNode } from './node.ts';
import { writeScalar } from './scalar.ts';
import { applySplices, type Candidate, inWhole, type Span } from './splice.ts';
import { commentsOf, reparseTree, type YamlComment, type YamlTree } from './tree.ts';
import { followPointer, type Found } from './way.ts';
import { writeValue } from './write-value.ts';

/** Ways to remove an item, the best first. */
export function* removeItem(tree: YamlTree, pointer: Pointer): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || !way.site) return;
  const { holder } = way.site;
  if (holder.style === 'block') yield* removeLines(tree, way.site);
  else if (holder.style === 'flow') yield* removeFlow(tree, way.site);
  else yield* writeValue(tree, pointer.slice(0, -1), {});
}

/** A key by another name, where it stands. */
export function* renameKey(tree: YamlTree, pointer: Pointer, name: string): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || !way.site) return;
  const node = way.item?.key?.node;
  if (node?.kind !== 'scalar' || node.style === 'block') return;
  const habits = habitsAround(tree, way.site.holder);
  const text = writeScalar(name, { style: node.style, habits, isFlow: way.isInFlow });
  yield { splices: [{ start: node.body, end: node.end, text }] };
}

/** Ways to move an item with its lines as they stand, the best first. */
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
    const addition = { value, isAiry, ...carry(tree, way, losing) };
    for (const { splices } of addItem(rest, to, addition)) {
      yield { splices: [inWhole(tree.text, applySplices(rest.text, splices))], losing };
    }
  }
}

/** What goes along with a value: its text, and the comments that would be lost without it. */
function carry(
  tree: YamlTree,
  way: Found,
  losing: Span | undefined,
): Pick<Addition, 'carried' | 'comments' | 'flow'> {
  const flow = flowText(tree.text, way.node);
  const comments = commentsOf(tree.text).filter(
    ({ offset }) => losing && offset >= losing.start && offset < losing.end,
  );
  const loose = { flow, comments: comments.map(({ text }) => text) };
  if (way.site && !way.isInFlow) return { ...loose, carried: carryItem(tree, way.site) };
  return flow === undefined ? loose : { ...loose, carried: carryFlow(way, flow, comments) };
}

/** An item out of a flow collection, which may have a comment behind it on its line. */
function carryFlow(way: Found, flow: string, comments: readonly YamlComment[]): Carried {
  const isBehind = ({ offset }: YamlComment): boolean => offset > way.node.end;
  const [end, ...more] = comments.filter(isBehind);
  const above = [...comments.filter((comment) => !isBehind(comment)), ...more];
  return {
    above: above.map(({ text }) => text),
    isMember: way.item?.key !== undefined,
    body: { head: end ? `${flow} ${end.text}` : flow, lines: [] },
  };
}

/** A value's own text, if it may stand between brackets as it is. */
export function flowText(text: string, node: YamlNode, start = node.start): string | undefined {
  const own = text.slice(start, node.end);
  if (node.kind === 'empty' || own.includes('\n')) return undefined;
  if (node.kind !== 'scalar') return own;
  const isOther = node.style === 'block' || (node.style === 'plain' && /[,[\]{}]/u.test(own));
  return isOther ? undefined : own;
}
