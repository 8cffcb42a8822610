import type { SourcePosition } from '../core/diagnostic.ts';
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
 * 50 times as large; the texts that were asked for last stay parsed, for one text may hold hundreds
 * of contracts, and they come in the order of the catalog.
 */
export function createLocator(): Locate {
  const parse = rememberLatest(parseYaml);
  return ({ file, text, index }, pointer) => {
    const { documents, lines } = parse(text);
    const document = documents[index];
    if (!document) return { file, line: 1, column: 1 };
    const offset = locateValue(document, pointer, resolveAliases(document, text));
    return { file, ...lines.place(offset) };
  };
}

/**
 * UTF-16 code units of the texts that stay parsed, and how many texts: with trees of some 100 MB,
 * three times as much where a text is all brackets.
 */
const mostRemembered = { length: 2 ** 21, count: 64 };

function rememberLatest<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  let length = 0;
  return (text) => {
    const known = results.get(text);
    const result = known ?? compute(text);
    if (known === undefined) length += text.length;
    // Behind all others: a map keeps the order in which its entries came.
    results.delete(text);
    results.set(text, result);
    for (const [oldest] of results) {
      if (length <= mostRemembered.length && results.size <= mostRemembered.count) break;
      results.delete(oldest);
      length -= oldest.length;
    }
    return result;
  };
}
