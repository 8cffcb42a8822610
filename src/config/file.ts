import { existsSync, globSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  ConfigError,
  type Diagnostic,
  DiagnosticsError,
  RepositoryError,
  sortDiagnostics,
  type SourcePosition,
} from '../core/diagnostic.ts';
import { didYouMean, listFirst, quote } from '../core/text.ts';
import { checkYaml, placeOf } from '../files/read/document.ts';
import { toDiagnostic } from '../files/read/finding.ts';
import { type FileText, readText } from '../files/text.ts';
import { type ConfigFile, settingNames } from '../generated/config.js';
import type { Pointer } from '../patch/pointer.ts';
import type { ChosenEnvironment } from '../plan/plan.ts';
import { isBelow } from '../disk.ts';
import { configProblems } from './problems.ts';
import { lookAt } from '../files/find/walk.ts';
import { foldersUpwards } from '../files/git/run-git.ts';

export type LoadedConfig = {
  readonly settings: ConfigFile;
  readonly locate: (pointer: Pointer) => SourcePosition;
  readonly environment?: ChosenEnvironment | undefined;
  readonly extended?: LoadedConfig;
};

export const noFile: LoadedConfig = {
  settings: {},
  locate: () => ({ file: defaultFile, line: 1, column: 1 }),
};

/** `folder` is what `findRoot` returns. Of what is in `checkout`, no link or `extends` may leave it. */
export function loadFile(
  named: string | undefined,
  folder: string,
  checkout?: string,
): LoadedConfig {
  const name = nameInRoot(named);
  if (named === undefined && !isNamed(resolve(folder, name))) {
    // Skipping it in silence would drop the protection that it asks for.
    if (!isNamed(resolve(folder, misspeltFile))) return noFile;
    const message = `Found ${misspeltFile}, which isn't read: the configuration is ${defaultFile}.`;
    const hint = `Rename it, or name it as \`config\`.`;
    throw new RepositoryError('misnamed-config', message, { hint });
  }
  const kind = lookAt(resolve(folder, name));
  if (kind === 'path-not-found' || kind === 'link-loop') {
    const message = `No file ${quote(named ?? name)}, or a broken symbolic link.`;
    throw new ConfigError('unreadable-file', message, {
      hint: 'Correct the path, or remove the link.',
    });
  }
  if (kind === 'folder') {
    const hint = `Name the file in it, such as ${join(named ?? name, defaultFile)}.`;
    throw new ConfigError('unreadable-file', `${quote(named ?? name)} is a folder.`, { hint });
  }
  const isConfined = checkout !== undefined && isBelow(resolve(folder, name), checkout);
  return loadWith(name, (file) => {
    if (isConfined) refuseOutside(resolve(folder, file), checkout);
    return readText(file, folder, settingNames);
  });
}

export function refuseOutside(path: string, checkout: string): void {
  const [place, top] = existsSync(path)
    ? [realpathSync(path), realpathSync(checkout)]
    : [path, checkout];
  if (isBelow(place, top)) return;
  const name = quote(withSlashes(relative(checkout, path)));
  const message = `${name} leads out of the git repository, so it isn't read.`;
  const hint = 'Move the file in, and put no link there.';
  throw new RepositoryError('outside-repository', message, { hint });
}

export function loadWith(name: string, read: (file: string) => FileText): LoadedConfig {
  const load = (file: string): LoadedConfig => {
    const found = read(file);
    if ('problem' in found) throw unusable([found.problem]);
    return parseConfig(file, found.text);
  };
  const file = load(name);
  const { extends: other } = file.settings;
  if (other === undefined) return file;
  const extended = load(withSlashes(join(dirname(name), other)));
  if (extended.settings.extends === undefined) return { ...file, extended };
  const message = "This configuration is extended, so it can't extend another.";
  const hint = 'Have both extend the same one.';
  const source = extended.locate(['extends']);
  throw unusable([{ code: 'invalid-config', severity: 'error', message, hint, source }]);
}

function parseConfig(name: string, text: string): LoadedConfig {
  const { documents, lines, findings } = checkYaml(text, configProblems);
  const [document, second] = documents;
  const all = [...findings, ...(document?.findings ?? [])];
  if (second) {
    all.push({
      code: 'invalid-config',
      severity: 'error',
      message: 'A second document starts here: the configuration must be one.',
      hint: 'Remove the `---`.',
      offset: second.offset,
    });
  }
  if (all.length > 0)
    throw unusable(sortDiagnostics(all.map((each) => toDiagnostic(name, lines, each))));
  const source = { file: name, text, index: 0 };
  // An empty file sets nothing.
  return { settings: document?.fields ?? {}, locate: (pointer) => placeOf(source, pointer) };
}

