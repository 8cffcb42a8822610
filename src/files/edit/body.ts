import { columnOf, indent, isComment, isOnLineOf } from './lines.ts';
import {
  type CollectionNode,
  isBlockCollection,
  isCollection,
  type Item,
  type YamlNode,
  type YamlTree,
} from './tree.ts';
import {
  type FormerBlock,
  isPlainText,
  needsEscape,
  type Quotes,
  type WishedStyle,
  wrap,
  writeBlock,
  writeScalar,
} from './scalar.ts';
import {
  isArray,
  isEmpty,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../core/json.ts';

type Kind = CollectionNode['kind'];
type TextStyle = Quotes | 'plain';

type Style = {
  readonly quotes: Quotes | 'either';
  /** Of text that needs no quotes: plain, unless the whole document quotes it. */
  readonly text: TextStyle;
  readonly key: TextStyle;
  /** Columns from a key to the keys of the mapping, or to the dashes of the sequence, below it. */
  readonly step: number;
  readonly offset: number;
  readonly gap: string;
  readonly padding: (kind: Kind) => string;
};

export type Habits = Style & { readonly isFlow: (kind: Kind, place: string) => boolean };

// Counted once for each document: a patch may have many operations.
const known = new WeakMap<YamlTree, Habits>();

/** The style that most of the document has, before any edit. */
export function habitsOf(tree: YamlTree): Habits {
  const first = tree.first ?? tree;
  const habits = known.get(first) ?? countHabits(first);
  known.set(first, habits);
  return habits;
}

function countHabits({ text, root }: YamlTree): Habits {
  const votes = countVotes(text, root);
  const choose = (trait: string): string | undefined => {
    const [favourite] = [...(votes.get(trait) ?? [])].toSorted(([, a], [, b]) => b - a);
    return favourite?.[0];
  };
  return {
    quotes: choose('quotes') === 'single' ? 'single' : 'double',
    step: Number(choose('step') ?? 2),
    offset: Number(choose('offset') ?? 2),
    gap: choose('gap') ?? ' ',
    text: textStyle(votes),
    key: toStyle(choose('key')),
    padding: (kind) => choose(`${kind} padding`) ?? (kind === 'map' ? ' ' : ''),
    isFlow: (kind, place) => choose(`${kind} ${place}`) === 'flow',
  };
}

type Choices = ReadonlyMap<string, number>;

function unanimous(choices: Choices = new Map(), least: number): TextStyle | undefined {
  const [[style, count] = ['plain', 0], ...others] = choices;
  return others.length === 0 && count >= least ? toStyle(style) : undefined;
}

function toStyle(choice: string | undefined): TextStyle {
  return choice === 'single' || choice === 'double' ? choice : 'plain';
}

// From this many quoted texts on, with none without quotes, quoting is a habit.
const manyTexts = 5;

// A document with quotes around all keys is JSON, unless its texts differ.
function textStyle(votes: Votes): TextStyle {
  const json = votes.has('text') ? undefined : unanimous(votes.get('key'), 1);
  return unanimous(votes.get('text'), manyTexts) ?? json ?? 'plain';
}

type Votes = ReadonlyMap<string, Choices>;
type Vote = (trait: string, choice: string) => void;

function countVotes(text: string, root: YamlNode): Votes {
  const votes = new Map<string, Map<string, number>>();
  const vote: Vote = (trait, choice) => {
    const choices = votes.get(trait) ?? new Map<string, number>();
    votes.set(trait, choices.set(choice, (choices.get(choice) ?? 0) + 1));
  };
  const walk = (node: YamlNode, place: string): void => {
    if (!isCollection(node)) return;
    const [first] = node.items;
    if (first) vote(`${node.kind} ${place}`, node.style);
    if (node.style === 'flow' && first && isOnLineOf(text, node.body, first.start))
      vote(`${node.kind} padding`, text.slice(node.body + 1, first.start));
    for (const item of node.items) {
      voteForItem(text, item, vote);
      if (hasPlainText(text, item.value)) vote('text', item.value.style);
      walk(item.value, item.key ? `${place}.${item.key.text}` : `${place}[]`);
    }
  };
  walk(root, '');
  return votes;
}

function voteForItem(text: string, item: Item, vote: Vote): void {
  const { start, key, indicator, value } = item;
  for (const node of [key?.node, value]) {
    const isQuoted =
      node?.kind === 'scalar' && (node.style === 'single' || node.style === 'double');
    if (isQuoted) vote('quotes', node.style);
  }
  if (key?.node.kind === 'scalar') vote('key', key.node.style);
  if (indicator === undefined || value.kind === 'empty') return;
  if (!key && isOnLineOf(text, start, value.start)) {
    vote('gap', text.slice(indicator, value.start));
  } else if (key && isBlockCollection(value)) {
    const trait = value.kind === 'map' ? 'step' : 'offset';
    vote(trait, String(columnOf(text, value.body) - columnOf(text, start)));
  }
}

function hasPlainText(
  text: string,
  node: YamlNode,
): node is YamlNode & { readonly kind: 'scalar' } {
  if (node.kind !== 'scalar' || node.style === 'block') return false;
  const margin = node.style === 'plain' ? 0 : 1;
  return isPlainText(text.slice(node.body + margin, node.end - margin));
}

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
  /** `.schema[].tags`, as the habits name it. */
  readonly place: string;
  readonly isMember: boolean;
  readonly isFlow: boolean;
  readonly style?: WishedStyle | undefined;
  readonly former?: FormerBlock | undefined;
  readonly isBlockless?: boolean | undefined;
};

