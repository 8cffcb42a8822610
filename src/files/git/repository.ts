import { ConfigError } from '../../core/diagnostic.ts';
import { composed, prefixesOf, quote } from '../../core/text.ts';
import { relative, resolve, sep } from 'node:path';
import {
  askGit,
  findGitFolder,
  type GitFolder,
  literalPath,
  pathsWithEnding,
  realPath,
  runGit,
} from './run-git.ts';

/** What a run asks git, each question once: no commit changes, and no run moves HEAD. */
export type Repository = {
  /** Files are named relative to it. */
  readonly folder: string;
  /** Undefined outside of a repository. */
  readonly place: GitFolder | undefined;
  /** The trimmed output; empty outside of a repository and where git fails. */
  readonly ask: (...args: readonly string[]) => string;
  /** The commits that revisions name; none where git knows none. */
  readonly resolve: (revisions: string) => readonly string[];
  /** Undefined where git can't tell. */
  readonly isShallow: () => boolean | undefined;
  /** Undefined outside of a repository, where git fails, and where it takes too long. */
  readonly read: (...args: readonly string[]) => Promise<Buffer | undefined>;
  /** By their ids, with those read before; a partial clone may lack some. Undefined where git fails. */
  readonly readBlobs: (ids: readonly string[]) => Promise<Blobs | undefined>;
};

type Blobs = ReadonlyMap<string, Uint8Array>;

export function openRepository(
  folder: string,
  variables?: Readonly<Record<string, string | undefined>>,
): Repository {
  const place = findGitFolder(folder, variables);
  const answers = new Map<string, string>();
  const outputs = new Map<string, Promise<Buffer | undefined>>();
  const ask: Repository['ask'] = (...args) => {
    const question = args.join('\0');
    let answer = answers.get(question);
    if (answer === undefined) {
      const given = place && runGit(args, place.top);
      answer = given?.status === 0 ? given.output.toString().trim() : '';
      answers.set(question, answer);
    }
    return answer;
  };
  const blobs = new Map<string, Uint8Array>();
  const addBlobs = async (ids: readonly string[]): Promise<Blobs | undefined> => {
    const wanted = ids.filter((id) => !blobs.has(id));
    if (!place || wanted.length === 0) return blobs;
    const output = await askGit(['cat-file', '--batch'], place.top, idLines(wanted));
    for (const [id, bytes] of output ? splitBatch(output, wanted) : []) blobs.set(id, bytes);
    return output && blobs;
  };
  let reading: Promise<Blobs | undefined> = Promise.resolve(blobs);
  // Each `rev-parse` says it too, which saves a start of git.
  let shallow = '';
  const resolve: Repository['resolve'] = (revisions) => {
    // Only an option begins so.
    if (revisions.startsWith('-')) return [];
    const asked = ['rev-parse', '--is-shallow-repository', '--revs-only', revisions];
    const [answer = '', ...commits] = ask(...asked).split('\n');
    if (answer !== '') shallow = answer;
    return commits;
  };
  return {
    folder,
    place,
    ask,
    resolve,
    isShallow: () => {
      if (shallow === '') resolve('HEAD');
      return shallow === '' ? undefined : shallow === 'true';
    },
    read: async (...args) => {
      const question = args.join('\0');
      const output = outputs.get(question) ?? (place ? askGit(args, place.top) : undefined);
      if (output) outputs.set(question, output);
      return output;
    },
    // In turn, since histories share blobs.
    readBlobs: async (ids) => (reading = reading.then(async () => addBlobs(ids))),
  };
}

export function findCommit(revision: string, repository: Repository): string | undefined {
  const { commit } = compareWithHead(revision, repository) ?? {};
  if (commit !== undefined) return commit;
  // HEAD may have no commit.
  const [found = '', ...more] = repository.resolve(`${revision}^{commit}`);
  return isCommit(found) && more.length === 0 ? found : undefined;
}

/** The base of a merge comes first; a shallow clone has none. */
export function parentsOfHead({ resolve }: Repository): readonly string[] {
  return resolve('HEAD^@');
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40,64}$/u.test(text);
}

/** The remote's default branch at the last fetch; undefined without one. */
export function findDefaultBranch(repository: Repository): string | undefined {
  // Most folders without a remote are asked nothing more.
  if (!settingNames(repository).some((name) => name.startsWith('remote.origin.'))) return undefined;
  const places = ['HEAD', 'main', 'master'].map((name) => `refs/remotes/origin/${name}`);
  const known = repository.ask('for-each-ref', '--format=%(refname) %(symref)', ...places);
  const branches = known.split('\n').map((line) => line.trim().split(' ').at(-1) ?? '');
  const [, branch] = /^refs\/remotes\/(.+)$/u.exec(branches[0] ?? '') ?? [];
  return branch !== undefined && compareWithHead(branch, repository) ? branch : undefined;
}

// Names of settings that a run needs to know.
function settingNames({ ask }: Repository): string[] {
  const pattern = String.raw`^(filter|remote\.origin)\.`;
  return ask('config', '--null', '--name-only', '--get-regexp', pattern).split('\0');
}

