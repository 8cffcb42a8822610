import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from './process.ts';
import { makeFolder } from './workspace.ts';

/** What git prints; `test/gitconfig` says who commits. */
export function git(folder: string, ...args: readonly string[]): string {
  return outputOf('git', args, { cwd: folder });
}

/**
 * Makes all that is in a folder the first commit on `main`. One process starts the others: to start
 * one from here copies the tables of all the memory that tests have taken.
 */
export function commitFirst(folder: string): void {
  gitInTurn(folder, 'init --quiet', 'add --all', 'commit --quiet -m First');
}

/** What one git after the other prints, as long as each succeeds; their arguments as a shell reads them. */
export function gitInTurn(folder: string, ...commands: readonly string[]): string {
  const script = commands.map((command) => `git ${command}`).join(' && ');
  return outputOf('sh', ['-c', script], { cwd: folder });
}

/** A repository with one commit of these files on `main`, and what to do in it next. */
export function makeGitFolder(files: Readonly<Record<string, string>>) {
  const folder = makeFolder(files);
  commitFirst(folder);
  return {
    folder,
    git: (...args: readonly string[]) => git(folder, ...args),
    write: (file: string, text: string) => writeFileSync(join(folder, file), text),
    remove: (file: string) => rmSync(join(folder, file)),
  };
}
