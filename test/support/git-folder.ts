import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './workspace.ts';

/**
 * Makes all that is in a folder the first commit on `main`. One process starts the others: to start
 * one from here copies the tables of all the memory that tests have taken.
 */
export function commitFirst(folder: string): void {
  gitInTurn(folder, 'init --quiet --initial-branch main', 'add --all', 'commit --quiet -m First');
}

/** What one git after the other prints, as long as each succeeds; their arguments as a shell reads them. */
export function gitInTurn(folder: string, ...commands: readonly string[]): string {
  const git = 'git -c user.name=Test -c user.email=test@example.com';
  const script = commands.map((command) => `${git} ${command}`).join(' && ');
  return execFileSync('sh', ['-c', script], { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
}

/** A repository with one commit of these files on `main`, and what to do in it next. */
export function makeGitFolder(files: Readonly<Record<string, string>>) {
  const folder = makeFolder(files);
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
  };
  commitFirst(folder);
  return {
    folder,
    git,
    write: (file: string, text: string) => writeFileSync(join(folder, file), text),
    remove: (file: string) => rmSync(join(folder, file)),
  };
}
