import type { JsonPrimitive, JsonValue } from '../../../core/json.ts';
import { parseIndex, type Pointer } from '../../../patch/pointer.ts';
import type { Agreement, CoarseEquality } from './refine.ts';

/**
 * A part of a contract, and the place in the ODCS document that decided it. One tree is at once the
 * contract's fields, their trace and what is coarse about them.
 */
export type Stated = StatedValue | StatedList | StatedGroup;

type StatedValue = {
  readonly from: Pointer;
  /** Below the top level null removes on purpose what would stay live's otherwise. */
  readonly value: JsonPrimitive;
  readonly agrees?: Agreement;
};

type StatedList = { readonly from: Pointer; readonly items: readonly Stated[] };

type StatedGroup = {
  readonly from: Pointer;
  readonly members: Members;
  readonly agrees?: Agreement;
};

type Members = { readonly [name: string]: Stated };

export function stateValue(from: Pointer, value: JsonPrimitive, agrees?: Agreement): Stated {
  return { from, value, ...(agrees && { agrees }) };
}

export function stateList(from: Pointer, items: readonly Stated[]): Stated {
  return { from, items };
}

/** Of the members, those that are stated. */
export function stateGroup(
  from: Pointer,
  members: { readonly [name: string]: Stated | undefined },
  agrees?: Agreement,
): StatedGroup {
  const stated = Object.entries(members).filter((entry): entry is [string, Stated] =>
    Boolean(entry[1]),
  );
  return { from, members: Object.fromEntries(stated), ...(agrees && { agrees }) };
}

/** What is stated, as JSON. */
export function statedJson(stated: Stated): JsonValue {
  if ('items' in stated) return stated.items.map(statedJson);
  if ('members' in stated) return statedFields(stated);
  return stated.value;
}

/** A group as JSON. */
export function statedFields({ members }: StatedGroup): { readonly [name: string]: JsonValue } {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, statedJson(member)]),
  );
}

/** What agrees with more than its own value, by its pointer into the fields. */
export function coarseEqualities(stated: Stated, pointer: Pointer = []): CoarseEquality[] {
  const own = 'agrees' in stated ? [{ pointer, agrees: stated.agrees }] : [];
  if ('value' in stated) return own;
  const below = childrenOf(stated).flatMap(([token, child]) =>
    coarseEqualities(child, [...pointer, token]),
  );
  return [...own, ...below];
}

function childrenOf(stated: StatedList | StatedGroup): (readonly [string, Stated])[] {
  if ('members' in stated) return Object.entries(stated.members);
  return stated.items.map((item, index) => [String(index), item]);
}

/** Where a value of a contract comes from. */
type OdcsSource = {
  /** Into the ODCS document. */
  readonly pointer: Pointer;
  /** The key that decided it, where that is called otherwise than the contract's. */
  readonly key?: string;
};

/** The source of what stands at a pointer into the fields, or of its nearest stated parent. */
export function sourceOf(trace: Stated, pointer: Pointer): OdcsSource {
  let stated = trace;
  for (const token of pointer) {
    const child = childOf(stated, token);
    if (!child) break;
    stated = child;
  }
  const key = lastName(stated.from);
  // What the document says nothing of has only the place of its object.
  const isRenamed = stated !== trace && key !== undefined && key !== lastName(pointer);
  return { pointer: stated.from, ...(isRenamed && { key }) };
}

function childOf(stated: Stated, token: string): Stated | undefined {
  if ('items' in stated) return stated.items[parseIndex(token) ?? -1];
  if (!('members' in stated) || !Object.hasOwn(stated.members, token)) return undefined;
  return stated.members[token];
}

function lastName(pointer: Pointer): string | undefined {
  return pointer.findLast((token) => parseIndex(token) === undefined);
}
