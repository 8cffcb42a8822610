import type { SourcePosition } from '../diagnostic.ts';
import type { Pointer } from '../patch/pointer.ts';
import { resolveAliases } from './aliases.ts';
import { locateValue } from './locate.ts';
import { parseYaml } from './yaml.ts';

/** A document by the file that it stands in. */
export type DocumentSource = {
  readonly file: string;
  readonly text: string;
  readonly index: number;
};

export type Locate = (source: DocumentSource, pointer: Pointer) => SourcePosition;

/**
 * Positions on demand. Few contracts change, so texts are kept and not syntax trees, which are
 * 50 times as large; the text that was asked for last stays parsed.
 */
export function createLocator(): Locate {
  const parse = rememberLast(parseYaml);
  return ({ file, text, index }, pointer) => {
    const { documents, lines } = parse(text);
    const document = documents[index];
    if (!document) return { file, line: 1, column: 1 };
    const offset = locateValue(document, pointer, resolveAliases(document, text));
    return { file, ...lines.place(offset) };
  };
}

function rememberLast<Result>(compute: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}
