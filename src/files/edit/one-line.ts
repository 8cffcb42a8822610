import { type Pointer, valueAt } from '../../patch/pointer.ts';
import { parseSimple } from '../read/simple.ts';
import { lineEnd, lineStart, type Splice } from './lines.ts';
import { isPlainText, writeScalar } from './scalar.ts';

/** A text of a document, and what it is to become. */
type TextChange = {
  readonly document: number;
  readonly pointer: Pointer;
  readonly value: string;
};

/**
 * The splice for a text that stands on the line of its key or dash, and goes on to, without a look
 * at the tree of the whole document: most edits are such. Undefined for any other.
 */
export function spliceInLine(
  text: string,
  { document, pointer, value }: TextChange,
): Splice | undefined {
  const simple = parseSimple(text)?.[document];
  const former = simple && valueAt(simple.value, pointer);
  if (!simple || typeof former !== 'string' || hasControl.test(value)) return undefined;
  const start = simple.locateValue(pointer);
  if (!leadsToValue.test(text.slice(lineStart(text, start), start))) return undefined;
  const token = tokenIn(text.slice(start, lineEnd(text, start)));
  const written = token && contentOf(token) === former ? rewrite(token, value) : undefined;
  if (token === undefined || written === undefined) return undefined;
  return { start, end: start + token.length, text: written };
}

const hasControl = /\p{Cc}/u;

/** Dashes and one plain key: nothing that could be a bracket, a quote, a comment or a second key. */
const leadsToValue = /^ *(?:(?:- +)+|(?:- +)*[\w./$-]+: +)$/u;

/** What ends the line, or stands before its comment. */
function tokenIn(rest: string): string | undefined {
  const [quoted] = /^(?:"[^"\\]*"|'[^']*')(?= *$| +#)/u.exec(rest) ?? [];
  if (quoted !== undefined || !/^[^\s"']/u.test(rest)) return quoted;
  return rest.slice(0, `${rest} #`.indexOf(' #')).replace(/(?<! ) +$/u, '');
}

function contentOf(token: string): string | undefined {
  if (token.startsWith('"') || token.startsWith("'")) return token.slice(1, -1);
  return isPlainText(token) ? token : undefined;
}

/** In the style that it has; a plain text that would need quotes is for others to write. */
function rewrite(token: string, value: string): string | undefined {
  const style = token.startsWith('"') ? 'double' : token.startsWith("'") ? 'single' : 'plain';
  if (style === 'plain') return isPlainText(value) ? value : undefined;
  return writeScalar(value, { style, habits: { quotes: style }, isFlow: false });
}
