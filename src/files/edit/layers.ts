import type { JsonValue } from '../../core/json.ts';
import { evaluate } from '../../patch/evaluate.ts';
import type { Operation, Patch } from '../../patch/operation.ts';
import { valueAt } from '../../patch/pointer.ts';
import { tokensOf } from './change.ts';

/**
 * A patch in layers: what is in one layer comes to the same in any order, and what has to come after
 * something is in a later layer than that.
 */
export function layersOf(patch: Patch): readonly Patch[] {
  const layers: Operation[][] = [];
  const reached: Reached = { at: new Map(), within: new Map() };
  for (const operation of patch) {
    const scopes = scopesOf(operation);
    const layer = Math.max(...scopes.map((scope) => firstFree(scope, reached)));
    for (const scope of scopes) occupy(scope, layer, reached);
    (layers[layer] ??= []).push(operation);
  }
  return layers;
}

/** Characters that are read again for the layers of one patch: some microseconds each. */
const mostRead = 1_000_000;

/** However long the text is. */
const fewestLayers = 20;

/** Whether a patch has more layers than the text, as it grows by it, can be read again for. */
export function hasManyLayers(patch: Patch, text: string): boolean {
  const layers = layersOf(patch).length;
  if (layers <= fewestLayers) return false;
  return layers > mostRead / (text.length + JSON.stringify(patch).length);
}

/** The patch, of which fields that change in too many layers are replaced as a whole. */
export function withFewLayers(patch: Patch, text: string, value: JsonValue): Patch {
  if (!hasManyLayers(patch, text)) return patch;
  const after = evaluate(value, patch);
  const byField = Map.groupBy(patch, ({ path }) => fieldOf(path));
  return [...byField].flatMap(([field, own]): Patch => {
    const isOwn = own.every((each) => !('from' in each) || fieldOf(each.from) === field);
    const [before, wanted] = [value, after].map((each) => valueAt(each, tokensOf(field)));
    if (!isOwn || !hasManyLayers(own, text) || before === undefined || wanted === undefined) {
      return own;
    }
    return [{ op: 'replace', path: field, value: wanted }];
  });
}

/** `/schema` of `/schema/0/name`. */
function fieldOf(path: string): string {
  return path.split('/', 2).join('/');
}

/** For each pointer, the number of layers that its own operations, or those at or below it, need. */
type Reached = {
  readonly at: Map<string, number>;
  readonly within: Map<string, number>;
};

/** What an operation changes or looks at: an item that comes or goes shifts its siblings. */
function scopesOf(operation: Operation): readonly string[] {
  const { path } = operation;
  switch (operation.op) {
    case 'replace':
    case 'test':
      return [path];
    case 'add':
    case 'remove':
      return [holderOf(path)];
    case 'move':
      return [holderOf(operation.from), holderOf(path)];
    case 'copy':
      return [operation.from, holderOf(path)];
  }
}

function holderOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

function firstFree(scope: string, { at, within }: Reached): number {
  const above = prefixesOf(scope).map((prefix) => at.get(prefix) ?? 0);
  return Math.max(within.get(scope) ?? 0, ...above);
}

function occupy(scope: string, layer: number, { at, within }: Reached): void {
  at.set(scope, layer + 1);
  for (const prefix of prefixesOf(scope)) {
    within.set(prefix, Math.max(within.get(prefix) ?? 0, layer + 1));
  }
}

/** The pointer and all that it leads through, the root first. */
function prefixesOf(pointer: string): readonly string[] {
  const tokens = pointer.split('/');
  return tokens.map((_, index) => tokens.slice(0, index + 1).join('/'));
}
