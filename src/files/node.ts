import { isNode } from '../yaml-build.js';

/** Where a node's value starts in the text, past its anchor and tag. */
export function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
