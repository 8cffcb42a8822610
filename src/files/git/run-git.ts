/**
 * The one place that starts git. A pull request controls what git reads: folders that look like a
 * repository, attributes, names. None of it may choose the repository, run a command or see a
 * secret. So git starts in the folder that holds `.git`, where it discovers no other repository,
 * without the settings that run programs, without the network, and with few variables.
 */

import { execFile, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

export type GitFolder = {
  // The real path of the folder that holds `.git`.
  readonly top: string;
  // The folder from the top, with a slash at its end; empty for the top itself.
  readonly prefix: string;
};

/** Searches upwards to GIT_CEILING_DIRECTORIES; undefined where there is no `.git`. */
export function findGitFolder(
  folder: string,
  variables: Readonly<Record<string, string | undefined>> = {},
): GitFolder | undefined {
  const name = 'GIT_CEILING_DIRECTORIES';
  const ceilings = (variables[name] ?? process.env[name] ?? '').split(delimiter).filter(isAbsolute);
  const real = realPath(folder);
  const top = findRepository(real, new Set(ceilings.map(realPath)));
  if (top === undefined) return undefined;
  const way = relative(top, real).split(sep).join('/');
  // macOS decomposes letters that git keeps composed.
  const known = process.platform === 'darwin' ? way.normalize('NFC') : way;
  return { top, prefix: known === '' ? '' : `${known}/` };
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function literalPath(path: string): string {
  return `:(top,literal)${path}`;
}

export function pathsWithEnding({ prefix }: GitFolder, ending: string): string {
  return `:(top,glob)${prefix.replaceAll(/[*?[\\]/gu, String.raw`\$&`)}**/*${ending}`;
}

const maxBuffer = 1 << 30;

/** The status is undefined where git didn't start, or was killed. */
export function runGit(args: readonly string[], top: string, input = '') {
  const git = findGit();
  if (git === undefined) {
    const problem = 'there is no program "git" here';
    return { status: undefined, output: Buffer.alloc(0), problem };
  }
  const options = { cwd: top, env: gitVariables(top), input, maxBuffer };
  const { status, stdout, stderr, error } = spawnSync(git, argumentsOf(args), options);
  const complaint = (error?.message ?? stderr.toString()).trim().split('\n');
  const problem = complaint.find((line) => /^(?:fatal|error): /u.test(line)) ?? complaint[0] ?? '';
  return { status: error ? undefined : (status ?? undefined), output: stdout, problem };
}

// Milliseconds.
const patience = 10_000;

/** Undefined where git fails, is missing or times out; a `timeout` of 0 means no limit. */
export async function askGit(
  args: readonly string[],
  top: string,
  input = '',
  timeout = patience,
): Promise<Buffer | undefined> {
  const git = findGit();
  if (git === undefined) return undefined;
  const env = gitVariables(top);
  const options = { cwd: top, env, maxBuffer, timeout, encoding: 'buffer' } as const;
  return new Promise((resolve) => {
    const child = execFile(git, argumentsOf(args), options, (error, output) =>
      resolve(error ? undefined : output),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

// `git -c` overrides the settings of the user, the system and the repository.
const settings = [
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
];

function argumentsOf(args: readonly string[]): string[] {
  return ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...args];
}

// Looked up here, since Windows would search git's working folder first.
function findGit(): string | undefined {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

// The variables that programs and git's settings need: no secret, no GIT_DIR.
const passedOn = new RegExp(
  `^(?:${[
    'PATH|HOME|USER|LOGNAME|SUDO_UID|TMPDIR|TEMP|TMP|LD_LIBRARY_PATH|XDG_CONFIG_HOME',
    String.raw`GIT_CONFIG_\w+`,
    'SYSTEMROOT|WINDIR|COMSPEC|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA',
  ].join('|')})$`,
  'iu',
);

function gitVariables(top: string): Record<string, string | undefined> {
  const surroundings = Object.entries(process.env).filter(([name]) => passedOn.test(name));
  return {
    ...Object.fromEntries(surroundings),
    LC_ALL: 'C',
    GIT_CEILING_DIRECTORIES: dirname(top),
    // A partial clone would fetch what it lacks, by any program that its settings name.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

export function foldersUpwards(
  folder: string,
  ceilings: ReadonlySet<string> = new Set(),
): string[] {
  const parent = dirname(folder);
  const isTop = parent === folder || ceilings.has(parent) || existsSync(join(folder, '.git'));
  return isTop ? [folder] : [folder, ...foldersUpwards(parent, ceilings)];
}

export function findRepository(folder: string, ceilings?: ReadonlySet<string>): string | undefined {
  const top = foldersUpwards(folder, ceilings).at(-1) ?? folder;
  return existsSync(join(top, '.git')) ? top : undefined;
}
