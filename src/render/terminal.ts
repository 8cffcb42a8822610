/**
 * Text for a terminal. What comes from files and servers is untrusted: an escape sequence could
 * rewrite what a reviewer reads, a bidirectional control could reorder it.
 */

/** Controls (C0, DEL, C1), line separators, bidirectional and zero-width characters, BOM. */
const unprintable =
  /[\u0000-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/** One line that shows every character as itself or as a visible escape. */
export function sanitizeLine(text: string): string {
  return text.replaceAll(unprintable, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\n') return String.raw`\n`;
  if (character === '\t') return String.raw`\t`;
  const code = character.codePointAt(0) ?? 0;
  return String.raw`\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
