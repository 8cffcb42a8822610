import { say, slot } from '../core/advice.ts';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ErrorObject } from 'ajv';
import type { Diagnostic, SourcePosition } from '../core/diagnostic.ts';
import { ConfigError, DiagnosticsError } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import { count, didYouMean, quote } from '../core/text.ts';
import { unknownKey } from '../files/formats/native/shape.ts';
import { checkYaml, createLocator, type PointerDiagnostic } from '../files/read/document.ts';
import { toDiagnostic } from '../files/read/finding.ts';
import { readText } from '../files/read/text.ts';
import { type ConfigFile, settingNames, validate } from '../generated/config.js';
import { parsePointer, type Pointer } from '../patch/pointer.ts';
import type { ChosenEnvironment } from '../plan/plan.ts';
import { foldersUpwards } from '../files/git/run-git.ts';

export type LoadedConfig = {
  readonly settings: ConfigFile;
  readonly locate: (pointer: Pointer) => SourcePosition;
  readonly environment?: ChosenEnvironment;
};

export const noFile: LoadedConfig = {
  settings: {},
  locate: () => ({ file: defaultFile, line: 1, column: 1 }),
};

export function loadFile(named: string | undefined, folder: string): LoadedConfig {
  const name = named ?? defaultFile;
  if (named === undefined && !existsSync(resolve(folder, name))) {
    // Ignored in silence, what it protects would be unprotected.
    if (!existsSync(resolve(folder, misspeltFile))) return noFile;
    const message = `Found ${misspeltFile}, which isn't read: the configuration is ${defaultFile}.`;
    const hint = slot('rename-config', `Rename it, or pass --config ${misspeltFile}.`);
    throw new ConfigError('misnamed-config', message, { hint });
  }
  if (statSync(resolve(folder, name), { throwIfNoEntry: false })?.isDirectory()) {
    throw new ConfigError('config-is-folder', `${quote(name)} is a folder.`, {
      hint: `Name the file in it, such as ${join(name, defaultFile)}.`,
    });
  }
  const read = readText(name, folder, settingNames);
  if ('problem' in read) throw unusable([read.problem]);
  return parseConfig(name, read.text);
}

export function parseConfig(name: string, text: string): LoadedConfig {
  const { documents, lines, findings } = checkYaml(text, configProblems);
  const [document, second] = documents;
  const all = [...findings, ...(document?.findings ?? [])];
  if (second) {
    all.push({
      code: 'second-document',
      severity: 'error',
      message: 'A second document starts here: the configuration must be one.',
      hint: 'Remove the `---`.',
      offset: second.offset,
    });
  }
  if (all.length > 0) throw unusable(all.map((finding) => toDiagnostic(name, lines, finding)));
  const source = { file: name, text, index: 0 };
  const locate = createLocator();
  // An empty file sets nothing.
  return { settings: document?.fields ?? {}, locate: (pointer) => locate(source, pointer) };
}

export function unusable(diagnostics: readonly Diagnostic[]): DiagnosticsError {
  const marked = diagnostics.map(({ source, ...rest }) => ({
    ...rest,
    ...(source && { source: { ...source, format: 'configuration' } as const }),
  }));
  return new DiagnosticsError('invalid-config', 'The configuration has errors.', marked);
}

function configProblems(document: JsonValue): PointerDiagnostic[] {
  if (validate(document)) return [];
  const errors = validate.errors ?? [];
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf');
  const isOfBranch = ({ keyword, instancePath }: ErrorObject): boolean =>
    keyword !== 'anyOf' &&
    choices.some((choice) => `${instancePath}/`.startsWith(`${choice.instancePath}/`));
  const problems = errors
    .filter((error) => error.propertyName === undefined && !isOfBranch(error))
    .map((error) => goneKey(error) ?? describe(error));
  return [...new Map(problems.map((each) => [JSON.stringify(each), each])).values()];
}

const gone: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'compatibility.*.after':
      'Write the level alone, such as `deprecated: warn`; it holds from the first day.',
    'compatibility.against': 'Remove it: a change is compared with the live contract.',
    'compatibility.window': 'Remove it: a change is compared with the live contract.',
    'patch.operations': 'Remove it: patches may use all operations of RFC 6902.',
    'patch.moves': 'Remove it: a reorder is sent as `move` operations.',
    users: 'Remove it: `contract-sync history` says who edited a contract, and when.',
  }),
);

function goneKey({ keyword, instancePath, params, data }: ErrorObject) {
  const pointer = parsePointer(instancePath) ?? [];
  const named = keyword === 'additionalProperties' ? [String(params['additionalProperty'])] : [];
  const below = keyword === 'enum' && data instanceof Object ? Object.keys(data) : named;
  for (const key of [pointer, ...below.map((name) => [...pointer, name])]) {
    const path = key[0] === 'environments' ? key.slice(2) : key;
    const hint = gone.get(path.join('.')) ?? gone.get(path.toSpliced(1, 1, '*').join('.'));
    const message = `\`${key.join('.')}\` is gone.`;
    if (hint !== undefined)
      return { code: 'unknown-key', message, hint, pointer: key, atKey: true };
  }
  return undefined;
}

