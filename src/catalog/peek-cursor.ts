import { bodyText } from '../http/body.ts';

/** Bytes: a paging object with both cursors fits. */
const tailLength = 4096;

/** `"paging": { … "after": "…" … } }` at the very end of a page. */
const pagingAtEnd =
  /"paging"\s*:\s*\{[^{}]*?"after"\s*:\s*(?<cursor>"(?:[^"\\]|\\.)*")[^{}]*\}\s*\}\s*$/u;

/**
 * The cursor in the last bytes of a page that has not been parsed: a guess, to be compared with
 * what parsing finds.
 */
export function peekCursor(chunks: readonly Uint8Array<ArrayBuffer>[]): string | undefined {
  const tail = bodyText({ chunks: lastBytes(chunks) });
  const cursor = pagingAtEnd.exec(tail)?.groups?.['cursor'];
  return cursor === undefined ? undefined : parseString(cursor);
}

function lastBytes(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>[] {
  const last: Uint8Array<ArrayBuffer>[] = [];
  let missing = tailLength;
  for (const chunk of chunks.toReversed()) {
    if (missing <= 0) break;
    last.unshift(chunk.subarray(-missing));
    missing -= chunk.length;
  }
  return last;
}

function parseString(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal)) || undefined;
  } catch {
    return undefined;
  }
}
