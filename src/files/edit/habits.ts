import { columnOf, isOnLineOf } from './lines.ts';
import {
  type CollectionNode,
  isBlockCollection,
  isCollection,
  type Item,
  type YamlNode,
  type YamlTree,
} from './tree.ts';
import { isPlainText, type Quotes } from './scalar.ts';

type Kind = CollectionNode['kind'];
type TextStyle = Quotes | 'plain';

export type Habits = ReturnType<typeof habitsAround>;

/** The style of a new item's siblings, else of the document, else of the text before any edit. */
export function habitsAround({ text, root, first }: YamlTree, holder: YamlNode) {
  const document = countVotes(text, root, '');
  // The key of the collection, and `[]` for each sequence in between.
  const name = document.names.get(holder) ?? '';
  const siblings = countVotes(text, holder, name).votes;
  const former = first ? countVotes(first.text, first.root, '').votes : document.votes;
  const choose = (trait: string): string | undefined =>
    favourite(siblings.get(trait)) ??
    favourite(document.votes.get(trait)) ??
    favourite(former.get(trait));
  const quotes: Quotes = favourite(former.get('quotes')) === 'single' ? 'single' : 'double';
  return {
    name,
    quotes,
    // Columns from a key to the keys of the mapping, or to the dashes of the sequence, below it.
    step: Number(choose('step') ?? 2),
    offset: Number(choose('offset') ?? 2),
    gap: choose('gap') ?? ' ',
    /** For text that needs no quotes: plain, unless the whole document quotes it. */
    text: textStyle(former),
    element: unanimous(siblings.get(`text in ${name}`), 1) ?? textStyle(former),
    key: toStyle(choose('key')),
    padding: (kind: Kind): string => choose(`${kind} padding`) ?? (kind === 'map' ? ' ' : ''),
    isFlow: (kind: Kind, below: string): boolean =>
      (choose(`${kind} ${below}`) ?? choose(`${kind} in ${name}`)) === 'flow',
  };
}

type Choices = ReadonlyMap<string, number>;

function favourite(choices: Choices = new Map()): string | undefined {
  return [...choices].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

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
function textStyle(votes: Count['votes']): TextStyle {
  const json = votes.has('text') ? undefined : unanimous(votes.get('key'), 1);
  return unanimous(votes.get('text'), manyTexts) ?? json ?? 'plain';
}

type Vote = (trait: string, choice: string) => void;

type Count = {
  readonly votes: ReadonlyMap<string, Choices>;
  readonly names: ReadonlyMap<YamlNode, string>;
};

// Counted once for each collection of a document: a patch may have many operations.
const counted = new WeakMap<YamlNode, Count>();

function countVotes(text: string, root: YamlNode, rootName: string): Count {
  const known = counted.get(root);
  if (known) return known;
  const votes = new Map<string, Map<string, number>>();
  const names = new Map<YamlNode, string>();
  const vote: Vote = (trait, choice) => {
    const choices = votes.get(trait) ?? new Map<string, number>();
    votes.set(trait, choices.set(choice, (choices.get(choice) ?? 0) + 1));
  };
  const walk = (node: YamlNode, name: string): void => {
    names.set(node, name);
    if (!isCollection(node)) return;
    const [first] = node.items;
    if (node.style === 'flow' && first && isOnLineOf(text, node.body, first.start))
      vote(`${node.kind} padding`, text.slice(node.body + 1, first.start));
    for (const item of node.items) {
      const { value } = item;
      const below = nameBelow(name, item);
      voteForItem(text, item, vote);
      voteForText(text, value, ['text', `text in ${name}`], vote);
      if (isCollection(value) && value.items.length > 0) {
        for (const each of [below, `in ${name}`]) vote(`${value.kind} ${each}`, value.style);
      }
      walk(value, below);
    }
  };
  walk(root, rootName);
  counted.set(root, { votes, names });
  return { votes, names };
}

export function nameBelow(holder: string, { key }: Pick<Item, 'key'>): string {
  return key ? (key.text ?? '') : `${holder}[]`;
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
