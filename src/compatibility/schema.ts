import { deepEqual, isArray, isObject, type JsonArray, type JsonValue } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';
import { alignByName, isReordered, type Named, type NamedPair } from './align.ts';
import { compareColumns } from './column.ts';
import { addedRequirement, compareKeys } from './constraint.ts';
import type { ConsumerEffect, Part } from './rule.ts';
import { columnType, compareTypes, type Widening } from './type.ts';

/** The columns on both sides; without any the contract promises nothing any more. */
export function compareSchemas(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  const [old, next] = [listOf(before), listOf(after)];
  if (old.length > 0 && next.length === 0) {
    return [{ rule: 'contract-emptied', message: 'The schema is removed.', pointer: ['schema'] }];
  }
  return compareLists(old, next, { names: [], pointer: ['schema'] }, widenings);
}

function listOf(value: JsonValue | undefined): JsonArray {
  return isArray(value) ? value : [];
}

/** Where a list of columns stands: its identity is the path of names, never split on dots. */
type ColumnList = { readonly names: readonly string[]; readonly pointer: Pointer };

function compareLists(
  before: JsonArray,
  after: JsonArray,
  place: ColumnList,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  const alignment = alignByName(before, after, sameType);
  const { removed, added, kept, renamed } = alignment;
  return [
    ...removed.map((column) => ({
      rule: 'column-removed' as const,
      message: `${labelOf(column, place)} is removed.`,
      pointer: place.pointer,
    })),
    ...renamed.map(({ before, after }) => ({
      rule: 'column-renamed' as const,
      message: `${labelOf(before, place)} is renamed to ${after.name}.`,
      pointer: [...place.pointer, String(after.index), 'name'],
    })),
    ...added.flatMap((column): ConsumerEffect[] => {
      const label = labelOf(column, place);
      const pointer = [...place.pointer, String(column.index)];
      return [
        { rule: 'column-added', message: `${label} is added.`, pointer },
        ...addedRequirement(column, { label, pointer }),
      ];
    }),
    ...[...kept, ...renamed].flatMap((pair) => comparePair(pair, place, widenings)),
    ...compareKeys({
      alignment,
      pointer: place.pointer,
      label: (column) => labelOf(column, place),
    }),
    ...(isReordered(alignment) ? [reordered(place)] : []),
  ];
}

function comparePair(
  { before, after }: NamedPair,
  place: ColumnList,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  const pointer = [...place.pointer, String(after.index)];
  const part: Part = { label: labelOf(after, place), pointer };
  if (!isObject(before.value) || !isObject(after.value)) {
    const same = deepEqual(before.value, after.value);
    return same ? [] : [{ rule: 'other-changed', message: `${part.label} changes.`, pointer }];
  }
  const children: ColumnList = {
    names: [...place.names, after.name],
    pointer: [...pointer, 'children'],
  };
  return [
    ...compareColumns(before.value, after.value, part, widenings),
    ...compareLists(
      listOf(before.value['children']),
      listOf(after.value['children']),
      children,
      widenings,
    ),
  ];
}

function sameType(before: JsonValue, after: JsonValue): boolean {
  return (
    isObject(before) &&
    isObject(after) &&
    compareTypes(columnType(before), columnType(after), []) === 'same'
  );
}

function labelOf({ name }: Named, { names }: ColumnList): string {
  return `Column ${[...names, name].join(' › ')}`;
}

function reordered({ names, pointer }: ColumnList): ConsumerEffect {
  const whose = names.length > 0 ? ` of ${names.join(' › ')}` : '';
  return { rule: 'order-changed', message: `The columns${whose} are reordered.`, pointer };
}
