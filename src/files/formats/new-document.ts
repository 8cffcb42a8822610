import {
  isArray,
  isEmpty,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { type Body, itemLines, writeFlow, writeKey } from '../edit/body.ts';
import { indent } from '../edit/lines.ts';
import { needsEscape, wrap, writeBlock, writeScalar } from '../edit/scalar.ts';

/** The text of a new document: short mappings in braces, long texts folded. */
export function writeDocument(fields: JsonObject): string {
  return `${linesOf(fields, 0).join('\n')}\n`;
}

// Columns of a line.
const widest = 100;

const manner = {
  quotes: 'either',
  text: 'plain',
  key: 'plain',
  step: 2,
  offset: 2,
  gap: ' ',
  padding: (kind: 'map' | 'seq') => (kind === 'map' ? ' ' : ''),
} as const;

function linesOf(value: JsonObject | JsonArray, column: number): readonly string[] {
  const isOfShort = isArray(value) && value.every(isShortMapping);
  return Object.entries(value).flatMap(([key, item]) => {
    const isFlow = isOfShort || (isObject(value) && key !== 'entity' && isShortMapping(item));
    const indicator = isArray(value) ? '-' : `${writeKey(key, manner)}:`;
    return itemLines(indicator, isFlow ? inFlow(item) : bodyOf(item, column + 2), manner);
  });
}

function bodyOf(value: JsonValue, column: number): Body {
  if (isArray(value) || isObject(value)) {
    if (isEmpty(value) || Object.keys(value).length === 0) return inFlow(value);
    const nested = isArray(value) ? 'seq' : 'map';
    return { head: '', lines: linesOf(value, column), nested };
  }
  if (typeof value === 'string') {
    const isLong = value.length > widest - 20 && /^\S+(?: \S+)+$/u.test(value);
    const block =
      isLong && !needsEscape(value)
        ? { header: '>-', lines: wrap(value, widest - column) }
        : writeBlock(value, 2);
    if (block) return { head: block.header, lines: indent(block.lines, 2) };
  }
  return { head: writeScalar(value, { style: 'plain', habits: manner, isFlow: false }), lines: [] };
}

function inFlow(value: JsonValue): Body {
  return { head: writeFlow(value, manner), lines: [] };
}

function isShortMapping(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  const members = Object.values(value);
  const isOfLines = members.every(
    (member) =>
      !isObject(member) &&
      !isArray(member) &&
      !(typeof member === 'string' && member.includes('\n')),
  );
  return members.length > 0 && isOfLines && JSON.stringify(value).length < widest - 10;
}