type Comparison = {
  readonly head: string;
  readonly commit: string;
  /** Undefined in a shallow clone without a shared commit. */
  readonly mergeBase: string | undefined;
};

/** Undefined where the revision is unknown, or HEAD has no commit. */
function compareWithHead(revision: string, { resolve }: Repository): Comparison | undefined {
  const [head = '', commit = '', mergeBase] = resolve(`${revision}^{commit}...HEAD^{commit}`);
  if (!isCommit(head) || !isCommit(commit)) return undefined;
  return { head, commit, mergeBase: mergeBase?.replace(/^\^/u, '') };
}

/** The merge base, or the revision itself where the history is too shallow for one. */
export function resolveBase(revision: string, repository: Repository) {
  const { head, mergeBase } = compareWithHead(revision, repository) ?? {};
  const base = mergeBase ?? findCommit(revision, repository);
  if (base === undefined) throw unknownBase(revision, repository);
  return { commit: base, isHead: base === head };
}

function unknownBase(revision: string, repository: Repository): ConfigError {
  const { place } = repository;
  const reason = place ? whyGitFails(repository) : 'this is no git repository.';
  const message = `git can't find the base ${quote(revision)}${reason === undefined ? ' here.' : `: ${reason}`}`;
  const hint =
    reason === undefined
      ? 'Use a branch, tag or commit of this clone. In CI, fetch it too: with `fetch-depth: 2`, actions/checkout has HEAD^1, the base of a pull request.'
      : 'Run it in a clone that git can read, or leave out the base.';
  const code = place && reason !== undefined ? 'git-fails' : 'no-such-revision';
  return new ConfigError(code, message, { hint });
}

type Listed = { readonly file: string; readonly id: string; readonly size: number };

export function readCommit(
  commit: string,
  { place }: Repository,
  isWanted: (file: Listed) => boolean,
) {
  if (!place) return [];
  const { top, prefix } = place;
  const listing = ['ls-tree', '-r', '-l', '-z', commit, literalPath(prefix)];
  const wanted = parseTree(askWhole(listing, commit, top), prefix).filter(isWanted);
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ id }) => id);
  const blobs = splitBatch(askWhole(['cat-file', '--batch'], commit, top, idLines(ids)), ids);
  return wanted.map(({ file, id }) => {
    const bytes = blobs.get(id);
    if (!bytes) throw unreadableCommit(commit, `there is no ${id}`);
    return { file, bytes };
  });
}

/** The bytes of a commit's file behind symbolic links, which `readCommit` leaves out. */
export function readLinked(commit: string, { place }: Repository, name: string) {
  // No file is outside of the repository; git's input ends at a line break.
  if (!place || /^\.\.(?:\/|$)|\n/u.test(name)) return undefined;
  const asked = ['cat-file', '--batch', '--follow-symlinks'];
  const output = askWhole(asked, commit, place.top, `${commit}:${place.prefix}${name}\n`);
  if (/^(?:dangling|loop|symlink) \d+\n/u.test(output.toString()))
    throw unreadableCommit(commit, `${name} is a link to no file of it`);
  return splitBatch(output, [name]).get(name);
}

function parseTree(output: Buffer, prefix: string): Listed[] {
  return output
    .toString()
    .split('\0')
    .flatMap((line) => {
      // For a file that a partial clone lacks, git prints `BAD` in place of a size.
      const [, id, size, file] = /^100\d{3} blob ([0-9a-f]+) +(\w+)\t(.+)$/su.exec(line) ?? [];
      if (id === undefined || file === undefined) return [];
      return [{ file: file.slice(prefix.length), id, size: Number(size) || 0 }];
    });
}

// Throws where git fails, as files that it leaves out would count as absent.
function askWhole(args: readonly string[], commit: string, top: string, input?: string): Buffer {
  const { status, output, problem } = runGit(args, top, input);
  if (status !== 0) throw unreadableCommit(commit, problem);
  return output;
}

function unreadableCommit(commit: string, reason: string): ConfigError {
  return new ConfigError('git-fails', `git can't read the files of commit ${commit}: ${reason}`, {
    hint: 'In a partial clone, fetch them first: git fetch --refetch --no-filter. With actions/checkout, leave `filter` and `sparse-checkout` out.',
  });
}

function idLines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}

