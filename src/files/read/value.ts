import {
  EVENT_ID,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import {
  deepestNesting,
  isArray,
  isExact,
  isObject,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import {
  endOfValue,
  type EventText,
  isLeftEmpty,
  mergeSources,
  offsetOf,
  valuesBelow,
} from './events.ts';
import { forbiddenKeys, type OffsetDiagnostic, tooDeep } from './finding.ts';

// Values that the aliases of a document may add: a bound for alias bombs.
const mostAliasedValues = 100_000;

type Problem = Omit<OffsetDiagnostic, 'offset'>;

type Walk = EventText & {
  /** Index of the next event. */
  next: number;
  /** Indexes of the aliases whose targets are being read, outermost first. */
  readonly following: number[];
  readonly findings: OffsetDiagnostic[];
  aliasedValues: number;
  depth: number;
};

/** A value that JSON can't hold becomes null, with a finding. */
export function readValue(parsed: EventText, root: number) {
  const findings: OffsetDiagnostic[] = [];
  const walk: Walk = { ...parsed, next: root, following: [], findings, aliasedValues: 0, depth: 0 };
  return { value: convert(walk), findings };
}

function report(walk: Walk, problem: Problem, index: number): void {
  walk.findings.push({ ...problem, offset: offsetOf(walk, index) });
}

function convert(walk: Walk): JsonValue {
  const index = walk.next;
  const event = walk.events[index];
  if (event?.type === EVENT_ID.ALIAS) return convertAlias(walk);
  if (walk.following.length > 0 && !affordsAliased(walk)) return skip(walk);
  if (event?.type === EVENT_ID.SCALAR) {
    walk.next += 1;
    return jsonOf(walk, scalarOf(walk, event), index);
  }
  const isCollection = event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE;
  return isCollection ? convertCollection(walk, event) : null;
}

function convertCollection(walk: Walk, event: MappingEvent | SequenceEvent): JsonValue {
  if (walk.depth >= deepestNesting) {
    report(walk, tooDeep, walk.following[0] ?? walk.next);
    return skip(walk);
  }
  reportTag(walk, event);
  walk.depth += 1;
  walk.next += 1;
  const value = event.type === EVENT_ID.MAPPING ? convertMap(walk) : convertList(walk);
  walk.next += 1;
  walk.depth -= 1;
  return value;
}

function skip(walk: Walk): null {
  walk.next = endOfValue(walk, walk.next);
  return null;
}

function isOpen({ events, next }: Walk): boolean {
  return events[next]?.type !== EVENT_ID.POP;
}

function convertList(walk: Walk): JsonValue {
  const items: JsonValue[] = [];
  while (isOpen(walk)) items.push(convert(walk));
  return items;
}

function convertMap(walk: Walk): JsonObject {
  const members: { [key: string]: JsonValue } = {};
  const merged: JsonObject[] = [];
  const map = walk.next - 1;
  const first = walk.next;
  let lacksDash = false;
  while (isOpen(walk)) {
    const key = walk.next;
    if (isMergeKey(walk, key)) {
      walk.next += 1;
      merged.push(...convertMerge(walk));
      continue;
    }
    const name = convertKey(walk);
    if (name?.includes(':')) checkColon(walk, key, name);
    const value = convert(walk);
    if (name === undefined) continue;
    // What follows a missing dash repeats the keys of the item before.
    if (Object.hasOwn(members, name) && !lacksDash) {
      const earlier = firstKey(walk, map, name);
      lacksDash = earlier === first && walk.depth > 1 && walk.text[offsetOf(walk, map)] !== '{';
      const { line } = walk.lines.place(offsetOf(walk, earlier));
      const message = `Duplicate key ${quote(name)}: the first is on line ${line}${lacksDash ? ', and a dash may be missing here' : ''}.`;
      const hint = duplicateHint(lacksDash, [members[name], value]);
      report(walk, { code: 'duplicate-key', message, hint }, key);
    }
    members[name] = value;
  }
  // The map's own keys win over merged ones, and earlier merged maps over later ones.
  return merged.length === 0 ? members : Object.assign({}, ...merged.toReversed(), members);
}

// In brackets, `dataType:BIGINT` is a key without a value.
function checkColon(walk: Walk, key: number, name: string): void {
  const { text, events, next } = walk;
  const [, word, rest] = /^([A-Za-z_]\w*):([^\s:/].*)$/su.exec(name) ?? [];
  const event = events[key];
  if (word === undefined || event?.type !== EVENT_ID.SCALAR || !isLeftEmpty(events[next])) return;
  if (/^["']?\s*:/u.test(text.slice(event.valueEnd))) return;
  const message = `${quote(name)} is a key without a value: its colon has no space behind it.`;
  report(walk, { code: 'yaml-syntax', message, hint: `Write \`${word}: ${rest}\`.` }, key);
}

function duplicateHint(lacksDash: boolean, values: readonly (JsonValue | undefined)[]): string {
  if (lacksDash) return 'Begin a new item with `- `, or remove one of the two.';
  const areLists = values.every((value) => value !== undefined && isArray(value));
  return areLists ? 'Put the items of both under one of the two.' : 'Remove one of the two.';
}

function firstKey(walk: Walk, map: number, name: string): number {
  const keys = valuesBelow(walk, map).filter((_, at) => at % 2 === 0);
  const isNamed = (key: number): boolean => {
    const event = walk.events[walk.targets.get(key) ?? key];
    return event?.type === EVENT_ID.SCALAR && getScalarValue(walk.text, event) === name;
  };
  return keys.find(isNamed) ?? map;
}

function convertKey(walk: Walk): string | undefined {
  const key = walk.next;
  const event = walk.events[walk.targets.get(key) ?? key];
  skip(walk);
  const value = event?.type === EVENT_ID.SCALAR ? scalarOf(walk, event) : undefined;
  if (typeof value !== 'string') {
    const isWord = typeof value === 'number' || typeof value === 'boolean';
    const written = event?.type === EVENT_ID.SCALAR ? getScalarValue(walk.text, event) : '';
    const message = isWord
      ? `The key ${written} is a ${typeof value}. Keys must be text.`
      : 'This key is not text.';
    const hint = isWord ? `Quote it: "${written}".` : 'Use a plain or quoted word as the key.';
    report(walk, { code: 'non-string-key', message, hint }, key);
    return undefined;
  }
  if (!value.isWellFormed()) report(walk, loneSurrogate(value), key);
  if (!forbiddenKeys.has(value)) return value;
  const message = `The key ${quote(value)} is not allowed: it can harm programs that read it.`;
  report(walk, { code: 'forbidden-key', message, hint: 'Rename it.' }, key);
  return undefined;
}

/** A plain `<<` is a merge key in YAML 1.1 only, but widely used. */
export function isMergeKey({ text, events }: EventText, index: number): boolean {
  const event = events[index];
  if (event?.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) return false;
  return event.valueEnd - event.valueStart === 2 && getScalarValue(text, event) === '<<';
}

function convertMerge(walk: Walk): readonly JsonObject[] {
  const { next: value, events, targets } = walk;
  const isCut = walk.aliasedValues > mostAliasedValues;
  for (const each of isCut ? [] : mergeSources(walk, value)) {
    const type = events[targets.get(each) ?? each]?.type;
    // An alias without a target is reported as such.
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.ALIAS) continue;
    const message = 'The merge key << needs a mapping or a list of mappings.';
    const hint = 'Quote the key, "<<", if it is meant as text.';
    report(walk, { code: 'yaml-alias', message, hint }, each);
  }
  const source = convert(walk);
  return (isArray(source) ? source : [source]).filter(isObject);
}

function convertAlias(walk: Walk): JsonValue {
  const { next: alias, targets, following } = walk;
  walk.next += 1;
  const target = targets.get(alias);
  const outermost = following[0] ?? alias;
  if (target === undefined && walk.isPart) return null;
  if (target === undefined) {
    const message = `No anchor before the alias ${nameOf(walk, alias)}.`;
    const hint = 'Define the anchor above, in the same document.';
    report(walk, { code: 'yaml-alias', message, hint }, alias);
    return null;
  }
  if (following.some((open) => targets.get(open) === target)) {
    const message = `The alias ${nameOf(walk, outermost)} contains itself.`;
    const hint = 'Write the value without the alias.';
    report(walk, { code: 'yaml-alias', message, hint }, outermost);
    return null;
  }
  if (walk.aliasedValues > mostAliasedValues) return null;
  following.push(alias);
  walk.next = target;
  const value = convert(walk);
  following.pop();
  walk.next = alias + 1;
  return value;
}

function nameOf({ text, events }: Walk, alias: number): string {
  const event = events[alias];
  return event?.type === EVENT_ID.ALIAS
    ? quote(text.slice(event.anchorStart, event.anchorEnd))
    : '';
}

function affordsAliased(walk: Walk): boolean {
  walk.aliasedValues += 1;
  if (walk.aliasedValues === mostAliasedValues + 1) {
    const message = `The aliases of this document expand to more than ${mostAliasedValues} values.`;
    const hint = 'Write the values out, or split the document.';
    report(walk, { code: 'file-too-complex', message, hint }, walk.following[0] ?? 0);
  }
  return walk.aliasedValues <= mostAliasedValues;
}

type Tagged = ScalarEvent | MappingEvent | SequenceEvent;

function reportTag({ text, findings }: Walk, { tagStart, tagEnd }: Tagged): void {
  if (tagStart === -1) return;
  const message = `The tag ${quote(text.slice(tagStart, tagEnd))} has no meaning here.`;
  const hint = 'Remove it: a contract has text, numbers, booleans, null, lists and mappings.';
  findings.push({ code: 'unknown-tag', message, hint, offset: tagStart });
}

function scalarOf(walk: Walk, event: ScalarEvent): JsonPrimitive {
  reportTag(walk, event);
  const text = getScalarValue(walk.text, event);
  const isPlain = event.style === SCALAR_STYLE.PLAIN && event.tagStart === -1;
  return isPlain ? plainValue(text) : text;
}

const integer = /^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/u;

// YAML 1.2 §10.3.2 (core schema).
const words: ReadonlyMap<string, boolean | null> = new Map([
  ['', null],
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);

// UTF-16 code units: hashing a longer text takes a pass over it.
const longestWord = 'false'.length;

function plainValue(plain: string): JsonPrimitive {
  const word = plain.length > longestWord ? undefined : words.get(plain);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/u.test(plain)) return plain;
  if (/^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+)$/u.test(plain))
    return Number(plain);
  if (/^[-+]?\.(?:inf|Inf|INF)$/u.test(plain)) return plain.startsWith('-') ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/u.test(plain) ? NaN : plain;
}

function jsonOf(walk: Walk, value: JsonPrimitive, index: number): JsonPrimitive {
  if (typeof value === 'string' && !value.isWellFormed()) report(walk, loneSurrogate(value), index);
  if (typeof value !== 'number') return value;
  const event = walk.events[index];
  const text = event?.type === EVENT_ID.SCALAR ? getScalarValue(walk.text, event) : '';
  const unheld = unheldNumber(value, text);
  const problem = unheld ?? doubtfulNumber(value, text);
  if (problem) report(walk, problem, index);
  if (unheld) return null;
  return value === 0 ? 0 : value; // JSON text has no -0.
}

function loneSurrogate(text: string): Problem {
  const message = `Half of a surrogate pair in ${quote(text)} is no character: UTF-8 can't hold it.`;
  const hint = String.raw`Write the character itself, or both halves: "\ud83d\ude00".`;
  return { code: 'lone-surrogate', message, hint };
}

function unheldNumber(value: number, text: string): Problem | undefined {
  if (!Number.isFinite(value)) {
    const message = `JSON can't represent the number ${quote(text)}.`;
    const hint = 'Quote it if it is meant as text.';
    return { code: 'number-not-finite', message, hint };
  }
  // 1e20 is a float, which may be rounded.
  if (integer.test(text) && !Number.isSafeInteger(value)) {
    const message = `The integer ${quote(text)} is beyond 2^53 - 1, so JSON readers would round it.`;
    const hint = 'Quote it to keep all of its digits.';
    return { code: 'number-too-long', message, hint };
  }
  return undefined;
}

function doubtfulNumber(value: number, text: string): Problem | undefined {
  if (!/^[-+.\d]+(?:e[-+]?\d+)?$/iu.test(text) || isExact(text, value)) return undefined;
  const message = `The number ${quote(text)} would be read as ${value}: JSON readers keep about 16 digits.`;
  const hint = `Write ${value}, or quote it to keep all of its digits.`;
  return { code: 'number-too-long', message, hint };
}
