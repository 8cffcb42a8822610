/**
 * What is inside of sections. The interface leaves their shapes open, so what is not known may be
 * meant: a warning is for what is nearly a known word, an error for what no catalog takes.
 */

import { isWithin } from '../../contract/strays.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { PointerDiagnostic } from '../read/document.ts';

/** What is known of a mapping: its keys, with the known words of those that have some. */
type Part = {
  readonly called: string;
  readonly keys: readonly string[];
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly parts?: Readonly<Record<string, Part>>;
};

const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];
const unitWords = { unit: [...units, ...units.map((unit) => `${unit}s`)] };

const column: Part = {
  called: 'a column',
  keys: [
    'name',
    'displayName',
    'description',
    'dataType',
    'dataTypeDisplay',
    'arrayDataType',
    'dataLength',
    'precision',
    'scale',
    'constraint',
    'tags',
    'children',
    'ordinalPosition',
    'fullyQualifiedName',
  ],
  words: { constraint: ['NULL', 'NOT_NULL', 'UNIQUE', 'PRIMARY_KEY'] },
};

const rule: Part = {
  called: 'a semantic rule',
  keys: ['name', 'description', 'rule', 'enabled', 'ignoredEntities'],
};

const promise = (...keys: readonly string[]): Part => ({
  called: 'a promise',
  keys: [...keys, 'unit'],
  words: unitWords,
});

const serviceLevels: Part = {
  called: 'the SLA',
  keys: [
    'refreshFrequency',
    'maxLatency',
    'latency',
    'retention',
    'availability',
    'availabilityTime',
    'timezone',
    'columnName',
  ],
  parts: {
    refreshFrequency: promise('interval'),
    maxLatency: promise('value'),
    retention: promise('period'),
  },
};

const reference: Part = {
  called: 'a reference',
  keys: [
    'id',
    'type',
    'name',
    'fullyQualifiedName',
    'displayName',
    'description',
    'href',
    'deleted',
  ],
  words: { type: ['user', 'team'] },
};

/** What is wrong inside of the sections of a document. */
export function structureProblems(document: JsonObject): PointerDiagnostic[] {
  const { schema, semantics, sla = null, owners, reviewers } = document;
  return [
    ...columnProblems(schema, ['schema']),
    ...itemProblems(semantics, rule, ['semantics']),
    ...partProblems(sla, serviceLevels, ['sla']),
    ...referenceProblems(owners, ['owners']),
    ...referenceProblems(reviewers, ['reviewers']),
  ];
}

function columnProblems(columns: JsonValue | undefined, pointer: Pointer): PointerDiagnostic[] {
  if (!isArray(columns)) return [];
  return [
    ...itemProblems(columns, column, pointer),
    ...columns.flatMap((item, index) => {
      if (!isObject(item)) return none;
      const { name = null, children } = item;
      const isNameless = name === null || name === '';
      if (!isNameless && children === undefined) return none;
      const place = [...pointer, String(index)];
      const nameless = isNameless ? [columnWithoutName(index, place)] : none;
      return [...nameless, ...columnProblems(children, [...place, 'children'])];
    }),
  ];
}

const none: readonly PointerDiagnostic[] = [];

function columnWithoutName(index: number, pointer: Pointer): PointerDiagnostic {
  return {
    code: 'column-without-name',
    severity: 'warning',
    message: `Column ${index + 1} has no name.`,
    hint: 'Give it the `name` it has in the table.',
    pointer,
  };
}

function referenceProblems(items: JsonValue | undefined, pointer: Pointer): PointerDiagnostic[] {
  if (!isArray(items)) return [];
  return items.flatMap((item, index) => {
    const place = [...pointer, String(index)];
    return typeof item === 'string'
      ? [textReference(item, place)]
      : partProblems(item, reference, place);
  });
}

function textReference(text: string, pointer: Pointer): PointerDiagnostic {
  return {
    code: 'wrong-type',
    message: `\`${pointer.join('.')}\` must be a mapping, not text.`,
    hint: `Write { type: team, name: ${printableName(text)} }, or type: user.`,
    pointer,
  };
}

function printableName(text: string): string {
  return /^[\w.-]{1,60}$/u.test(text) ? text : quote(text);
}

function itemProblems(
  items: JsonValue | undefined,
  part: Part,
  pointer: Pointer,
): PointerDiagnostic[] {
  if (!isArray(items)) return [];
  return items.flatMap((item, index) =>
    isPlain(item, part) ? none : partProblems(item, part, [...pointer, String(index)]),
  );
}

/** Nearly every column of thousands is: nothing is made to look through it. */
function isPlain(value: JsonValue, part: Part): boolean {
  return isObject(value) && Object.keys(value).every((key) => isPlainKey(key, part));
}

/** Whether a key is known, and nothing is known of what may stand behind it. */
function isPlainKey(key: string, { keys, words, parts }: Part): boolean {
  return keys.includes(key) && words?.[key] === undefined && parts?.[key] === undefined;
}

function partProblems(value: JsonValue, part: Part, pointer: Pointer): PointerDiagnostic[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = [...pointer, key];
    if (!part.keys.includes(key)) return misspeltKey(key, part, place);
    const inner = part.parts?.[key];
    return [
      ...misspeltWord(member, part.words?.[key] ?? [], place),
      ...(inner ? partProblems(member, inner, place) : []),
    ];
  });
}

function misspeltKey(key: string, { keys, called }: Part, pointer: Pointer): PointerDiagnostic[] {
  const lower = key.toLowerCase();
  const meant = keys.find((known) => isWithin(lower, known.toLowerCase(), 1));
  if (meant === undefined) return [];
  return [
    {
      code: 'key-misspelt',
      severity: 'warning',
      message: `Unknown key ${quote(key)} in ${called}.`,
      hint: `Did you mean "${meant}"?`,
      pointer,
      atKey: true,
    },
  ];
}

/** A catalog that knows the word may not know it in other letters. */
function misspeltWord(
  value: JsonValue,
  words: readonly string[],
  pointer: Pointer,
): PointerDiagnostic[] {
  if (typeof value !== 'string' || words.includes(value)) return [];
  const meant = words.find((word) => word.toLowerCase() === value.toLowerCase());
  if (meant === undefined) return [];
  return [
    {
      code: 'case-differs',
      severity: 'warning',
      message: `${quote(value)} has the wrong case.`,
      hint: `Write ${meant}.`,
      pointer,
    },
  ];
}
