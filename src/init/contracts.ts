/** The contracts that are there before there is a configuration. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultFile, misspeltFile } from '../config/root.ts';
import { isObject, type JsonValue } from '../core/json.ts';
import { findFiles } from '../files/find/find.ts';
import { valuesIn } from '../files/read/document.ts';
import { readText } from '../files/read/text.ts';
import type { YamlFiles } from './include.ts';
import { listFiles, type Repository } from './repository.ts';

export type FoundContracts = YamlFiles & {
  /** Those of the Open Data Contract Standard. */
  readonly odcs: readonly string[];
  /** Folders that have a configuration of their own. */
  readonly configured: readonly string[];
};

/** Contracts anywhere below a folder, but not of folders that have a configuration of their own. */
export function surveyContracts(
  folder: string,
  repository: Repository | undefined,
): FoundContracts {
  const listed = (repository && listFiles(folder, ['.yaml', '.yml'])) ?? walk(folder);
  const all = listed.filter((file) => !isHidden(file) && !isOwnConfiguration(file));
  const configured = all.filter(isConfiguration).map((file) => dirname(file));
  const isLeft = (file: string): boolean =>
    configured.some((other) => file.startsWith(`${other}/`));
  // What is left to others is named as such, so that no folder that has it is taken as a whole.
  const kinds = Map.groupBy(all, (file) => (isLeft(file) ? 'none' : kindOf(file, folder)));
  const { native = [], odcs = [], none = [] } = Object.fromEntries(kinds);
  return { contracts: [...native, ...odcs].toSorted(), others: none, odcs, configured };
}

function walk(folder: string): readonly string[] {
  const include = ['**/*.{yaml,yml}'];
  return findFiles({ root: folder, include, exclude: [], allowEmpty: true }).files;
}

function isConfiguration(file: string): boolean {
  return [defaultFile, misspeltFile].includes(file.split('/').at(-1) ?? '');
}

function isOwnConfiguration(file: string): boolean {
  return isConfiguration(file) && !file.includes('/');
}

/** No walk enters such folders either. */
function isHidden(file: string): boolean {
  return file.split('/').some((name) => name.startsWith('.') || name === 'node_modules');
}

type Kind = 'native' | 'odcs' | 'none';

function kindOf(file: string, folder: string): Kind {
  // Most YAML of a repository is something else, and need not be parsed.
  const read = readText(file, folder);
  if (!('text' in read) || !/DataContract|fullyQualifiedName|entity/u.test(read.text))
    return 'none';
  const kinds = valuesIn(read.text).map(kindOfDocument);
  return kinds.find((kind) => kind !== 'none') ?? 'none';
}

/** By the keys that nothing else has; a contract with mistakes is one too, so that they are told. */
function kindOfDocument(document: JsonValue): Kind {
  if (!isObject(document)) return 'none';
  const { kind, apiVersion, entity, fullyQualifiedName } = document;
  if (kind === 'DataContract') return 'odcs';
  const isNative = isObject(entity) || typeof fullyQualifiedName === 'string';
  return isNative && kind === undefined && apiVersion === undefined ? 'native' : 'none';
}

/** The documents of ODCS files. */
export function readOdcs(
  files: readonly string[],
  folder: string,
): readonly { readonly file: string; readonly text: string }[] {
  return files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
}
