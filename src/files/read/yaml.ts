import { Composer, CST, type Document, Lexer, Parser, Schema } from 'yaml';
import { deepestNesting } from '../../core/json.ts';
import {
  type Lines,
  linesOf,
  mostProblems,
  mostTokens,
  type OffsetDiagnostic,
  tooDeep,
} from './finding.ts';

/** A text's YAML documents. An unbearable text has none, and a finding that says why. */
export type YamlText = {
  readonly documents: readonly Document.Parsed[];
  readonly lines: Lines;
  readonly findings: readonly OffsetDiagnostic[];
};

// Made for the first text, so that the package is loaded only for what it has to read.
let options: ConstructorParameters<typeof Composer>[0];

/** Syntax errors are in the documents. */
export function parseYaml(text: string): YamlText {
  // A `%YAML 1.1` directive must not turn `no` into false: one schema for all documents.
  // Keys are compared for uniqueness by `value.ts`: the package compares each with each.
  options ??= {
    schema: new Schema({ schema: 'core', merge: false, resolveKnownTags: false }),
    prettyErrors: false,
    uniqueKeys: false,
  };
  const lines = linesOf(text);
  // The package makes an Error of each problem; the stacks of many would take seconds.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const composer = new Composer(options);
    const documents: Document.Parsed[] = [];
    const excess = parseTokens(text, (token) => documents.push(...composer.next(token)));
    if (excess) return { documents: [], lines, findings: [excess] };
    documents.push(...composer.end());
    return { documents, lines, findings: [] };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Feeds the parser lexeme by lexeme, so that a text past a bound is left at once: the composer
 * recurses, and deep nesting would end in a stack overflow.
 */
function parseTokens(text: string, emit: (token: CST.Token) => void): OffsetDiagnostic | undefined {
  // They are small beside the tree of a text.
  const lexemes = [...new Lexer().lex(text).take(mostTokens + 1)];
  const isTooLong = lexemes.length > mostTokens;
  const parser = new Parser();
  let errors = 0;
  for (const lexeme of isTooLong ? lexemes.slice(0, tokensOfAGlance) : lexemes) {
    for (const token of parser.next(lexeme)) {
      emit(token);
      if (token.type === 'error') errors += 1;
    }
    // The stack holds the document, the open collections and perhaps a scalar.
    if (parser.stack.length > deepestNesting + 2) return { ...tooDeep, offset: parser.offset };
    if (errors > mostProblems) break;
    if (badEscapes(lexeme) > mostProblems) {
      return {
        code: 'too-many-problems',
        message: `The text that starts here has more than ${mostProblems} invalid escapes.`,
        hint: 'Use single quotes: a backslash has no meaning there.',
        offset: parser.offset - lexeme.length,
      };
    }
  }
  if (isTooLong && errors <= mostProblems) {
    return {
      code: 'file-too-complex',
      message: `The file has more than ${mostTokens} YAML tokens: the rest is not read.`,
      hint: 'Split it, for example into one file for each contract.',
      offset: lexemes.reduce((end, each) => (lexerMarks.has(each) ? end : end + each.length), 0),
    };
  }
  for (const token of parser.end()) emit(token);
  return undefined;
}

/** Of a text that is refused for its length: they may hold a better reason. */
const tokensOfAGlance = 10_000;

/** What the lexer puts between lexemes, and the text does not hold. */
export const lexerMarks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

const escape = /\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})/giu;

/** Escapes that YAML does not have; each would become an Error, and a text may hold 500,000. */
function badEscapes(lexeme: string): number {
  if (!lexeme.startsWith('"') || !lexeme.includes('\\')) return 0;
  return lexeme.replaceAll(escape, '').split('\\').length - 1;
}
