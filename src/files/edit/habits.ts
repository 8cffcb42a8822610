import { isPlainText } from './scalar.ts';
import { columnOf, isOnLineOf } from './text.ts';
import type { CollectionNode, Item, ScalarNode, YamlNode, YamlTree } from './tree.ts';

export type Quotes = 'single' | 'double';
type Kind = CollectionNode['kind'];

/** How the siblings of a new item are written, and where they show nothing, the document. */
export type Habits = {
  /** Columns from a key to the keys of the mapping below it. */
  readonly step: number;
  /** Columns from a key to the dashes of the sequence below it. */
  readonly offset: number;
  /** What stands behind a dash. */
  readonly gap: string;
  /** For text that has to be quoted. */
  readonly quotes: Quotes;
  /** How text is written that needs no quotes. */
  readonly text: Quotes | 'plain';
  readonly key: Quotes | 'plain';
  /** What stands between the brackets of a flow collection and its items. */
  readonly padding: Readonly<Record<Kind, string>>;
  /** Whether a collection of a kind would be a flow one below a name. */
  readonly isFlow: (kind: Kind, name: string) => boolean;
  /** The name of the collection: its key, and `[]` for each sequence in between. */
  readonly name: string;
};

/** Trait → choice → how often it was made. */
type Votes = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The habits around a collection that may gain an item. */
export function habitsAround({ text, root }: YamlTree, holder: YamlNode): Habits {
  const document = countVotes(text, root, '');
  const name = document.names.get(holder) ?? '';
  const ballots = [countVotes(text, holder, name).votes, document.votes];
  const choose = <Fallback extends string>(trait: string, fallback: Fallback): Fallback =>
    (ballots.map((votes) => favourite(votes.get(trait))).find((choice) => choice !== undefined) ??
      fallback) as Fallback;
  const siblings = (kind: Kind): string => choose(`${kind} in ${name}`, 'block');
  return {
    step: Number(choose<string>('step', '2')),
    offset: Number(choose<string>('offset', '2')),
    gap: choose<string>('gap', ' '),
    quotes: choose<Quotes>('quotes', 'double'),
    text: choose<Quotes | 'plain'>('text', 'plain'),
    key: choose<Quotes | 'plain'>('key', 'plain'),
    padding: { map: choose<string>('map padding', ' '), seq: choose<string>('seq padding', '') },
    isFlow: (kind, below) => choose(`${kind} ${below}`, siblings(kind)) === 'flow',
    name,
  };
}

/** The choice made most often; of several, the one made first. */
function favourite(choices: ReadonlyMap<string, number> = new Map()): string | undefined {
  return [...choices].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

type Vote = (trait: string, choice: string) => void;

function countVotes(
  text: string,
  root: YamlNode,
  rootName: string,
): { readonly votes: Votes; readonly names: ReadonlyMap<YamlNode, string> } {
  const votes = new Map<string, Map<string, number>>();
  const names = new Map<YamlNode, string>();
  const vote: Vote = (trait, choice) => {
    const choices = votes.get(trait) ?? new Map<string, number>();
    votes.set(trait, choices.set(choice, (choices.get(choice) ?? 0) + 1));
  };
  const walk = (node: YamlNode, name: string): void => {
    names.set(node, name);
    if (node.kind !== 'map' && node.kind !== 'seq') return;
    if (node.style === 'flow') voteForPadding(text, node, vote);
    for (const item of node.items) {
      const below = nameBelow(name, item);
      voteForItem(text, item, vote);
      voteForLayout(item.value, [below, `in ${name}`], vote);
      walk(item.value, below);
    }
  };
  walk(root, rootName);
  return { votes, names };
}

/** The name of what an item holds. */
export function nameBelow(holder: string, { key }: Pick<Item, 'key'>): string {
  return key ? (key.text ?? '') : `${holder}[]`;
}

function voteForLayout(value: YamlNode, names: readonly string[], vote: Vote): void {
  if ((value.kind !== 'map' && value.kind !== 'seq') || value.items.length === 0) return;
  for (const name of names) vote(`${value.kind} ${name}`, value.style);
}

function voteForPadding(text: string, { kind, body, items }: CollectionNode, vote: Vote): void {
  const [first] = items;
  if (!first || !isOnLineOf(text, body, first.start)) return;
  vote(`${kind} padding`, text.slice(body + 1, first.start));
}

function voteForItem(text: string, item: Item, vote: Vote): void {
  const { key, value } = item;
  if (key?.node.kind === 'scalar') vote('key', key.node.style);
  if (value.kind === 'scalar') voteForQuotes(text, value, vote);
  voteForIndentation(text, item, vote);
}

function voteForIndentation(
  text: string,
  { start, key, indicator, value }: Item,
  vote: Vote,
): void {
  if (indicator === undefined || value.kind === 'empty') return;
  if (!key && isOnLineOf(text, start, value.start)) {
    vote('gap', text.slice(indicator, value.start));
  } else if ((value.kind === 'map' || value.kind === 'seq') && value.style === 'block') {
    const trait = value.kind === 'map' ? 'step' : 'offset';
    vote(trait, String(columnOf(text, value.body) - columnOf(text, start)));
  }
}

/** Only text that could go without quotes shows whether somebody likes them. */
function voteForQuotes(text: string, { style, body, end }: ScalarNode, vote: Vote): void {
  if (style === 'block') return;
  const isQuoted = style !== 'plain';
  if (isQuoted) vote('quotes', style);
  if (isPlainText(text.slice(isQuoted ? body + 1 : body, isQuoted ? end - 1 : end))) {
    vote('text', style);
  }
}
