import { CST, Lexer, Parser } from 'yaml';
import { type Anchors, composeNode } from './compose.ts';
import type { AliasNode, YamlNode } from './node.ts';

/** One document of a text by the places of its values. */
export type YamlTree = {
  readonly text: string;
  /** Which document of the text, from 0. */
  readonly document: number;
  readonly root: YamlNode;
  readonly aliases: readonly AliasNode[];
  /** Of the text that the first edit began with: its habits hold, whatever was taken away since. */
  readonly first?: YamlTree;
};

/** The tree of a document that has no errors; empty where the text has no such document. */
export function parseTree(text: string, document: number): YamlTree {
  const tokens = [...new Parser().parse(text)].filter((token) => token.type === 'document');
  const { start: before, value, offset } = tokens[document] ?? { start: [], offset: text.length };
  const anchors: Anchors = { named: new Map(), aliases: [] };
  const mark = before.find(({ type }) => type === 'doc-start');
  const header = mark ? mark.offset + mark.source.length : -1;
  const root = composeNode(value, before, { header, at: mark ? header : offset, anchors });
  return { text, document, root, aliases: anchors.aliases };
}

/** The tree of a text that was made of another. */
export function reparseTree(text: string, former: YamlTree): YamlTree {
  return { ...parseTree(text, former.document), first: former.first ?? former };
}

export type YamlComment = { readonly offset: number; readonly text: string };

/** The comments of all documents of a text, in their order. */
export function commentsOf(text: string): readonly YamlComment[] {
  const comments: YamlComment[] = [];
  if (!text.includes('#')) return comments;
  let offset = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalar && lexeme.startsWith('#')) comments.push({ offset, text: lexeme.trimEnd() });
    const isMark = !isScalar && marks.has(lexeme);
    isScalar = lexeme === CST.SCALAR;
    if (!isMark) offset += lexeme.length;
  }
  return comments;
}

/** What the lexer puts between lexemes, and the text does not hold. */
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);
