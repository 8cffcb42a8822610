/** The git repository that a folder is in, as far as its first files depend on it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findGitFolder, pathsWithEnding, runGit } from '../files/find/run-git.ts';

export type Repository = {
  readonly root: string;
  /** The folder as seen from the root, with `/`; empty for the root itself. */
  readonly place: string;
  /** The branch that pull requests are merged into. */
  readonly branch: string;
  /** Whether GitHub runs its workflows. */
  readonly isOnGitHub: boolean;
  /** Where people see it, if that can be told. */
  readonly page?: string;
};

/** Undefined outside of a repository. */
export function readRepository(folder: string): Repository | undefined {
  const found = findGitFolder(folder);
  if (!found) return undefined;
  const { top: root, prefix } = found;
  const remotes = readRemotes(root);
  const remote = remotes.find(({ host }) => isGitHub(host));
  return {
    root,
    place: prefix.replace(/\/$/u, ''),
    branch: readBranch(root),
    isOnGitHub: remote !== undefined || existsSync(join(root, '.github')),
    ...(remote?.host.includes('.') && { page: `https://${remote.host}/${remote.path}` }),
  };
}

/**
 * Files with one of these endings that git does not ignore, relative to the folder. Undefined where
 * git says nothing: there is none, or the folder belongs to somebody else.
 */
export function listFiles(
  folder: string,
  endings: readonly string[],
): readonly string[] | undefined {
  const place = findGitFolder(folder);
  if (!place) return undefined;
  const paths = endings.map((ending) => pathsWithEnding(place, ending));
  const kinds = ['--cached', '--others', '--exclude-standard'];
  const { status, output } = runGit(['ls-files', '-z', ...kinds, '--', ...paths], place.top);
  if (status !== 0) return undefined;
  const listed = output
    .toString()
    .split('\0')
    .filter((file) => file !== '');
  // One that is deleted, and not yet committed as such, is listed too.
  return listed
    .map((file) => file.slice(place.prefix.length))
    .filter((file) => existsSync(join(folder, file)));
}

type Remote = { readonly name: string; readonly host: string; readonly path: string };

/** `origin` first. What a URL says of users and passwords is left out. */
function readRemotes(root: string): readonly Remote[] {
  const lines = ask(['config', '--get-regexp', String.raw`^remote\..*\.url$`], root).split('\n');
  const remotes = lines.flatMap((line) => {
    const [, name = '', url = ''] = /^remote\.(.*)\.url (.*)$/u.exec(line) ?? [];
    const [, host = '', path = ''] =
      /^(?:\w+:\/\/)?(?:[^/]*@)?([^/:@]+)(?::\d+)?[/:]([^?#]+?)(?:\.git)?\/?$/u.exec(url) ?? [];
    return host === '' ? [] : [{ name, host, path }];
  });
  return remotes.toSorted((a, b) => Number(b.name === 'origin') - Number(a.name === 'origin'));
}

/** GitHub itself, an Enterprise Server by its name, or what ssh calls them. */
function isGitHub(host: string): boolean {
  return /(?:^|[.-])github(?:[.-]|$)|\.ghe\.com$/iu.test(host);
}

function readBranch(root: string): string {
  const ofOrigin = ask(['symbolic-ref', '--short', 'refs/remotes/origin/HEAD'], root).trim();
  if (ofOrigin !== '') return ofOrigin.replace(/^origin\//u, '');
  const heads = ask(['for-each-ref', '--format=%(refname:short)', 'refs/heads'], root).split('\n');
  const usual = ['main', 'master'].find((name) => heads.includes(name));
  return (usual ?? ask(['symbolic-ref', '--short', 'HEAD'], root).trim()) || 'main';
}

/** What git answers, or an empty text. */
function ask(args: readonly string[], root: string): string {
  const { status, output } = runGit(args, root);
  return status === 0 ? output.toString() : '';
}
