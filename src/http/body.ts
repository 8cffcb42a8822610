import type { AnswerHeaders, Fetched } from '../core/effects.ts';

/** What an answer says. */
export type Content = {
  /** Its bytes as they came: to put them together would take as much memory again. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** `Content-Type`. */
  readonly type: string | null;
};

/** A whole answer, its body read to the end. */
export type Answer = Content & { readonly status: number; readonly headers: AnswerHeaders };

/** How much there is of it, in bytes. */
export function byteLength({ chunks }: Pick<Content, 'chunks'>): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** As UTF-8, which JSON is (RFC 8259 §8.1). */
export function bodyText({ chunks }: Pick<Content, 'chunks'>): string {
  const [only] = chunks;
  if (only && chunks.length === 1) return wholeDecoder.decode(only);
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Most answers are one chunk: to make a decoder takes longer than to decode it. */
const wholeDecoder = new TextDecoder();

/** Bytes, however few of them travel: a page of contracts has some thousand for each. */
export const largestBody = 64 * 2 ** 20;

/** Bytes: what an error has to say stands at its start. */
const longestComplaint = 64 * 2 ** 10;

/** There is more of an answer than is read. */
export class LargeBodyError extends Error {}

/** The whole answer; of one that is an error, the start. */
export async function readAnswer({ status, headers, body }: Fetched): Promise<Answer> {
  const ok = status >= 200 && status < 300;
  const most = ok ? largestBody : longestComplaint;
  const { chunks, isCut } = body ? await readChunks(body, most) : nothing;
  if (isCut && ok) throw new LargeBodyError(`the answer is larger than ${most / 2 ** 20} MB`);
  return { status, headers, type: headers.get('content-type'), chunks };
}

type Chunks = Pick<Content, 'chunks'> & {
  /** Whether there was more. */
  readonly isCut: boolean;
};

const nothing: Chunks = { chunks: [], isCut: false };

/** What is too much is not waited for. */
async function readChunks(body: NonNullable<Fetched['body']>, most: number): Promise<Chunks> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let room = most;
  for await (const chunk of body) {
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    room -= chunk.length;
    if (room < 0) return { chunks, isCut: true };
  }
  return { chunks, isCut: false };
}

/** Leaves an answer whose body nobody reads, so that its connection is free or closed. */
export async function leaveAnswer({ body }: Fetched): Promise<void> {
  await body?.cancel();
}

/** The parts of an answer that are waited for, each with the whole time limit to itself. */
type Phase = 'headers' | 'body';

/** The server took too long. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(phase: Phase, milliseconds: number) {
    const missed = phase === 'headers' ? 'did not answer' : 'did not finish its answer';
    super(`${missed} within ${milliseconds / 1000} seconds`);
  }
}

/** A clock that aborts `signal` when a phase lasts too long. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Ends the phase before it, if any, and gives this one its full time. */
  readonly begin: (phase: Phase) => void;
  readonly end: () => void;
};

/** `parent` aborts as well: then the answer is no longer wanted. */
export function startDeadline(milliseconds: number, parent?: AbortSignal): Deadline {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearTimeout(timer);
  return {
    signal: parent ? AbortSignal.any([late.signal, parent]) : late.signal,
    begin: (phase) => {
      end();
      timer = setTimeout(() => late.abort(new DeadlineError(phase, milliseconds)), milliseconds);
    },
    end,
  };
}
