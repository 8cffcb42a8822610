import { byteLength, type Content, LargeBodyError } from '../http/body.ts';
import type { Attempt } from './request.ts';

/** Bytes: no shorter answer can hold so much that it matters. */
const slender = 8 * 2 ** 20;

/** Objects and lists, of which an answer of contracts has one for some 30 bytes. */
const mostContainers = 2_500_000;

/** Refuses an answer that would take gigabytes once parsed: an empty object is fifty times its text. */
export function refuseRich<Some extends Content>(content: Some): Attempt<Some> {
  if (!isRich(content)) return { value: content };
  const message = `The answer contains more than ${mostContainers} objects and lists.`;
  return {
    fault: {
      code: 'unexpected-answer',
      message,
      hint: 'Lower --page-size.',
      transient: false,
      mayHaveLanded: true,
      cause: new LargeBodyError(message),
    },
  };
}

function isRich(content: Content): boolean {
  if (byteLength(content) <= slender) return false;
  let containers = 0;
  for (const chunk of content.chunks) {
    for (const byte of chunk) if (byte === openBrace || byte === openBracket) containers += 1;
  }
  return containers > mostContainers;
}

const openBrace = 0x7b;
const openBracket = 0x5b;
