import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../core/json.ts';
import type { Habits } from './habits.ts';
import { indent, isComment } from './lines.ts';
import {
  type FormerBlock,
  type Quotes,
  type WishedStyle,
  writeBlock,
  writeScalar,
} from './scalar.ts';

export type Body = {
  /** On the line of the key or the dash. */
  readonly head: string;
  /** Below the head, indented from the nested collection or else from the item. */
  readonly lines: readonly string[];
  readonly nested?: 'map' | 'seq';
  /** Columns from the item to the nested collection; by default as the habits say. */
  readonly shift?: number | undefined;
};

export type Manner = {
  readonly habits: Habits;
  readonly name: string;
  readonly isMember: boolean;
  readonly isFlow: boolean;
  readonly style?: WishedStyle | undefined;
  readonly former?: FormerBlock | undefined;
  readonly isBlockless?: boolean | undefined;
};

export function writeBody(value: JsonValue, manner: Manner): Body {
  if (!isArray(value) && !isObject(value)) return scalarBody(value, manner);
  const kind = isArray(value) ? 'seq' : 'map';
  if (Object.keys(value).length === 0 || manner.isFlow || manner.habits.isFlow(kind, manner.name))
    return { head: writeFlow(value, manner.habits), lines: [] };
  return { head: '', lines: blockLines(value, manner), nested: kind };
}

function scalarBody(value: JsonPrimitive, manner: Manner): Body {
  const { habits, isMember, isFlow, isBlockless, style, former } = manner;
  const step = former?.step ?? (isMember ? habits.step : 1 + habits.gap.length);
  const mayBeBlock = typeof value === 'string' && !isFlow && !isBlockless && style !== 'double';
  const block = mayBeBlock ? writeBlock(value, step, former) : undefined;
  if (block) return { head: block.header, lines: indent(block.lines, step) };
  return { head: writeScalar(value, { style: style ?? habits.text, habits, isFlow }), lines: [] };
}

function blockLines(value: JsonObject | JsonArray, manner: Manner): readonly string[] {
  const { habits, isBlockless } = manner;
  const isMember = isObject(value);
  return Object.entries(value).flatMap(([key, item]) => {
    const name = isMember ? key : `${manner.name}[]`;
    const body = writeBody(item, { habits, name, isMember, isFlow: false, isBlockless });
    return itemLines(isMember ? `${writeKey(key, habits)}:` : '-', body, habits);
  });
}

type NewHabits = Pick<Habits, 'text' | 'key' | 'padding'> & { readonly quotes: Quotes | 'either' };

export function writeFlow(value: JsonValue, habits: NewHabits): string {
  if (isArray(value)) {
    const items = value.map((item) => writeFlow(item, habits));
    return inBrackets('[]', items, habits.padding('seq'));
  }
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, item]) => `${writeKey(key, habits, true)}: ${writeFlow(item, habits)}`,
    );
    return inBrackets('{}', members, habits.padding('map'));
  }
  return writeScalar(value, { style: habits.text, habits, isFlow: true });
}

function inBrackets(pair: '[]' | '{}', items: readonly string[], padding: string): string {
  if (items.length === 0) return pair;
  return `${pair[0]}${padding}${items.join(', ')}${padding}${pair[1]}`;
}

export function writeKey(key: string, habits: Pick<NewHabits, 'key' | 'quotes'>, isFlow = false) {
  return writeScalar(key, { style: habits.key, habits, isFlow });
}

export function itemLines(
  indicator: string,
  { head, lines, nested, shift }: Body,
  { step, offset, gap }: Pick<Habits, 'step' | 'offset' | 'gap'>,
): readonly string[] {
  const isElement = indicator === '-';
  const space = head === '' || /^\s/u.test(head) ? '' : isElement ? gap : ' ';
  const first = indicator + space + head;
  if (nested === undefined) return [first, ...lines];
  const ofMember = nested === 'map' ? step : offset;
  const below = indent(lines, shift ?? (isElement ? 1 + gap.length : ofMember));
  const [top = '', ...rest] = below;
  if (!isElement || head !== '' || isComment(top)) return [first, ...below];
  return [`-${top.slice(1)}`, ...rest];
}
