/**
 * Checks the content of sections. The interface leaves their shapes open, so an unknown word is a
 * warning only if it is nearly a known one; what no catalog accepts is an error.
 */

import { isArray, isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { isWithin, quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';

type Part = {
  readonly called: string;
  readonly keys: readonly string[];
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly parts?: Readonly<Record<string, Part>>;
};

const listed = (words: string): readonly string[] => words.split(' ');

const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];
const unitWords = { unit: [...units, ...units.map((unit) => `${unit}s`)] };

const column: Part = {
  called: 'a column',
  keys: listed(
    'name displayName description dataType dataTypeDisplay arrayDataType dataLength precision scale constraint tags children ordinalPosition fullyQualifiedName',
  ),
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
  keys: listed(
    'refreshFrequency maxLatency latency retention availability availabilityTime timezone columnName',
  ),
  parts: {
    refreshFrequency: promise('interval'),
    maxLatency: promise('value'),
    retention: promise('period'),
  },
};

const reference: Part = {
  called: 'a reference',
  keys: listed('id type name fullyQualifiedName displayName description href deleted'),
  words: { type: ['user', 'team'] },
};

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
    ...columns.flatMap((item, index): readonly PointerDiagnostic[] => {
      if (!isObject(item)) return none;
      const { name = null, children } = item;
      const isNameless = name === null || name === '';
      if (!isNameless && children === undefined) return none;
      const place = [...pointer, String(index)];
      const inside = columnProblems(children, [...place, 'children']);
      if (!isNameless) return inside;
      const message = `Column ${index + 1} has no name.`;
      const hint = 'Give it the `name` it has in the table.';
      const code = 'column-without-name';
      return [{ code, severity: 'warning', message, hint, pointer: place }, ...inside];
    }),
  ];
}

const none: readonly PointerDiagnostic[] = [];

function referenceProblems(items: JsonValue | undefined, pointer: Pointer): PointerDiagnostic[] {
  if (!isArray(items)) return [];
  return items.flatMap((item, index) => {
    const place = [...pointer, String(index)];
    if (typeof item !== 'string') return partProblems(item, reference, place);
    const name = /^[\w.-]{1,60}$/u.test(item) ? item : quote(item);
    return {
      code: 'wrong-type',
      message: `\`${place.join('.')}\` must be a mapping, not text.`,
      hint: `Write { type: team, name: ${name} }, or type: user.`,
      pointer: place,
    };
  });
}

function itemProblems(
  items: JsonValue | undefined,
  part: Part,
  pointer: Pointer,
): PointerDiagnostic[] {
  if (!isArray(items)) return [];
  return items.flatMap((item, index) => partProblems(item, part, [...pointer, String(index)]));
}

function partProblems(value: JsonValue, part: Part, pointer: Pointer): PointerDiagnostic[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = part.parts?.[key];
    const words = part.words?.[key];
    const isKnown = part.keys.includes(key);
    if (isKnown && !inner && !words) return none;
    const place = [...pointer, key];
    if (!isKnown) return misspeltKey(key, part, place);
    return [
      ...misspeltWord(member, words ?? [], place),
      ...(inner ? partProblems(member, inner, place) : []),
    ];
  });
}

function misspeltKey(key: string, { keys, called }: Part, pointer: Pointer): PointerDiagnostic[] {
  const lower = key.toLowerCase();
  const meant = keys.find((known) => isWithin(lower, known.toLowerCase(), 1));
  if (meant === undefined) return [];
  const message = `Unknown key ${quote(key)} in ${called}.`;
  const hint = `Did you mean "${meant}"?`;
  return [{ code: 'key-misspelt', severity: 'warning', message, hint, pointer, atKey: true }];
}

function misspeltWord(
  value: JsonValue,
  words: readonly string[],
  pointer: Pointer,
): PointerDiagnostic[] {
  if (typeof value !== 'string' || words.includes(value)) return [];
  const meant = words.find((word) => word.toLowerCase() === value.toLowerCase());
  if (meant === undefined) return [];
  const message = `${quote(value)} has the wrong case.`;
  return [{ code: 'case-differs', severity: 'warning', message, hint: `Write ${meant}.`, pointer }];
}
