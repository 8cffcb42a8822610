import {
  columnMembers,
  dataTypes,
  levelMembers,
  promises,
  ruleMembers,
} from '../../../contract/contract.ts';
import { meantBy, parseDuration, unitHint, units } from '../../../contract/duration.ts';
import { keyMeantBy } from '../../../contract/synonyms.ts';
import {
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../core/json.ts';
import { differByAtMost, quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import { unknownStatus } from '../../../contract/conventions.ts';
import { isUuid } from '../../../contract/identity.ts';

/** Rules beyond the schema. `statuses` are the lifecycle's; absent: not checked. */
export function ruleProblems(document: JsonObject, statuses: readonly string[] | undefined) {
  const { id, entity, semantics } = document;
  return [
    ...(statuses ? unknownStatus(document, statuses) : []),
    ...notUuid(id, ['id']),
    ...notUuid(isObject(entity) ? entity['id'] : undefined, ['entity', 'id']),
    ...unreadableRules(semantics),
    ...duplicateNames(document, 'schema', (name) => name.toLowerCase()),
    ...duplicateNames(document, 'semantics', (name) => name),
  ];
}

// Identifiers are UUIDs (interface §2.1, §2.2); a warning, since a catalog may be laxer.
function notUuid(id: JsonValue | undefined, pointer: Pointer): PointerDiagnostic[] {
  if (typeof id !== 'string' || id.trim() === '' || isUuid(id)) return [];
  const message = `${quote(id)} is not a UUID.`;
  const hint = 'Copy the id from the catalog, or give the qualified name instead.';
  return [{ code: 'id-not-uuid', severity: 'warning', message, hint, pointer }];
}

// Rules are commonly JSON logic as text, which is an object; some catalogs take other languages.
function unreadableRules(semantics: JsonValue | undefined): PointerDiagnostic[] {
  return membersOf(semantics, 'rule').flatMap(({ value, index }): PointerDiagnostic[] => {
    const pointer = ['semantics', String(index), 'rule'];
    const about = { code: 'rule-not-json', severity: 'warning', pointer } as const;
    const rule = parseJson(value);
    if (rule === undefined && /^\s*[[{]/u.test(value)) {
      const message = 'This rule starts like JSON logic but is not valid JSON.';
      return [{ ...about, message, hint: 'Check its quotes, commas and brackets.' }];
    }
    if (rule === undefined || isObject(rule)) return [];
    const message = `${quote(value)} is JSON, but JSON logic is an object.`;
    return [{ ...about, message, hint: `Write it like '{">": [{"var": "amount"}, 0]}'.` }];
  });
}

function duplicateNames(
  document: JsonObject,
  section: 'schema' | 'semantics',
  normalize: (name: string) => string,
): PointerDiagnostic[] {
  const problems: PointerDiagnostic[] = [];
  const first = new Map<string, Member>();
  for (const member of membersOf(document[section], 'name')) {
    const { value, index } = member;
    const name = normalize(value);
    const earlier = first.get(name);
    if (!earlier) {
      first.set(name, member);
      continue;
    }
    const spelt =
      earlier.value === value
        ? ''
        : `; ${quote(earlier.value)} and ${quote(value)} count as the same name`;
    const message = `Items ${earlier.index + 1} and ${index + 1} of \`${section}\` have the same name, ${quote(value)}.`;
    const hint = `Rename or remove one${spelt}.`;
    const pointer = [section, String(index), 'name'];
    problems.push({ code: 'duplicate-name', message, hint, pointer });
  }
  return problems;
}

type Member = { readonly value: string; readonly index: number };

function membersOf(list: JsonValue | undefined, key: string): readonly Member[] {
  const members: Member[] = [];
  for (const [index, item] of (isArray(list) ? list : []).entries()) {
    const value = isObject(item) ? item[key] : undefined;
    if (typeof value === 'string') members.push({ value, index });
  }
  return members;
}

type Part = {
  readonly called: string;
  readonly keys: ReadonlySet<string>;
  /** Numbers that can't be negative. */
  readonly amounts?: ReadonlySet<string>;
  readonly words?: { readonly [key: string]: ReadonlySet<string> };
  readonly parts?: { readonly [key: string]: Part };
};

const column: Part = {
  called: 'a column',
  keys: new Set([...Object.keys(columnMembers), 'children']),
  amounts: new Set(['dataLength', 'precision', 'scale', 'ordinalPosition']),
  words: { constraint: new Set(columnMembers.constraint.oneOf), dataType: new Set(dataTypes) },
  get parts() {
    return { children: column };
  },
};

const serviceLevels: Part = {
  called: 'the SLA',
  keys: new Set([
    ...Object.keys(promises),
    ...Object.keys(levelMembers),
    'latency',
    'availability',
  ]),
  parts: Object.fromEntries(
    Object.entries(promises).map(([name, { amount }]) => [
      name,
      {
        called: 'a promise',
        keys: new Set([amount, 'unit']),
        words: { unit: new Set(units) },
        amounts: new Set([amount]),
      },
    ]),
  ),
};

const membersOfPromises: ReadonlySet<string> = new Set([
  ...Object.values(promises).map(({ amount }) => amount),
  'unit',
]);

const reference: Part = {
  called: 'a reference',
  keys: new Set('id type name fullyQualifiedName displayName description href deleted'.split(' ')),
  words: { type: new Set(['user', 'team']) },
};

const parts = {
  schema: column,
  semantics: { called: 'a semantic rule', keys: new Set(Object.keys(ruleMembers)) },
  sla: serviceLevels,
  owners: reference,
  reviewers: reference,
};

/**
 * Slips that a catalog may refuse, or keep without a word: warnings, but for a key in whose place
 * the known one would get no value.
 */
export function structureProblems(document: JsonObject): PointerDiagnostic[] {
  const { sla = null } = document;
  return [
    ...Object.entries(parts).flatMap(([field, part]) =>
      partProblems(document[field], part, [field]),
    ),
    ...promiseProblems(sla),
  ];
}

function partProblems(
  value: JsonValue | undefined,
  part: Part,
  pointer: Pointer,
): PointerDiagnostic[] {
  const problems: PointerDiagnostic[] = [];
  if (isArray(value))
    for (const [index, item] of value.entries())
      problems.push(...partProblems(item, part, [...pointer, String(index)]));
  if (!isObject(value)) return problems;
  if (part === column) problems.push(...nameless(value, pointer));
  for (const key in value) {
    const member = value[key];
    const words = part.words?.[key];
    if (!part.keys.has(key)) problems.push(...misspeltKey(key, value, part, pointer));
    else if (part.amounts?.has(key) && Number(member) < 0)
      problems.push(negative(key, [...pointer, key]));
    else if (typeof member === 'string' && words && !words.has(member))
      problems.push(...misspeltWord(member, key, [...words], [...pointer, key]));
    else if (part.parts?.[key])
      problems.push(...partProblems(member, part.parts[key], [...pointer, key]));
  }
  return problems;
}

function nameless({ name }: JsonObject, pointer: Pointer): PointerDiagnostic[] {
  const position = Number(pointer.at(-1)) + 1;
  // What isn't in a list is an error of its own.
  if (Number.isNaN(position) || (!isNothing(name) && name !== '')) return [];
  const message = `Column ${position} has no name.`;
  const hint = 'Give it the `name` it has in the table.';
  return [{ code: 'name-missing', severity: 'warning', message, hint, pointer }];
}

function negative(key: string, pointer: Pointer): PointerDiagnostic {
  const message = `\`${key}\` can't be negative.`;
  const hint = 'Use a whole number from 0 on.';
  return { code: 'unknown-value', severity: 'warning', message, hint, pointer };
}

// `15m` and the like: catalogs have an amount and its unit.
function promiseProblems(sla: JsonValue): PointerDiagnostic[] {
  if (!isObject(sla)) return [];
  const problems = Object.entries(promises).flatMap(([name, { amount }]): PointerDiagnostic[] => {
    const { [name]: promise } = sla;
    if (typeof promise !== 'string') return [];
    const [, number = '1', word = ''] = /^(?:(\d+) ?)?([a-z]+)$/iu.exec(promise.trim()) ?? [];
    const iso = parseDuration(promise, undefined);
    if (word === '' && !iso) return [];
    const each = meantBy(word);
    const meant = iso ?? (each && { ...each, amount: each.amount * Number(number) });
    const message = `${quote(promise)} is text, where catalogs have an amount and a unit.`;
    const hint = meant
      ? `Write { ${amount}: ${meant.amount}, unit: ${meant.unit} }.`
      : `Write \`${amount}\` and \`unit\`, one of ${units.join(', ')}.`;
    const pointer = ['sla', name];
    return [{ code: 'unknown-value', severity: 'warning', message, hint, pointer }];
  });
  const { availabilityTime: time } = sla;
  if (typeof time !== 'string' || !/^\d+:\d+/u.test(time) || timeOfDay.test(time)) return problems;
  const message = `${quote(time)} is not a time of day.`;
  const hint = 'Write hours and minutes, 08:30, up to 23:59.';
  const pointer = ['sla', 'availabilityTime'];
  return [...problems, { code: 'unknown-value', severity: 'warning', message, hint, pointer }];
}

const timeOfDay = /^(?:[01]?\d|2[0-3]):[0-5]\d/u;

// Types of databases that are one letter from another's.
const otherTypes: ReadonlySet<string> = new Set(['BSON', 'BYTE', 'CID', 'GUID']);

function misspeltWord(
  word: string,
  key: string,
  words: readonly string[],
  pointer: Pointer,
): PointerDiagnostic[] {
  const isType = key === 'dataType';
  const upper = word.toUpperCase();
  const same = words.find((known) => known.toUpperCase() === upper);
  if (isType && (same !== undefined || otherTypes.has(upper))) return [];
  if (same !== undefined) {
    const message = `${quote(word)} has the wrong case.`;
    const hint = `Write ${same}.`;
    return [{ code: 'case-differs', severity: 'warning', message, hint, pointer }];
  }
  // Types go by more letters in some databases: JSONB, NVARCHAR, TIMESTAMPTZ, VARCHAR2.
  const near = words.find(
    (known) =>
      (!isType || word.length <= known.length) && differByAtMost(upper, known.toUpperCase(), 1),
  );
  // Catalogs have few units, and many types.
  if (near === undefined && key !== 'unit') return [];
  const message = `${quote(word)} is no known \`${key}\`.`;
  const other = unitHint(word) ?? `Use ${units.join(', ')}.`;
  const hint = near === undefined ? other : `Did you mean "${near}"?`;
  return [{ code: 'unknown-value', severity: 'warning', message, hint, pointer }];
}

function misspeltKey(
  key: string,
  value: JsonObject,
  { keys: known, called, words }: Part,
  parent: Pointer,
): PointerDiagnostic[] {
  const keys = [...known];
  if (called === serviceLevels.called && membersOfPromises.has(key)) {
    const message = `\`${key}\` stands beside the promises of the SLA.`;
    const hint = `Indent it below the one it belongs to: ${Object.keys(promises).join(', ')}.`;
    const pointer = [...parent, key];
    return [{ code: 'key-misspelt', severity: 'warning', message, hint, pointer, atKey: true }];
  }
  const lower = key.toLowerCase();
  const synonym = keyMeantBy(key, parent[0] ?? '', keys);
  const meant = synonym ?? keys.find((each) => differByAtMost(lower, each.toLowerCase(), 1));
  if (meant === undefined) return [];
  const message = `Unknown key ${quote(key)} in ${called}.`;
  const constraints =
    meant === 'constraint' ? `, one of ${[...(words?.[meant] ?? [])].join(', ')}` : '';
  const hint = `Did you mean "${meant}"${constraints}?`;
  // `null` removes what an earlier file wrote.
  const isSynonym = synonym !== undefined && synonym !== 'name';
  const isHarmless = isSynonym || Object.hasOwn(value, meant) || value[key] === null;
  const severity = isHarmless ? 'warning' : 'error';
  const pointer = [...parent, key];
  const place = { pointer, meant: [...parent, meant], atKey: true };
  return [{ code: 'key-misspelt', severity, message, hint, ...place }];
}
