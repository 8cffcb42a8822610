import { isObject, type JsonValue, parseJson } from '../core/json.ts';

/**
 * The server's own words, in whatever shape they come: `{code, message}`, `{error: {message}}`,
 * `{error, error_description}`, a proxy's page, text.
 */
export function serverReason(text: string): string | undefined {
  const body = parseJson(text);
  const reason = body === undefined ? htmlTitle(text) : jsonReason(body);
  return reason === undefined ? undefined : oneLine(reason) || undefined;
}

/** UTF-16 code units: enough for a sentence, not for a stack trace. */
const longestReason = 300;

/** What a server says, on one line of bounded length. */
export function oneLine(words: string): string {
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
}

function jsonReason(body: JsonValue): string | undefined {
  if (typeof body === 'string') return body;
  if (!isObject(body)) return undefined;
  const members = ['message', 'error_description', 'detail', 'error', 'errorType', 'title'];
  for (const member of members) {
    const value = body[member];
    if (value !== undefined && value !== null) return jsonReason(value);
  }
  return undefined;
}

function htmlTitle(text: string): string | undefined {
  if (!text.trimStart().startsWith('<')) return text;
  // Without `<` among its attributes: else each `<title` would look through all that follow it.
  return /<title[^<>]*>([^<]*)/iu.exec(text)?.[1];
}
