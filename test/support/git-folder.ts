import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { openRepository } from '../../src/files/git/repository.ts';
import { outputOf } from './process.ts';
import { makeFolder } from './workspace.ts';

export const noRepository = openRepository('/');

/** Where the policy of a repository is. */
export function policyPlace(folder: string) {
  return { folder, root: folder, repository: openRepository(folder) };
}

/** What git prints; `test/gitconfig` says who commits. */
export function git(folder: string, ...args: readonly string[]): string {
  return outputOf('git', args, { cwd: folder });
}

/** Makes a folder an empty repository. */
export function initGit(folder: string): void {
  makeOnce('', folder, 'init --quiet');
}

/** Makes all that is in a folder the first commit on `main`. */
export function commitFirst(folder: string): void {
  const commands = ['init --quiet', 'add --all', 'commit --quiet -m First'];
  if (existsSync(join(folder, '.git'))) gitInTurn(folder, ...commands);
  else makeOnce(JSON.stringify(entriesOf(folder)), folder, ...commands);
}

/** What git has made of the same files in this process: to write it again takes a tenth of the time. */
const made = new Map<string, readonly Entry[]>();

function makeOnce(files: string, folder: string, ...commands: readonly string[]): void {
  const known = made.get(files);
  const repository = join(folder, '.git');
  if (known) {
    mkdirSync(repository);
    for (const { path, content } of known)
      if (content === undefined) mkdirSync(join(repository, path));
      else writeFileSync(join(repository, path), content, 'base64');
  } else {
    gitInTurn(folder, ...commands);
    made.set(files, entriesOf(repository));
  }
}

/** `content`: in base64, or where a link leads; a folder, which stands before what is in it, has none. */
type Entry = { readonly path: string; readonly mode: number; readonly content?: string };

function entriesOf(folder: string): readonly Entry[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return paths.map((path) => {
    const entry = lstatSync(join(folder, path));
    if (entry.isFile())
      return { path, mode: entry.mode, content: readFileSync(join(folder, path), 'base64') };
    const isLink = entry.isSymbolicLink();
    return { path, mode: entry.mode, ...(isLink && { content: readlinkSync(join(folder, path)) }) };
  });
}

/** The commit of a branch, or of what is checked out, without a git to ask. */
export function revisionOf(folder: string, name = 'HEAD'): string {
  const place = name === 'HEAD' ? name : `refs/heads/${name}`;
  const text = readFileSync(join(folder, '.git', place), 'utf8').trim();
  return text.startsWith('ref: ') ? revisionOf(folder, text.replace('ref: refs/heads/', '')) : text;
}

/** A file of a commit: its text, null for none, or where a link leads. */
export type Committed = string | null | { readonly link: string };

/** As a stream of `git fast-import` has a text. */
const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** A new branch with one commit, by one git that touches no file of the folder. */
export function branchOff(
  folder: string,
  branch: string,
  from: string,
  message: string,
  files: Readonly<Record<string, Committed>>,
): void {
  const changes = Object.entries(files).map(([file, content]) => {
    const removal = `D ${file}\n`;
    if (content === null) return removal;
    const [mode, text] = typeof content === 'string' ? [100644, content] : [120000, content.link];
    return `${removal}M ${mode} inline ${file}\n${data(text)}`;
  });
  const commit = `commit refs/heads/${branch}\ncommitter Test <test@example.com> now\n`;
  const input = `${commit}${data(message)}from ${from}^0\n${changes.join('')}`;
  outputOf('git', ['fast-import', '--quiet', '--date-format=now'], { cwd: folder, input });
}

/** What one git after the other prints, as long as each succeeds; their arguments as a shell reads them. */
export function gitInTurn(folder: string, ...commands: readonly string[]): string {
  const script = commands.map((command) => `git ${command}`).join(' && ');
  return outputOf('sh', ['-c', script], { cwd: folder });
}

/** The commands that git is given from now on, in the order of their names. */
export function watchGit(): () => readonly string[] {
  const log = join(makeFolder({ git: '', asked: '' }), 'asked');
  const program = join(dirname(log), 'git');
  chmodSync(program, 0o755);
  const path = process.env['PATH'] ?? '';
  const real = path.split(delimiter).find((folder) => existsSync(join(folder, 'git'))) ?? '';
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$*" >> ${log}\nexec ${real}/git "$@"\n`);
  vi.stubEnv('PATH', `${dirname(log)}${delimiter}${path}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => {
    const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
    writeFileSync(log, '');
    const settings = /^--no-pager|-c \S+/gu;
    return lines.map((line) => line.replaceAll(settings, '').trim().split(' ')[0] ?? '').toSorted();
  };
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
