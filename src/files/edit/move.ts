import type { JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { Candidate } from './block.ts';
import { type Addition, addItem, removeItem } from './candidates.ts';
import { type Carried, carryItem } from './carried.ts';
import type { Span } from './owned.ts';
import { parseTree, type YamlComment, type YamlNode, type YamlTree } from './tree.ts';
import { followPointer, type Found } from './way.ts';

/** Ways to move an item with its lines as they stand, the best first. */
export function* moveItem(
  tree: YamlTree,
  from: Pointer,
  to: Pointer,
  value: JsonValue,
): Generator<Candidate> {
  const way = followPointer(tree.root, from);
  if (way.kind !== 'found' || !way.site) return;
  for (const removal of removeItem(tree, from)) {
    const rest = parseTree(removal.text, tree.document);
    if (!rest) continue;
    const addition = { value, ...carry(tree, way, removal.losing) };
    for (const { text } of addItem(rest, to, addition)) yield { text, losing: removal.losing };
  }
}

/** What goes along with a value: its text, and the comments that would be lost without it. */
function carry(tree: YamlTree, way: Found, losing: Span | undefined): Omit<Addition, 'value'> {
  const flow = flowText(tree.text, way.node);
  const comments = tree.comments.filter(
    ({ offset }) => losing && offset >= losing.start && offset < losing.end,
  );
  const loose = { flow, comments: comments.map(({ text }) => text) };
  if (way.site && !way.isInFlow) return { ...loose, carried: carryItem(tree, way.site) };
  return flow === undefined ? loose : { ...loose, carried: carryFlow(way, flow, comments) };
}

/** An item out of a flow collection, which may have a comment behind it on its line. */
function carryFlow(way: Found, flow: string, comments: readonly YamlComment[]): Carried {
  const isEnd = ({ offset }: YamlComment): boolean => offset > way.node.end;
  const [end, ...more] = comments.filter(isEnd);
  const above = [...comments.filter((comment) => !isEnd(comment)), ...more];
  return {
    above: above.map(({ text }) => text),
    isMember: way.item?.key !== undefined,
    body: { head: end ? `${flow} ${end.text}` : flow, lines: [] },
  };
}

/** A value's own text, if it may stand between brackets as it is. */
export function flowText(text: string, node: YamlNode): string | undefined {
  const own = text.slice(node.start, node.end);
  if (node.kind === 'empty' || own.includes('\n')) return undefined;
  const isSafe = node.kind === 'scalar' && node.style === 'plain' ? !/[,[\]{}]/u.test(own) : true;
  return isSafe && !(node.kind === 'scalar' && node.style === 'block') ? own : undefined;
}
