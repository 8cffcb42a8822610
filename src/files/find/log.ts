/** What git's log says of single files. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A commit that changed a file, and what the file was called then, from the repository's root. */
export type FileRevision = {
  readonly commit: string;
  readonly author: string;
  /** When it was committed, in epoch milliseconds. */
  readonly time: number;
  readonly path: string;
};

export type FileLog = {
  /** Whether it goes back to the first commit: a shallow clone does not. */
  readonly isWhole: boolean;
  /** Newest first. */
  readonly revisions: readonly FileRevision[];
  /** Where the folder is, from the repository's root. */
  readonly prefix: string;
};

/** With one file it is followed through renames. Newer commits than these nobody waits for. */
const mostCommits = 2000;

/**
 * The commits that changed any of the files, which are named from the folder; undefined where the
 * folder is in no repository, there is no git, or its answer takes too long.
 */
export async function readLog(
  files: readonly string[],
  folder: string,
): Promise<FileLog | undefined> {
  const [where, log] = await Promise.all([
    ask(['rev-parse', '--is-shallow-repository', '--show-prefix'], folder),
    ask(logOf(files), folder),
  ]);
  if (!where || !log) return undefined;
  const [shallow = '', prefix = ''] = where.toString().split('\n');
  const commits = log.toString().split('\u0001').slice(1);
  return {
    isWhole: shallow === 'false' && commits.length < mostCommits,
    revisions: commits.flatMap(parseCommit),
    prefix,
  };
}

function logOf(files: readonly string[]): readonly string[] {
  const follow = files.length === 1 ? ['--follow'] : [];
  const fields = '--format=%x01%H%x02%an%x02%ct%x02';
  // A name is a name, whatever it begins with or holds.
  const log = ['--literal-pathspecs', 'log', ...follow, fields, '--name-only', '-z'];
  return [...log, `--max-count=${mostCommits}`, '--', ...files];
}

function parseCommit(text: string): FileRevision[] {
  const [commit = '', author = '', seconds = '', names = ''] = text.split('\u0002');
  if (!/^[0-9a-f]{40,64}$/u.test(commit)) return [];
  return names
    .replace(/^\0\n?/u, '')
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => ({ commit, author, time: Number(seconds) * 1000, path }));
}

/** The bytes of files at their commits; undefined where a commit took the file away. */
export async function readRevisions(
  revisions: readonly FileRevision[],
  folder: string,
): Promise<readonly (Uint8Array | undefined)[] | undefined> {
  const named = revisions.map(({ commit, path }) => `${commit}:${path}`);
  // A line break in a name would be the end of it.
  const input = named.map((name) => (name.includes('\n') ? '' : name)).join('\n');
  const output = named.length === 0 ? Buffer.alloc(0) : await ask(batch, folder, `${input}\n`);
  return output && splitBatch(output, named.length);
}

const batch = ['cat-file', '--batch'];

/** `<id> blob <size>`, a line feed, so many bytes, a line feed; or `<name> missing`. */
function splitBatch(output: Buffer, amount: number): readonly (Uint8Array | undefined)[] {
  let start = 0;
  return Array.from({ length: amount }, () => {
    const end = output.indexOf('\n', start);
    const [, size] = / blob (\d+)$/u.exec(output.subarray(start, end).toString()) ?? [];
    start = end + 1;
    if (size === undefined) return undefined;
    const bytes = output.subarray(start, start + Number(size));
    start += Number(size) + 1;
    return bytes;
  });
}

/** Milliseconds: in a very large repository nobody waits for who has written what. */
const patience = 10_000;

/** Undefined where git says no. */
async function ask(
  args: readonly string[],
  folder: string,
  input = '',
): Promise<Buffer | undefined> {
  const options = {
    cwd: folder,
    encoding: 'buffer',
    maxBuffer: 1 << 28,
    timeout: patience,
  } as const;
  try {
    const asked = promisify(execFile)('git', args, options);
    asked.child.stdin?.on('error', () => undefined);
    asked.child.stdin?.end(input);
    return (await asked).stdout;
  } catch {
    return undefined;
  }
}
