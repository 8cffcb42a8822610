/** What an answer says: plain data, for it may cross threads. */
export type Content = {
  /** Its bytes as they came: to put them together would take as much memory again. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** `Content-Type`. */
  readonly type: string | null;
};

/** A whole answer, its body read to the end. */
export type Answer = Content & { readonly status: number; readonly headers: Headers };

/** As UTF-8, which JSON is (RFC 8259 §8.1). */
export function bodyText({ chunks }: Pick<Content, 'chunks'>): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Bytes. Of twice as many, V8 makes no text any more. */
export const largestBody = 256 * 2 ** 20;

/** There is more of an answer than can be read. */
export class LargeBodyError extends Error {}

/** The whole answer, which is not read past what can be. */
export async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers, body } = response;
  const chunks = body ? await readChunks(body.getReader()) : [];
  return { status, headers, type: headers.get('content-type'), chunks };
}

/** By the reader: iterating over a body makes half as many objects again for each chunk. */
async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let read = await reader.read(); read.value; read = await reader.read()) {
    chunks.push(read.value);
    size += read.value.length;
    if (size <= largestBody) continue;
    await reader.cancel();
    throw new LargeBodyError(`the answer is larger than ${largestBody / 2 ** 20} MB`);
  }
  return chunks;
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
