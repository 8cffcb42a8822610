import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultFile, misspeltFile } from '../config/file.ts';
import { isObject } from '../core/json.ts';
import { findFiles } from '../files/find/find.ts';
import { findGitFolder, pathsWithEnding, runGit } from '../files/git/run-git.ts';
import { valuesIn } from '../files/read/document.ts';
import { readText } from '../files/text.ts';

/** What a folder has before its configuration: contracts, and the git repository around it. */

/** Names of files are relative to the folder of the configuration, with `/`. */
export type FoundContracts = ReturnType<typeof surveyContracts>;

export function surveyContracts(folder: string, repository: Repository | undefined) {
  const listed =
    (repository && listFiles(folder, ['.yaml', '.yml'])) ??
    findFiles({ root: folder, include: ['**/*.{yaml,yml}'], exclude: [], allowEmpty: true }).files;
  const all = listed.filter((file) => {
    const isHidden = /(?:^|\/)(?:\.|node_modules(?:\/|$))/u.test(file);
    return !isHidden && (!isConfiguration(file) || file.includes('/'));
  });
  const configured = all.filter(isConfiguration).map((file) => dirname(file));
  const isLeft = (file: string): boolean =>
    configured.some((other) => file.startsWith(`${other}/`));
  // Files of folders with a configuration count as others, so that no parent is included whole.
  const kinds = Map.groupBy(all, (file) => (isLeft(file) ? 'none' : kindOf(file, folder)));
  const { native = [], odcs = [], none = [] } = Object.fromEntries(kinds);
  return { contracts: [...native, ...odcs].toSorted(), others: none, odcs, configured };
}

function isConfiguration(file: string): boolean {
  return [defaultFile, misspeltFile].includes(file.split('/').at(-1) ?? '');
}

function kindOf(file: string, folder: string): 'native' | 'odcs' | 'none' {
  const read = readText(file, folder);
  if (!('text' in read) || !/DataContract|fullyQualifiedName|entity/u.test(read.text))
    return 'none';
  // By keys that nothing else has; a contract with mistakes counts, so that they are reported.
  for (const { kind, apiVersion, entity, fullyQualifiedName } of valuesIn(read.text).filter(
    isObject,
  )) {
    if (kind === 'DataContract') return 'odcs';
    const isNative = isObject(entity) || typeof fullyQualifiedName === 'string';
    if (isNative && kind === undefined && apiVersion === undefined) return 'native';
  }
  return 'none';
}

export type Repository = NonNullable<ReturnType<typeof readRepository>>;

export function readRepository(folder: string) {
  const found = findGitFolder(folder);
  if (!found) return undefined;
  const { top: root, prefix } = found;
  // Lines `remote.origin.url https://ada@github.com/acme/data`, or `… git@github.com:acme/data`.
  const remotes = ask(['config', '--get-regexp', String.raw`^remote\..*\.url$`], root);
  const hosts = remotes.matchAll(/^\S+ (?:\w+:\/\/)?(?:[^/\n]*@)?([^/:@\n]+)/gmu);
  // GitHub itself, an Enterprise Server by its name, or ssh's name of them.
  const ofGitHub = /(?:^|[.-])github(?:[.-]|$)|\.ghe\.com$/iu;
  return {
    root,
    /** Relative to the root, with `/`; empty for the root. */
    place: prefix.replace(/\/$/u, ''),
    ...readBranch(root),
    isOnGitHub:
      [...hosts].some(([, host = '']) => ofGitHub.test(host)) || existsSync(join(root, '.github')),
  };
}

/** Not ignored by git, relative to `folder`; undefined without a repository of this user. */
export function listFiles(folder: string, endings: readonly string[]) {
  const place = findGitFolder(folder);
  if (!place) return undefined;
  const paths = endings.map((ending) => pathsWithEnding(place, ending));
  const kinds = ['--cached', '--others', '--exclude-standard'];
  const { status, output } = runGit(['ls-files', '-z', ...kinds, '--', ...paths], place.top);
  if (status !== 0) return undefined;
  return output
    .toString()
    .split('\0')
    .filter((file) => file !== '')
    .map((file) => file.slice(place.prefix.length))
    .filter((file) => existsSync(join(folder, file)));
}

function readBranch(root: string) {
  const ofOrigin = ask(['symbolic-ref', '--short', 'refs/remotes/origin/HEAD'], root).trim();
  if (ofOrigin !== '') return { branch: ofOrigin.replace(/^origin\//u, ''), isDefaultBranch: true };
  const heads = ask(['for-each-ref', '--format=%(refname:short)', 'refs/heads'], root).split('\n');
  const current = ask(['symbolic-ref', '--short', 'HEAD'], root).trim() || 'main';
  const usual = ['main', 'master'].find((name) => name === current || heads.includes(name));
  return { branch: usual ?? current, isDefaultBranch: usual !== undefined };
}

function ask(args: readonly string[], root: string): string {
  const { status, output } = runGit(args, root);
  return status === 0 ? output.toString() : '';
}
