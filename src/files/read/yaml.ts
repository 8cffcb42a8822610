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

/** A text past the bounds has no documents, and a finding with the reason. */
export type YamlText = {
  readonly documents: readonly Document.Parsed[];
  readonly lines: Lines;
  readonly findings: readonly OffsetDiagnostic[];
};

// Made for the first text, so that the package loads only when needed.
let options: ConstructorParameters<typeof Composer>[0];

/** Syntax errors are in the documents. */
export function parseYaml(text: string): YamlText {
  // A `%YAML 1.1` directive must not turn `no` into false: one schema for all documents. `value.ts`
  // finds duplicate keys: the package compares each with each.
  options ??= {
    schema: new Schema({ schema: 'core', merge: false, resolveKnownTags: false }),
    prettyErrors: false,
    uniqueKeys: false,
  };
  const lines = linesOf(text);
  // The package makes an Error of each problem; many stacks would take seconds.
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

// By lexeme, to stop at a bound: the composer recurses, and deep nesting would overflow the stack.
function parseTokens(text: string, emit: (token: CST.Token) => void): OffsetDiagnostic | undefined {
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
      const message = `The text that starts here has more than ${mostProblems} invalid escapes.`;
      const hint = 'Use single quotes: a backslash has no meaning there.';
      return { code: 'too-many-problems', message, hint, offset: parser.offset - lexeme.length };
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

// Tokens still parsed of a text that is too long: they may hold a better error.
const tokensOfAGlance = 10_000;

/** Zero-width marks of the lexer, absent from the text. */
export const lexerMarks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

const escape = /\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})/giu;

// Each invalid escape would become an Error, and a text may hold 500,000.
function badEscapes(lexeme: string): number {
  if (!lexeme.startsWith('"') || !lexeme.includes('\\')) return 0;
  return lexeme.replaceAll(escape, '').split('\\').length - 1;
}
