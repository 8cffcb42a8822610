/** What files declared at their commits. */

import type { DesiredContract } from '../contract/contract.ts';
import { type FileRevision, readLog, readRevisions } from './find/log.ts';
import { largestFile } from './find/walk.ts';
import type { ReadOptions } from './files.ts';
import { createDeclaring } from './formats/desired.ts';
import { parseSource } from './read/reading.ts';
import { decodeText } from './read/text.ts';

/** A file as one commit left it. */
type PastFile = Omit<FileRevision, 'path'> & {
  /** Read when asked for; none where the commit took the file away, or left it with errors. */
  readonly contracts: () => readonly DesiredContract[];
};

/** The commits of a file that are known. */
export type FilePast = {
  /** Newest first. */
  readonly commits: readonly PastFile[];
  /** From when on all of them are known, in epoch milliseconds; `-Infinity`: all there are. */
  readonly knownFrom: number;
};

/** By the file's name of today. */
export type PastFiles = (file: string) => FilePast;

/**
 * The files at all commits that changed them. One file alone is followed through renames; of several
 * at once the commits under other names are not known. Undefined where git cannot tell.
 */
export async function readPast(
  files: readonly string[],
  root: string,
  rules: ReadOptions,
): Promise<PastFiles | undefined> {
  const log = files.length === 0 ? undefined : await readLog(files, root);
  const contents = log && (await readRevisions(log.revisions, root));
  if (!log || !contents) return undefined;
  const declare = createDeclaring(rules.odcs, rules.names);
  const pasts = log.revisions.map(({ path, ...commit }, index) => {
    const file = path.startsWith(log.prefix) ? path.slice(log.prefix.length) : path;
    const bytes = contents[index];
    return {
      file,
      past: { ...commit, contracts: once(() => declaredIn(file, bytes, { rules, declare })) },
    };
  });
  const [only] = files.length === 1 ? files : [];
  const byFile = Map.groupBy(pasts, ({ file }) => only ?? file);
  const isWhole = log.isWhole && only !== undefined;
  return (file) => {
    const commits = (byFile.get(file) ?? []).map(({ past }) => past);
    return { commits, knownFrom: isWhole ? -Infinity : (commits.at(-1)?.time ?? Infinity) };
  };
}

function once<Result>(read: () => Result): () => Result {
  let known: { readonly result: Result } | undefined;
  return () => (known ??= { result: read() }).result;
}

type Reading = {
  readonly rules: ReadOptions;
  readonly declare: ReturnType<typeof createDeclaring>;
};

function declaredIn(
  file: string,
  bytes: Uint8Array | undefined,
  { rules, declare }: Reading,
): readonly DesiredContract[] {
  if (!bytes || bytes.length > largestFile) return [];
  const source = { file, ...decodeText(file, bytes) };
  if ('problem' in source) return [];
  return parseSource(source, rules).contracts.map((contract) => declare(contract, source));
}
