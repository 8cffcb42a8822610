/** Bytes. Of twice as many, V8 makes no text any more. */
const largestBody = 256 * 2 ** 20;

/** There is more of an answer than can be read. */
export class LargeBodyError extends Error {
  /** Bytes. */
  readonly limit = largestBody;
}

/**
 * The bytes of an answer, as they come. By their reader: iterating over a body makes half as many
 * objects again for each chunk.
 */
export async function readBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>[]> {
  const reader = body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    chunks.push(read.value);
    size += read.value.length;
    if (size <= largestBody) continue;
    await reader?.cancel();
    throw new LargeBodyError();
  }
  return chunks;
}
