import { columnOf, isOnLineOf, lineBreakOf } from './lines.ts';
import { type CollectionNode, isBlockCollection, type Item, type YamlNode } from './compose.ts';
import { isPlainText, type Quotes } from './scalar.ts';
import { once, type YamlTree } from './tree.ts';

type Kind = CollectionNode['kind'];

/**
 * The style of a new item's siblings, else of the document. Lazy: most edits keep the style of the
 * old text.
 */
export type Habits = {
  /** Columns from a key to the keys of the mapping below it. */
  readonly step: number;
  /** Columns from a key to the dashes of the sequence below it. */
  readonly offset: number;
  /** White space behind a dash. */
  readonly gap: string;
  readonly quotes: Quotes;
  /** For text that needs no quotes: plain, unless the whole document quotes it. */
  readonly text: TextStyle;
  readonly element: TextStyle;
  readonly key: TextStyle;
  readonly padding: (kind: Kind) => string;
  readonly isFlow: (kind: Kind, name: string) => boolean;
  /** The key of the collection, and `[]` for each sequence in between. */
  readonly name: string;
};

type TextStyle = Quotes | 'plain';

type Votes = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** From the first text: an edit may have removed its only line break. */
export function lineBreakIn({ text, first }: YamlTree): string {
  return lineBreakOf(first?.text ?? text);
}

export function habitsAround({ text, root, first }: YamlTree, holder: YamlNode): Habits {
  const document = (): Count => votesOf(text, root);
  const name = once(() => document().names.get(holder) ?? '');
  const siblings = once(() => countVotes(text, holder, name()).votes);
  const former = once(() => (first ? votesOf(first.text, first.root) : document()).votes);
  const choose = (trait: string): string | undefined =>
    favourite(siblings().get(trait)) ??
    favourite(document().votes.get(trait)) ??
    favourite(former().get(trait));
  return {
    get step() {
      return Number(choose('step') ?? 2);
    },
    get offset() {
      return Number(choose('offset') ?? 2);
    },
    get gap() {
      return choose('gap') ?? ' ';
    },
    get quotes() {
      return favourite(former().get('quotes')) === 'single' ? 'single' : 'double';
    },
    get text() {
      return textStyle(former());
    },
    get element() {
      return unanimous(siblings().get(`text in ${name()}`), 1) ?? textStyle(former());
    },
    get key() {
      return toStyle(choose('key'));
    },
    get name() {
      return name();
    },
    padding: (kind) => choose(`${kind} padding`) ?? (kind === 'map' ? ' ' : ''),
    isFlow: (kind, below) =>
      (choose(`${kind} ${below}`) ?? choose(`${kind} in ${name()}`)) === 'flow',
  };
}

function favourite(choices: ReadonlyMap<string, number> = new Map()): string | undefined {
  return [...choices].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function unanimous(
  choices: ReadonlyMap<string, number> = new Map(),
  least: number,
): TextStyle | undefined {
  const [[style, count] = ['plain', 0], ...others] = choices;
  return others.length === 0 && count >= least ? toStyle(style) : undefined;
}

function toStyle(choice: string | undefined): TextStyle {
  return choice === 'single' || choice === 'double' ? choice : 'plain';
}

// So many quoted texts, and none without quotes, are a habit.
const manyTexts = 5;

// A document with quotes around all keys is JSON, unless its texts differ.
function textStyle(votes: Votes): TextStyle {
  const isSilent = !votes.has('text');
  const json = isSilent ? unanimous(votes.get('key'), 1) : undefined;
  return unanimous(votes.get('text'), manyTexts) ?? json ?? 'plain';
}

type Vote = (trait: string, choice: string) => void;

type Count = { readonly votes: Votes; readonly names: ReadonlyMap<YamlNode, string> };

// Counted once for each document: a patch may have many operations.
const counted = new WeakMap<YamlNode, Count>();

function votesOf(text: string, root: YamlNode): Count {
  const known = counted.get(root) ?? countVotes(text, root, '');
  counted.set(root, known);
  return known;
}

function countVotes(text: string, root: YamlNode, rootName: string): Count {
  const votes = new Map<string, Map<string, number>>();
  const names = new Map<YamlNode, string>();
  const vote: Vote = (trait, choice) => {
    const choices = votes.get(trait) ?? new Map<string, number>();
    votes.set(trait, choices.set(choice, (choices.get(choice) ?? 0) + 1));
  };
  const walk = (node: YamlNode, name: string): void => {
    names.set(node, name);
    if (node.kind !== 'map' && node.kind !== 'seq') return;
    const [first] = node.items;
    if (node.style === 'flow' && first && isOnLineOf(text, node.body, first.start)) {
      vote(`${node.kind} padding`, text.slice(node.body + 1, first.start));
    }
    for (const item of node.items) {
      const below = nameBelow({ name }, item);
      voteForItem(text, item, vote);
      voteForText(text, item.value, ['text', `text in ${name}`], vote);
      voteForLayout(item.value, [below, `in ${name}`], vote);
      walk(item.value, below);
    }
  };
  walk(root, rootName);
  return { votes, names };
}

export function nameBelow(holder: { readonly name: string }, { key }: Pick<Item, 'key'>): string {
  return key ? (key.text ?? '') : `${holder.name}[]`;
}

function voteForLayout(value: YamlNode, names: readonly string[], vote: Vote): void {
  if ((value.kind !== 'map' && value.kind !== 'seq') || value.items.length === 0) return;
  for (const name of names) vote(`${value.kind} ${name}`, value.style);
}

function voteForItem(text: string, item: Item, vote: Vote): void {
  const { key, value } = item;
  for (const node of [key?.node, value]) {
    const isQuoted =
      node?.kind === 'scalar' && (node.style === 'single' || node.style === 'double');
    if (isQuoted) vote('quotes', node.style);
  }
  if (key?.node.kind === 'scalar') vote('key', key.node.style);
  voteForIndentation(text, item, vote);
}

function voteForIndentation(text: string, item: Item, vote: Vote): void {
  const { start, key, indicator, value } = item;
  if (indicator === undefined || value.kind === 'empty') return;
  if (!key && isOnLineOf(text, start, value.start)) {
    vote('gap', text.slice(indicator, value.start));
  } else if (key && isBlockCollection(value)) {
    const trait = value.kind === 'map' ? 'step' : 'offset';
    vote(trait, String(columnOf(text, value.body) - columnOf(text, start)));
  }
}

function voteForText(text: string, node: YamlNode, traits: readonly string[], vote: Vote): void {
  if (node.kind !== 'scalar' || node.style === 'block') return;
  const margin = node.style === 'plain' ? 0 : 1;
  if (!isPlainText(text.slice(node.body + margin, node.end - margin))) return;
  for (const trait of traits) vote(trait, node.style);
}