function describe(error: ErrorObject): PointerDiagnostic {
  if (error.keyword === 'additionalProperties') return unknownKey(error, 'the configuration');
  const pointer = parsePointer(error.instancePath) ?? [];
  const name = pointer.length === 0 ? 'The configuration' : `\`${pointer.join('.')}\``;
  const hint = hintFor(error, pointer.at(-1));
  const complaint =
    complaints[error.keyword]?.(error) ??
    `must be ${error.parentSchema?.['$comment'] ?? 'of another form'}`;
  const message = `${name} ${complaint}.`;
  return { code: 'invalid-setting', message, ...(hint !== undefined && { hint }), pointer };
}

// By schema keyword; for all others the schema's `$comment` has the words.
const complaints: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ schema }) => `must be ${shapeNames[String(schema)] ?? String(schema)}`,
  enum: ({ schema }) => `must be one of ${[schema].flat().join(', ')}`,
  required: ({ params }) => `lacks \`${params['missingProperty']}\``,
  minimum: ({ params }) => `must be at least ${params['limit']}`,
  exclusiveMinimum: ({ params }) => `must be more than ${params['limit']}`,
  maximum: ({ params }) => `must be at most ${params['limit']}`,
  minLength: ({ schema }) => `needs at least ${count(Number(schema), 'character', 'characters')}`,
  minItems: ({ schema }) => `needs at least ${count(Number(schema), 'item', 'items')}`,
  uniqueItems: () => 'has the same item twice',
  propertyNames: ({ schema }) => `has a key that is not ${Object(schema).$comment}`,
};

const shapeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a mapping',
  string: 'text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
};

function hintFor({ keyword, schema, parentSchema, data }: ErrorObject, key: string | undefined) {
  if (keyword === 'enum' && typeof data === 'string')
    return didYouMean(data, [schema].flat().map(String));
  if (keyword !== 'type' || key === undefined) return undefined;
  if (schema === 'object') {
    const [member = 'KEY'] = Object.keys(parentSchema?.['properties'] ?? {});
    return `Write \`${key}: { ${member}: … }\`.`;
  }
  if (schema !== 'array') return undefined;
  return `Write \`${key}: [${data instanceof Object || data === null ? '…' : JSON.stringify(data)}]\`.`;
}

/** Sections are merged key by key; lists and single values are replaced. */
export function selectEnvironment(file: LoadedConfig, name: string | undefined): LoadedConfig {
  const { environments = {}, ...common } = file.settings;
  if (name === undefined) return file;
  const own = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (!own) {
    const known = Object.keys(environments);
    const list =
      known.length === 0
        ? say`Define it under \`environments\`, or remove ${slot('env-or-variable', '--env and CONTRACT_SYNC_ENV')}.`
        : `The environments are ${known.join(', ')}.`;
    const hint = slot('known-environments', didYouMean(name, known) ?? list);
    throw new ConfigError('unknown-environment', `Unknown environment ${quote(name)}.`, { hint });
  }
  // `protected: true` or `false` is about the environment itself, a list about contracts.
  const { protected: isProtected, ...others } = own;
  const settings: ConfigFile =
    typeof isProtected === 'boolean' || isProtected === undefined
      ? others
      : { ...others, protected: isProtected };
  return {
    settings: merge(common, settings),
    locate: (pointer) =>
      file.locate(isIn(settings, pointer) ? ['environments', name, ...pointer] : pointer),
    environment: { name, isProtected: own.protected === true },
  };
}

function merge(common: ConfigFile, own: ConfigFile): ConfigFile {
  const sections: Readonly<Record<string, unknown>> = common;
  const merged = Object.entries(own).map(([key, value]): [string, unknown] => {
    const before = sections[key];
    return [key, isSection(before) && isSection(value) ? Object.assign({}, before, value) : value];
  });
  return { ...common, ...Object.fromEntries(merged) };
}

function isSection(value: unknown): value is object {
  return value instanceof Object && !Array.isArray(value);
}

function isIn(settings: ConfigFile, [key = '', inner]: Pointer): boolean {
  const sections: Readonly<Record<string, unknown>> = settings;
  const section = sections[key];
  if (section === undefined) return false;
  return inner === undefined || !isSection(section) || Object.hasOwn(section, inner);
}

export const defaultFile = 'contract-sync.yaml';
export const misspeltFile = 'contract-sync.yml';

/**
 * The nearest folder upwards with a configuration, but none beyond the repository; `folder` itself
 * where there is none or the configuration is named.
 */
export function findRoot(folder: string, named?: string): string {
  if (named !== undefined) return folder;
  const found = foldersUpwards(folder).find(hasConfiguration);
  if (found === undefined) return folder;
  if (found !== folder) refuseForeign(found, folder);
  return found;
}

export function findAbove(folder: string): string | undefined {
  return foldersUpwards(folder).slice(1).find(hasConfiguration);
}

// A misspelt one counts: ignored in silence, what it protects would be unprotected.
function hasConfiguration(folder: string): boolean {
  return [defaultFile, misspeltFile].some((name) => existsSync(join(folder, name)));
}

// Anybody may write to a folder above, such as /tmp, and a configuration says where tokens go.
function refuseForeign(root: string, folder: string): void {
  const name = existsSync(join(root, defaultFile)) ? defaultFile : misspeltFile;
  const file = join(root, name);
  const trusted = [process.getuid?.(), 0, statSync(folder).uid];
  if (trusted.includes(lstatSync(file).uid)) return;
  throw new ConfigError('foreign-config', `${file} belongs to another user, so it is not used.`, {
    hint: say`If you trust it, name it with ${slot('config')}; if not, write a ${defaultFile} here.`,
  });
}

export function pathsFromRoot(
  paths: readonly string[],
  folder: string,
  root: string,
): readonly string[] {
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