// `<id> blob <size>`, a line feed, that many bytes, a line feed; or `<id> missing`.
function splitBatch(output: Buffer, ids: readonly string[]) {
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

/** Whether a file differs from the merge base: committed since, edited, or untracked. */
export function changedSince(revision: string, repository: Repository) {
  const { commit } = resolveBase(revision, repository);
  const names = ['--name-only', '--no-renames', '-z', '--no-relative'];
  const kinds = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const edited = listIn(repository, ['diff', ...kinds, ...names, commit]);
  const untracked = listIn(repository, ['ls-files', '--others', '--exclude-standard', '-z']);
  return isAmong([...edited, ...untracked], repository);
}

function listIn(repository: Repository, args: readonly string[]): string[] {
  const { place } = repository;
  if (!place) return [];
  const { top, prefix } = place;
  const asked = [...withoutFilters(repository), ...args, '--', literalPath(prefix)];
  const { status, output, problem } = runGit(asked, top);
  if (status !== 0) {
    const message = `git can't tell which files have changed: ${problem}`;
    throw new ConfigError('git-fails', message, { hint: 'Run `git status` to see why.' });
  }
  return output.toString().split('\0').filter(Boolean);
}

// A comparison of files with the index would run the programs of `filter.*`. With a `process`, even
// an empty one, git runs neither `clean` nor `smudge`.
function withoutFilters(repository: Repository): string[] {
  const names = settingNames(repository);
  const filters = new Set(names.flatMap((name) => /^(filter\..+)\.\w+$/su.exec(name)?.[1] ?? []));
  return [...filters].flatMap((name) => ['-c', `${name}.process=`, '-c', `${name}.required=false`]);
}

// git lists a file by its real path only, and a link on the way as a file of its own.
function isAmong(paths: readonly string[], repository: Repository) {
  const { folder, place } = repository;
  // macOS decomposes letters that git keeps composed.
  const known = new Set(paths.map(composed));
  return (file: string): boolean => {
    const names = prefixesOf(file).map((name) => `${place?.prefix ?? ''}${name}`);
    const real = nameIn(repository, resolve(folder, file)) ?? file;
    return [...names, real].some((name) => known.has(composed(name)));
  };
}

/** git's name of a file or folder, through all links: empty for the top, undefined outside. */
export function nameIn({ folder, place }: Repository, path: string): string | undefined {
  if (!place) return undefined;
  const name = relative(place.top, realPath(resolve(folder, path)));
  return /^\.\.(?:$|[/\\])/u.test(name) ? undefined : composed(name.split(sep).join('/'));
}

/** The edited, untracked and ignored ones of these files. Undefined outside of a repository. */
export function uncommittedAmong(files: readonly string[], repository: Repository) {
  if (!repository.place) return undefined;
  const all = ['--untracked-files=all', '--ignored', '--ignore-submodules=all', '--no-renames'];
  const lines = listIn(repository, ['status', '--porcelain', '-z', ...all]);
  const paths = lines.map((line) => line.slice('XY '.length));
  return new Set(files.filter(isAmong(paths, repository)));
}

export function whyGitFails({ place }: Repository): string | undefined {
  const answer = place && runGit(['rev-parse', '--git-dir'], place.top);
  return answer?.status === 0 ? undefined : answer?.problem;
}

/**
 * Whether the checked-out commit has another in its history; undefined outside of a clone, or in
 * one too shallow to tell.
 */
export function isInHistory(commit: string, repository: Repository): boolean | undefined {
  const compared = compareWithHead(commit, repository);
  if (compared && compared.mergeBase === compared.commit) return true;
  return repository.isShallow() === false ? false : undefined;
}

export function hasChangedSince(commit: string, file: string, { place, ask }: Repository): boolean {
  if (!place) return false;
  const path = literalPath(`${place.prefix}${file}`);
  return (
    ask('diff-tree', '-r', '--name-only', '--end-of-options', commit, 'HEAD', '--', path) !== ''
  );
}

export type BranchCommit = {
  readonly id: string;
  readonly parents: readonly string[];
  readonly subject: string;
};

/** The commits of the current branch, the latest first; `isWhole`: back to its root. */
export function firstParents(most: number, repository: Repository) {
  const asked = ['log', '--first-parent', '-z', '--format=%H%n%P%n%s', `--max-count=${most}`];
  const records = repository.ask(...asked, 'HEAD').split('\0');
  const commits: BranchCommit[] = [];
  for (const record of records) {
    const [id = '', parents = '', subject = ''] = record.split('\n');
    if (id !== '') commits.push({ id, parents: parents.split(' ').filter(Boolean), subject });
  }
  // At the cut of a shallow clone git reports no parents either, but the clone is marked shallow.
  return { commits, isWhole: commits.length < most && repository.isShallow() === false };
}

/** Undefined outside of a repository, before its first commit, and without git. */
export async function readCheckout(repository: Repository) {
  const { place } = repository;
  if (!place) return undefined;
  const status = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z'];
  const compared = ['--untracked-files=normal', '--ignore-submodules=all', '--no-renames'];
  const paths = ['.yaml', '.yml'].map((ending) => pathsWithEnding(place, ending));
  const asked = [...withoutFilters(repository), ...status, ...compared, '--', ...paths];
  // No time limit: a plan names its commit in the largest repository too.
  const output = await askGit(asked, place.top, '', 0);
  const lines = output?.toString().split('\0') ?? [];
  const [, commit] = /^# branch\.oid ([0-9a-f]{40,64})$/u.exec(lines[0] ?? '') ?? [];
  if (commit === undefined) return undefined;
  return { commit, isChanged: lines.some((line) => line !== '' && !line.startsWith('#')) };
}