export function writeBody(value: JsonValue, manner: Manner): Body {
  if (!isArray(value) && !isObject(value)) return scalarBody(value, manner);
  const { habits, place, isFlow, isBlockless } = manner;
  const nested = isArray(value) ? 'seq' : 'map';
  if (Object.keys(value).length === 0 || isFlow || habits.isFlow(nested, place))
    return { head: writeFlow(value, habits), lines: [] };
  const isMember = isObject(value);
  const lines = Object.entries(value).flatMap(([key, item]) => {
    const below = isMember ? `${place}.${key}` : `${place}[]`;
    const body = writeBody(item, { habits, place: below, isMember, isFlow: false, isBlockless });
    return itemLines(isMember ? `${writeKey(key, habits)}:` : '-', body, habits);
  });
  return { head: '', lines, nested };
}

function scalarBody(value: JsonPrimitive, manner: Manner): Body {
  const { habits, isMember, isFlow, isBlockless, style, former } = manner;
  const step = former?.step ?? (isMember ? habits.step : 1 + habits.gap.length);
  const mayBeBlock = typeof value === 'string' && !isFlow && !isBlockless && style !== 'double';
  const block = mayBeBlock ? writeBlock(value, step, former) : undefined;
  if (block) return { head: block.header, lines: indent(block.lines, step) };
  return { head: writeScalar(value, { style: style ?? habits.text, habits, isFlow }), lines: [] };
}

function writeFlow(value: JsonValue, habits: Style): string {
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

export function writeKey(key: string, habits: Style, isFlow = false): string {
  return writeScalar(key, { style: habits.key, habits, isFlow });
}

export function itemLines(
  indicator: string,
  { head, lines, nested, shift }: Body,
  { step, offset, gap }: Style,
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

/** The text of a new document: short mappings in braces, long texts folded. */
export function writeDocument(fields: JsonObject): string {
  return `${linesOf(fields, 0).join('\n')}\n`;
}

// Columns of a line.
const widest = 100;

const ours: Style = {
  quotes: 'either',
  text: 'plain',
  key: 'plain',
  step: 2,
  offset: 2,
  gap: ' ',
  padding: (kind) => (kind === 'map' ? ' ' : ''),
};

function linesOf(value: JsonObject | JsonArray, column: number): readonly string[] {
  const isOfShort = isArray(value) && value.every(isShortMapping);
  return Object.entries(value).flatMap(([key, item]) => {
    const isFlow = isOfShort || (isObject(value) && key !== 'entity' && isShortMapping(item));
    const indicator = isArray(value) ? '-' : `${writeKey(key, ours)}:`;
    return itemLines(indicator, isFlow ? inFlow(item) : bodyOf(item, column + 2), ours);
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
  return { head: writeScalar(value, { style: 'plain', habits: ours, isFlow: false }), lines: [] };
}

function inFlow(value: JsonValue): Body {
  return { head: writeFlow(value, ours), lines: [] };
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
