/**
 * Text for a terminal. What comes from files and servers is untrusted: an escape sequence could
 * rewrite what a reviewer reads, a bidirectional control could reorder it.
 */

/** Controls, format characters (bidirectional, zero-width, tags), line and paragraph separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line that shows every character as itself or as a visible escape. */
export function sanitizeLine(text: string): string {
  return text.replaceAll(unprintable, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\n') return String.raw`\n`;
  if (character === '\t') return String.raw`\t`;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
