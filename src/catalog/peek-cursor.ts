/** UTF-16 code units: a paging object with both cursors fits. */
const tailLength = 4096;

/** `"paging": { … "after": "…" … } }` at the very end of a page. */
const pagingAtEnd =
  /"paging"\s*:\s*\{[^{}]*?"after"\s*:\s*(?<cursor>"(?:[^"\\]|\\.)*")[^{}]*\}\s*\}\s*$/u;

/**
 * The cursor in the last bytes of a page that has not been parsed: a guess, to be compared with
 * what parsing finds.
 */
export function peekCursor(text: string): string | undefined {
  const cursor = pagingAtEnd.exec(text.slice(-tailLength))?.groups?.['cursor'];
  return cursor === undefined ? undefined : parseString(cursor);
}

function parseString(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal)) || undefined;
  } catch {
    return undefined;
  }
}
