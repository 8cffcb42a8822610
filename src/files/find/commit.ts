/** What git holds of a folder at a commit. */

import { execFileSync } from 'node:child_process';
import { ConfigError } from '../../core/errors.ts';
import { quote } from '../../core/text.ts';
import { whyGitFails } from './git.ts';

/** The commit that a revision names, if this clone has it. */
export function findCommit(revision: string, folder: string): string | undefined {
  // After `--end-of-options` nothing is taken for an option, whatever the revision starts with.
  const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const commit = ask(named, folder)?.toString().trim();
  return commit !== undefined && /^[0-9a-f]{40,64}$/u.test(commit) ? commit : undefined;
}

/** Where the work left the revision, or the revision itself where the history is too shallow to tell. */
export function resolveBase(revision: string, folder: string): string {
  const commit = findCommit(revision, folder);
  if (commit === undefined) throw unknownBase(revision, folder);
  return ask(['merge-base', commit, 'HEAD'], folder)?.toString().trim() || commit;
}

function unknownBase(revision: string, folder: string): ConfigError {
  const reason = whyGitFails(folder);
  if (reason !== undefined) {
    return new ConfigError('git-fails', `git can't find the base ${quote(revision)}: ${reason}`, {
      hint: 'Make `git status` work here.',
    });
  }
  return new ConfigError('no-such-revision', `git can't find the base ${quote(revision)} here.`, {
    hint: 'Use a branch, tag or commit of this clone. In CI, fetch it too: with `fetch-depth: 2`, actions/checkout has HEAD^1, the base of a pull request.',
  });
}

/** A file of a commit, named relative to the folder. */
type CommittedFile = { readonly file: string; readonly bytes: Uint8Array };

type Listed = { readonly file: string; readonly id: string; readonly size: number };

/** The files below a folder at a commit that are wanted; links are none. */
export function readCommit(
  commit: string,
  folder: string,
  isWanted: (file: Listed) => boolean,
): CommittedFile[] {
  const wanted = listCommit(commit, folder).filter(isWanted);
  if (wanted.length === 0) return [];
  const input = wanted.map(({ id }) => `${id}\n`).join('');
  const output = ask(['cat-file', '--batch'], folder, input) ?? Buffer.alloc(0);
  let start = 0;
  return wanted.map(({ file, size }) => {
    // `<id> blob <size>`, a line feed, so many bytes, a line feed.
    const content = output.indexOf('\n', start) + 1;
    start = content + size + 1;
    return { file, bytes: output.subarray(content, content + size) };
  });
}

function listCommit(commit: string, folder: string): Listed[] {
  const output = ask(['ls-tree', '-r', '-l', '-z', commit], folder)?.toString() ?? '';
  return output.split('\0').flatMap((line) => {
    const [, id, size, file] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.+)$/su.exec(line) ?? [];
    return id === undefined || file === undefined ? [] : [{ file, id, size: Number(size) }];
  });
}

/** Undefined where git says no. */
function ask(args: readonly string[], folder: string, input = ''): Buffer | undefined {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: 1 << 30,
    });
  } catch {
    return undefined;
  }
}
