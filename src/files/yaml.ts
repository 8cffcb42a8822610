import { Composer, type Document, Lexer, LineCounter, Parser, Schema } from 'yaml';
import type { Finding, LinePositions } from './finding.ts';

/** A text's YAML documents. An unbearable text has none, and a finding that says why. */
export type YamlText = {
  readonly documents: readonly Document.Parsed[];
  readonly lines: LinePositions;
  readonly findings: readonly Finding[];
};

/** How deep lists and mappings may nest, documents not counted. */
export const deepestNesting = 100;
/** Lexical tokens of a file: bounds the time of its parsing, about two seconds per million. */
const mostTokens = 300_000;

// One schema for all documents: a `%YAML 1.1` directive must not turn `no` into false.
// Keys are compared for uniqueness by `value.ts`: the package compares each with each.
const options = {
  schema: new Schema({ schema: 'core', merge: false, resolveKnownTags: false }),
  prettyErrors: false,
  uniqueKeys: false,
} as const;

/** Parses all documents of a text. Syntax errors stand in the documents. */
export function parseYaml(text: string): YamlText {
  const lines = new LineCounter();
  const documents: Document.Parsed[] = [];
  const composer = new Composer(options);
  const excess = parseTokens(text, lines, (token) => documents.push(...composer.next(token)));
  if (excess) return { documents: [], lines, findings: [excess] };
  documents.push(...composer.end());
  return { documents, lines, findings: [] };
}

type Token = Parameters<Composer['next']>[0];

/**
 * Feeds the parser lexeme by lexeme, so that a text past a bound is left at once: the composer
 * recurses, and deep nesting would end in a stack overflow.
 */
function parseTokens(
  text: string,
  lines: LineCounter,
  emit: (token: Token) => void,
): Finding | undefined {
  const parser = new Parser(lines.addNewLine);
  let tokens = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) emit(token);
    tokens += 1;
    // The stack holds the document, the open collections and perhaps a scalar.
    if (parser.stack.length > deepestNesting + 2) return tooDeep(parser.offset);
    if (tokens > mostTokens) return tooManyTokens(parser.offset);
  }
  for (const token of parser.end()) emit(token);
  return undefined;
}

export function tooDeep(offset: number): Finding {
  return {
    code: 'nesting-too-deep',
    severity: 'error',
    message: `Lists and mappings nest more than ${deepestNesting} deep here.`,
    hint: 'Flatten the value: no contract needs that depth.',
    offset,
  };
}

function tooManyTokens(offset: number): Finding {
  return {
    code: 'file-too-complex',
    severity: 'error',
    message: `The file holds more than ${mostTokens} YAML tokens, so it is not read any further.`,
    hint: 'Split it: a file may hold one contract.',
    offset,
  };
}
