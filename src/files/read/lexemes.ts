import { CST, Lexer } from 'yaml';

export type Lexeme = {
  readonly offset: number;
  readonly source: string;
  /** Of a plain text or a block, so that no character of it means anything. */
  readonly isText: boolean;
};

// Zero-width, and absent from the text.
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** By the lexer of the package `yaml`, which also takes text that is not valid. */
export function* lexemesOf(text: string): Generator<Lexeme> {
  let offset = 0;
  let isText = false;
  for (const source of new Lexer().lex(text)) {
    if (!isText && marks.has(source)) isText = source === CST.SCALAR;
    else {
      yield { offset, source, isText };
      isText = false;
      offset += source.length;
    }
  }
}

export function isGap({ source, isText }: Lexeme): boolean {
  return !isText && /^(?:\s+|#.*)$/u.test(source);
}
