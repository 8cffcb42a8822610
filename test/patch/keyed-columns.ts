import fc from 'fast-check';
import { isArray, isObject, type JsonValue } from '../../src/core/json.ts';

/** An element of arrays in which no two have the same name. */
type Column = {
  readonly name: string;
  readonly value?: number;
  readonly text?: string;
  readonly tags: readonly number[];
  readonly columns: readonly Column[];
};

const names = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
  '',
  '1',
  '#',
  '#=1',
  'é',
  'constructor',
);
const tags = fc.array(fc.nat(3), { maxLength: 6 });

function columnsOf(depth: number): fc.Arbitrary<readonly Column[]> {
  return fc.uniqueArray(columnOf(depth), {
    maxLength: depth === 0 ? 4 : 7,
    selector: ({ name }) => name,
  });
}

function columnOf(depth: number): fc.Arbitrary<Column> {
  return fc.record(
    {
      name: names,
      value: fc.nat(3),
      text: fc.constantFrom('short', 'a text that is long enough to be worth keeping'),
      tags,
      columns: depth === 0 ? fc.constant([]) : columnsOf(depth - 1),
    },
    { requiredKeys: ['name', 'tags', 'columns'] },
  );
}

/** `where` chooses the element that changes, and where another one comes in. */
type Change = {
  readonly kind: keyof typeof changes;
  readonly where: number;
  readonly other: Column;
  /** For what the element holds itself. */
  readonly within: Change | undefined;
};

type ChangeColumns = (columns: readonly Column[], change: Change) => readonly Column[];

const changes = {
  edit: onElement((column, { value, text }) => ({
    name: column.name,
    ...(value !== undefined && { value }),
    ...(text !== undefined && { text }),
    tags: column.tags,
    columns: column.columns,
  })),
  retag: onElement((column, other) => ({ ...column, tags: other.tags })),
  nest: onElement((column, { columns }) => ({ ...column, columns })),
  within: onElement((column, _, { within }) => ({
    ...column,
    columns: within ? changed(column.columns, within) : [],
  })),
  append: (columns, { other }) => [...columns, other],
  pop: (columns) => columns.slice(0, -1),
  rename: onElement((column, { name }) => ({ ...column, name })),
  exchange: onElement((_, other) => other),
  insert: (columns, { where, other }) => columns.toSpliced(where % (columns.length + 1), 0, other),
  remove: (columns, { where }) => columns.toSpliced(where % (columns.length + 1), 1),
  move: (columns, { where }) => {
    const from = where % (columns.length + 1);
    return columns.toSpliced(from, 1).toSpliced(where % 7, 0, ...columns.slice(from, from + 1));
  },
  swapNames: (columns, { where }) => {
    const [a, b] = [where % (columns.length + 1), where % 7];
    const [one, other] = [columns[a], columns[b]];
    if (!one || !other) return columns;
    return columns.with(a, { ...one, name: other.name }).with(b, { ...other, name: one.name });
  },
} satisfies Readonly<Record<string, ChangeColumns>>;

function onElement(edit: (column: Column, other: Column, change: Change) => Column): ChangeColumns {
  return (columns, change) => {
    const index = change.where % (columns.length + 1);
    return columns.map((each, at) => (at === index ? edit(each, change.other, change) : each));
  };
}

/** A change that would give two elements one name is left out. */
function changed(columns: readonly Column[], change: Change): readonly Column[] {
  const after = changes[change.kind](columns, change);
  const isUnique = new Set(after.map(({ name }) => name)).size === after.length;
  return isUnique ? after : columns;
}

const kinds = Object.keys(changes) as (keyof typeof changes)[];

const change = fc.letrec<{ change: Change }>((tie) => ({
  change: fc.record({
    // Those that shift other elements are the rarer ones.
    kind: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...kinds.slice(0, -4)) },
      { weight: 1, arbitrary: fc.constantFrom(...kinds) },
    ),
    where: fc.nat(),
    other: columnOf(1),
    within: fc.option(tie('change'), { nil: undefined, maxDepth: 2 }),
  }),
})).change;

/** Two documents, most of the time the second one being the first after a few changes. */
export const pairsOfKeyedColumns: fc.Arbitrary<[JsonValue, JsonValue]> = fc
  .oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(columnsOf(2), fc.array(change, { minLength: 1, maxLength: 5 }))
        .map(([live, some]) => [live, some.reduce(changed, live)] as const),
    },
    { weight: 1, arbitrary: fc.tuple(columnsOf(1), columnsOf(1)) },
  )
  .map(([live, desired]) => [{ columns: live }, { columns: desired }] as [JsonValue, JsonValue]);

/**
 * Whether a comparison by index makes the element of one name that of another although one of the
 * two names stands on both sides: that would be a move, a remove or an insertion. Where neither
 * does, one element takes the slot of another, and what they hold is not compared.
 */
export function renamesByIndex(live: JsonValue, desired: JsonValue): boolean {
  if (isObject(live) && isObject(desired))
    return Object.keys(live).some((member) =>
      renamesByIndex(live[member] ?? null, desired[member] ?? null),
    );
  if (!isArray(live) || !isArray(desired)) return false;
  const [before, after] = [live.map(nameOf), desired.map(nameOf)];
  return before.some((name, index) => {
    const other = after[index];
    if (name === undefined || other === undefined) return false;
    if (name === other) return renamesByIndex(live[index] ?? null, desired[index] ?? null);
    return after.includes(name) || before.includes(other);
  });
}

function nameOf(element: JsonValue): JsonValue | undefined {
  return isObject(element) ? element['name'] : undefined;
}
