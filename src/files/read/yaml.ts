import { deepestNesting } from '../../core/json.ts';
import { Composer, CST, type Document, Lexer, Parser, Schema } from 'yaml';
import {
  badEscapes,
  type OffsetDiagnostic,
  type Lines,
  linesOf,
  mostProblems,
  mostTokens,
  tooDeep,
  tooManyBadEscapes,
  tooManyTokens,
} from './finding.ts';

/** A text's YAML documents. An unbearable text has none, and a finding that says why. */
export type YamlText = {
  readonly documents: readonly Document.Parsed[];
  readonly lines: Lines;
  readonly findings: readonly OffsetDiagnostic[];
};

// One schema for all documents: a `%YAML 1.1` directive must not turn `no` into false.
// Keys are compared for uniqueness by `value.ts`: the package compares each with each.
// Made for the first text: the package is loaded for nothing else than what is read by it.
const options = () =>
  (lastOptions ??= {
    schema: new Schema({ schema: 'core', merge: false, resolveKnownTags: false }),
    prettyErrors: false,
    uniqueKeys: false,
  });

let lastOptions: ConstructorParameters<typeof Composer>[0];

/** Parses all documents of a text. Syntax errors stand in the documents. */
export function parseYaml(text: string): YamlText {
  const lines = linesOf(text);
  return withoutStacks(() => {
    const composer = new Composer(options());
    const documents: Document.Parsed[] = [];
    const excess = parseTokens(text, (token) => documents.push(...composer.next(token)));
    if (excess) return { documents: [], lines, findings: [excess] };
    documents.push(...composer.end());
    return { documents, lines, findings: [] };
  });
}

type Token = Parameters<Composer['next']>[0];

/**
 * Feeds the parser lexeme by lexeme, so that a text past a bound is left at once: the composer
 * recurses, and deep nesting would end in a stack overflow.
 */
function parseTokens(text: string, emit: (token: Token) => void): OffsetDiagnostic | undefined {
  const lexemes = lexemesOf(text);
  const isTooLong = lexemes.length > mostTokens;
  const parser = new Parser();
  let errors = 0;
  for (const lexeme of isTooLong ? lexemes.slice(0, tokensOfAGlance) : lexemes) {
    for (const token of parser.next(lexeme)) {
      emit(token);
      if (token.type === 'error') errors += 1;
    }
    // The stack holds the document, the open collections and perhaps a scalar.
    if (parser.stack.length > deepestNesting + 2) return tooDeep(parser.offset);
    if (errors > mostProblems) break;
    if (badEscapes(lexeme) > mostProblems) return tooManyBadEscapes(parser.offset - lexeme.length);
  }
  if (isTooLong && errors <= mostProblems) return tooManyTokens(endOf(lexemes));
  for (const token of parser.end()) emit(token);
  return undefined;
}

/** What a text that is refused for its length is looked at for a better reason. */
const tokensOfAGlance = 10_000;

/** The lexemes of a text, which are small beside its tree; those past the bound are left out. */
function lexemesOf(text: string): string[] {
  const lexemes: string[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    lexemes.push(lexeme);
    if (lexemes.length > mostTokens) break;
  }
  return lexemes;
}

/** Where the last of a text's first lexemes ends. */
function endOf(lexemes: readonly string[]): number {
  // What the lexer puts between lexemes, and the text does not hold.
  const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);
  return lexemes.reduce((end, lexeme) => (marks.has(lexeme) ? end : end + lexeme.length), 0);
}

/** The package makes an Error of each problem; the stacks of many would take seconds. */
function withoutStacks<Result>(compute: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return compute();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
