import {
  isArray,
  isObject,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../../src/core/json.ts';
import type { Operation } from '../../../src/patch/evaluate.ts';
import { formatPointer, type Pointer } from '../../../src/patch/pointer.ts';
import { parseAllDocuments } from 'yaml';
import { seededRandom } from '../random.ts';
import { files } from './files.ts';

export type Edit = {
  readonly file: string;
  readonly text: string;
  readonly document: number;
  readonly operation: Exclude<Operation, { readonly op: 'test' | 'copy' }>;
};

const perFile = 30;

/** 300 edits, the same in each run. */
export function makeEdits(): readonly Edit[] {
  return Object.entries(files).flatMap(([file, text], seed) => {
    const random = seededRandom(seed + 1);
    const documents = parseAllDocuments(text).map((each): JsonValue => each.toJS());
    const document = documents.length - 1;
    const all = operationsOn(documents[document] ?? null, []);
    const kinds = [...Map.groupBy(all, ({ kind }) => kind).values()].map(random.shuffle);
    const rounds = kinds.flatMap((each) =>
      each.map(({ operation }, rank) => ({ operation, rank })),
    );
    const chosen = rounds.toSorted((a, b) => a.rank - b.rank).slice(0, perFile);
    return chosen.map(({ operation }) => ({ file, text, document, operation }));
  });
}

type Candidate = { readonly kind: string; readonly operation: Edit['operation'] };

const member = { note: 'Added later.', since: 3 };

/** What people and a pull do: other values, items added, removed and moved. */
function operationsOn(value: JsonValue, pointer: Pointer): readonly Candidate[] {
  const path = formatPointer(pointer);
  const isRoot = pointer.length === 0;
  const below = (key: string): string => formatPointer([...pointer, key]);
  if (isArray(value)) {
    const item = isObject(value[0]) ? { ...value[0], name: 'another' } : 'another';
    return [
      ...value.flatMap((each, at) => operationsOn(each, [...pointer, String(at)])),
      { kind: 'append', operation: { op: 'add', path: below('-'), value: item } },
      { kind: 'insert', operation: { op: 'add', path: below('0'), value: item } },
      ...value.map((_, at): Candidate => ({
        kind: 'remove an item',
        operation: { op: 'remove', path: below(String(at)) },
      })),
      ...(value.length > 1
        ? [moving('first to last', below('0'), below(String(value.length - 1)))]
        : []),
    ];
  }
  if (isObject(value)) return ofMapping(value, pointer, below);
  return isRoot
    ? []
    : replacements(value).map(([kind, next]) => ({
        kind,
        operation: { op: 'replace', path, value: next },
      }));
}

function ofMapping(
  value: JsonObject,
  pointer: Pointer,
  below: (key: string) => string,
): readonly Candidate[] {
  const names = Object.keys(value);
  return [
    ...names.flatMap((name) => operationsOn(value[name] ?? null, [...pointer, name])),
    { kind: 'add a text', operation: { op: 'add', path: below('added'), value: 'A new one.' } },
    { kind: 'add a mapping', operation: { op: 'add', path: below('added'), value: member } },
    ...names.map((name): Candidate => ({
      kind: 'remove a member',
      operation: { op: 'remove', path: below(name) },
    })),
  ];
}

function moving(kind: string, from: string, path: string): Candidate {
  return { kind, operation: { op: 'move', from, path } };
}

function replacements(value: JsonPrimitive): readonly (readonly [string, JsonPrimitive])[] {
  if (typeof value === 'number') return [['another number', value + 1]];
  if (typeof value !== 'string') return [['another flag', value !== true]];
  return [
    ['another text', value.includes('\n') ? `${value}One more line.\n` : `${value} too`],
    ['a word that needs quotes', 'no: # yes'],
    ['text of two lines', 'First line.\nSecond line.\n'],
  ];
}