export function unusable(diagnostics: readonly Diagnostic[]): DiagnosticsError {
  const marked = diagnostics.map(({ source, ...rest }) => ({
    ...rest,
    ...(source && { source: { ...source, format: 'configuration' } as const }),
  }));
  return new DiagnosticsError('invalid-config', 'The configuration has errors.', marked);
}

/** The settings of a run: those of the environment over the others, over what `extends` names. */
export function selectEnvironment(file: LoadedConfig, name: string | undefined): LoadedConfig {
  const own = withEnvironment(file, name);
  const shared = file.extended && withEnvironment(file.extended, name);
  const chosen = [own.environment, shared?.environment].filter((each) => each !== undefined);
  if (name !== undefined && chosen.length === 0) throw unknownEnvironment(file, name);
  if (!shared) return own;
  const { contracts: _files, scope: _scope, teams: _teams, ...settings } = shared.settings;
  const isProtected = chosen.some((each) => each.isProtected);
  return {
    ...layer({ ...shared, settings }, own, additive),
    environment: name === undefined ? undefined : { name, isProtected },
  };
}

export function selectTeam(file: LoadedConfig, name: string): LoadedConfig {
  const { include: _include, ...settings } = file.settings.teams?.[name] ?? {};
  const locate = (pointer: Pointer): SourcePosition => file.locate(['teams', name, ...pointer]);
  return layer(file, { settings: { scope: [], ...settings }, locate }, additive);
}

function withEnvironment(file: LoadedConfig, name: string | undefined): LoadedConfig {
  const { environments = {}, ...common } = file.settings;
  if (name === undefined) return file;
  const own = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (!own) return { ...file, settings: common };
  // `protected: true` or `false` is about the environment itself, a list about contracts.
  const { protected: isProtected, ...others } = own;
  const settings: ConfigFile =
    typeof isProtected === 'boolean' || isProtected === undefined
      ? others
      : { ...others, protected: isProtected };
  const locate = (pointer: Pointer) => file.locate(['environments', name, ...pointer]);
  return {
    ...layer({ ...file, settings: common }, { settings, locate }),
    environment: { name, isProtected: own.protected === true },
  };
}

export function environmentNames({ settings, extended }: LoadedConfig): string[] {
  return Object.keys({ ...extended?.settings.environments, ...settings.environments });
}

function unknownEnvironment(file: LoadedConfig, name: string): ConfigError {
  const known = environmentNames(file);
  const near = didYouMean(name, known);
  const hint =
    known.length === 0
      ? 'Define it under `environments`, or choose none.'
      : `${near === undefined ? '' : `${near} `}The environments are ${known.join(', ')}.`;
  return new ConfigError('unknown-environment', `Unknown environment ${quote(name)}.`, { hint });
}

// A team can add to what nothing may change, and to the exceptions, but not take from them.
export const additive = ['protected', 'allow'] as const;

/** Sections are merged key by key; lists and single values are replaced, unless they add up. */
function layer(
  shared: LoadedConfig,
  own: LoadedConfig,
  adding: readonly (typeof additive)[number][] = [],
): LoadedConfig {
  const sums = adding.map((key) => {
    return [key, [...(shared.settings[key] ?? []), ...(own.settings[key] ?? [])]] as const;
  });
  return {
    settings: { ...merge(shared.settings, own.settings), ...Object.fromEntries(sums) },
    locate: (pointer) => {
      const [first = '', index, ...rest] = pointer;
      const key = adding.find((each) => each === first);
      const earlier = key ? (shared.settings[key] ?? []) : [];
      if (earlier.length === 0) return (isIn(own.settings, pointer) ? own : shared).locate(pointer);
      const ownIndex = Number(index) - earlier.length;
      return ownIndex >= 0
        ? own.locate([first, String(ownIndex), ...rest])
        : shared.locate(pointer);
    },
  };
}

// How many levels of keys are merged; a team is merged like the whole file.
const levels = 2;
const levelsOfTeams = levels + 1;

function merge(shared: object, own: object, depth = levels): object {
  const known = new Map<string, unknown>(Object.entries(shared));
  const merged = Object.entries(own).map(([key, value]: [string, unknown]) => {
    const before = known.get(key);
    const isMerged = depth > 1 && isSection(before) && isSection(value);
    const below = key === 'teams' ? levelsOfTeams : depth - 1;
    return [key, isMerged ? merge(before, value, below) : value];
  });
  return { ...shared, ...Object.fromEntries(merged) };
}

