/** RFC 6901 JSON Pointers, as text and as lists of reference tokens. */

export type Pointer = readonly string[];

/** The tokens of a pointer, or undefined where the text is no pointer (RFC 6901 §3). */
export function parsePointer(text: string): Pointer | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/u.test(text)) return undefined;
  return text.slice(1).split('/').map(unescapeToken);
}

export function formatPointer(tokens: Pointer): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('');
}

/** `~1` before `~0`, so that `~01` becomes `~1` and not `/` (RFC 6901 §4). */
function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
