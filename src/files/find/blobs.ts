/** What git holds of files, by the ids of their content. */

import { askGit } from './run-git.ts';

/** The bytes of each; one that this clone does not have is left out. Undefined where git can't say. */
export async function readBlobs(
  ids: readonly string[],
  top: string,
): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
  if (ids.length === 0) return new Map();
  const output = await askGit(['cat-file', '--batch'], top, idLines(ids));
  return output && splitBatch(output, ids);
}

/** What `cat-file --batch` is given. */
export function idLines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}

/** `<id> blob <size>`, a line feed, so many bytes, a line feed; or `<id> missing`. */
export function splitBatch(
  output: Buffer,
  ids: readonly string[],
): ReadonlyMap<string, Uint8Array> {
  const blobs = new Map<string, Uint8Array>();
  let start = 0;
  for (const id of ids) {
    const end = output.indexOf('\n', start);
    const [, size] = / blob (\d+)$/u.exec(output.subarray(start, end).toString()) ?? [];
    start = end + 1;
    if (size === undefined) continue;
    blobs.set(id, output.subarray(start, start + Number(size)));
    start += Number(size) + 1;
  }
  return blobs;
}
