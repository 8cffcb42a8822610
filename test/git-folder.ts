import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './workspace.ts';

/** A repository with one commit of these files on `main`, and what to do in it next. */
export function makeGitFolder(files: Readonly<Record<string, string>>) {
  const folder = makeFolder(files);
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
  };
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  return {
    folder,
    git,
    write: (file: string, text: string) => writeFileSync(join(folder, file), text),
    remove: (file: string) => rmSync(join(folder, file)),
  };
}