function isSection(value: unknown): value is object {
  return value instanceof Object && !Array.isArray(value);
}

function isIn(own: object, [key = '', ...rest]: Pointer, depth = levels): boolean {
  const value = new Map<string, unknown>(Object.entries(own)).get(key);
  const below = key === 'teams' ? levelsOfTeams : depth - 1;
  if (below === 0 || rest.length === 0 || !isSection(value)) return value !== undefined;
  return isIn(value, rest, below);
}

export const defaultFile = 'contract-sync.yaml';
export const misspeltFile = 'contract-sync.yml';

export function nameInRoot(named = defaultFile): string {
  return basename(named) === defaultFile ? defaultFile : named;
}

/**
 * The folder of the configuration: the nearest one upwards, but none beyond the repository, or that
 * of a contract-sync.yaml that is named; `folder` itself where there is none, or another is named.
 */
export function findRoot(folder: string, named?: string): string {
  if (named !== undefined)
    return basename(named) === defaultFile ? dirname(resolve(folder, named)) : folder;
  const found = foldersUpwards(folder).find(hasConfiguration);
  if (found === undefined) return folder;
  if (found !== folder) refuseForeign(found, folder);
  return found;
}

/** A run above the configurations of its folders would apply none of them. */
export function refuseAboveOthers(root: string, named: string | undefined): void {
  if (named !== undefined || hasConfiguration(root) || existsSync(join(root, 'contracts'))) return;
  const found = globSync(`{*,*/*,*/*/*}/${defaultFile}`, {
    cwd: root,
    exclude: (name) => basename(name) === 'node_modules',
  });
  const files = found.filter((file) => lookAt(join(root, file)) !== 'folder');
  const folders = files.map((file) => withSlashes(dirname(file))).toSorted();
  const below = folders.filter((each) => !folders.some((other) => each.startsWith(`${other}/`)));
  if (below.length > 0) throw onlyBelow(below);
}

export function onlyBelow(folders: readonly string[]): ConfigError {
  const [first = ''] = folders;
  const message = `There is no ${defaultFile} here; the ones below are in ${listFirst(folders, 10)}.`;
  const hint = `Go to one of them (cd ${first}), or name it as \`config\`: ${first}/${defaultFile}. One file here can have them all, as \`teams\`.`;
  return new ConfigError('path-not-found', message, { hint });
}

// A misspelt file counts: skipping it in silence would drop the protection that it asks for.
function hasConfiguration(folder: string): boolean {
  return [defaultFile, misspeltFile].some((name) => isNamed(join(folder, name)));
}

// A broken link counts too.
function isNamed(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

// Anybody may write to a folder above, such as /tmp, and a configuration says where tokens go.
function refuseForeign(root: string, folder: string): void {
  const name = isNamed(join(root, defaultFile)) ? defaultFile : misspeltFile;
  const file = join(root, name);
  const trusted = [process.getuid?.(), 0, statSync(folder).uid];
  if (trusted.includes(lstatSync(file).uid)) return;
  throw new ConfigError('foreign-config', `${file} belongs to another user, so it is not used.`, {
    hint: `If you trust it, name it as \`config\`; if not, write a ${defaultFile} here.`,
  });
}

export function pathsFromRoot(paths: readonly string[], folder: string, root: string) {
  const whole = paths.find((path) => isAbsolute(path) && dirname(resolve(path)) === resolve(path));
  if (whole !== undefined) {
    const hint = 'Name the folder that has the contracts.';
    const message = `${quote(whole)} is the whole file system.`;
    throw new ConfigError('path-not-found', message, { hint });
  }
  if (root === folder) return paths.map(withSlashes);
  // An empty text is an unset variable, not the folder.
  return paths.map((path) =>
    path === '' || isAbsolute(path)
      ? withSlashes(path)
      : withSlashes(relative(root, resolve(folder, path))) || '.',
  );
}

export function nameFrom(folder: string, root: string): (file: string) => string {
  if (root === folder) return (file) => file;
  return (file) => (isAbsolute(file) ? file : withSlashes(relative(folder, join(root, file))));
}

// Patterns have slashes; arguments on Windows mostly have backslashes.
export function withSlashes(path: string): string {
  return path.split(sep).join('/');
}
