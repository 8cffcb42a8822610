import { isObject, type JsonValue } from '../core/json.ts';

/** UTF-16 code units: enough for a sentence, not for a stack trace. */
const maxReasonLength = 300;

/**
 * The server's own words. The interface does not fix the shape of an error body (§7):
 * `{code, message}`, `{error: {message}}`, `{error, error_description}`, a proxy's page, text.
 */
export function serverReason(text: string): string | undefined {
  const body = parseJson(text);
  const reason = body === undefined ? htmlTitle(text) : jsonReason(body);
  const line = reason?.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === undefined || line === '') return undefined;
  return line.length > maxReasonLength ? `${line.slice(0, maxReasonLength)}…` : line;
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
  return /<title[^>]*>([^<]*)/iu.exec(text)?.[1];
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
