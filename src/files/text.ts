import { type Finding, linesOf, toDiagnostic } from './read/finding.ts';
import { isUtf8 } from 'node:buffer';
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { identityFields, managedFields } from '../contract/contract.ts';
import { isObject } from '../core/json.ts';
import {
  createWhole,
  LinkError,
  placeOfNew,
  placeOfOld,
  readBounded,
  replaceWhole,
} from '../disk.ts';
import { readDocuments } from './read/document.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { realPath } from './git/run-git.ts';
import { largestFile, unreadable, whyUnreadable } from './find/walk.ts';

export type FileText = { readonly text: string } | { readonly problem: Diagnostic };

export type SourceFile = { readonly file: string } & FileText;

/** `file` is relative to the root; a top-level key of `marks` shows that it is a contract file. */
export function readText(
  file: string,
  root: string,
  marks: readonly string[] = ['id', 'fullyQualifiedName', 'entity'],
): FileText {
  const path = resolve(root, file);
  try {
    const isLink = lstatSync(path).isSymbolicLink();
    const read = decodeText(file, readBounded(path, largestFile));
    const shown = 'text' in read ? read.text : '';
    // `.git/config` and the like hold secrets: only a file that ends in .yaml, .yml or .json behind
    // all links, or a mapping with a key of `marks`, may be shown. A pipe from `<(…)` has no real path.
    const isNamed = /\.(?:ya?ml|json)$/iu.test(isLink ? realPath(path) : path);
    const mayShow = isNamed || shown.trim() === '' || hasKey(shown, marks);
    return mayShow ? read : { problem: unreadable(file, 'foreign-file') };
  } catch (error) {
    return { problem: unreadable(file, whyUnreadable(error)) };
  }
}

/** Whether its lines may be shown, whatever the file is named. */
export function isContractLike(text: string): boolean {
  return hasKey(text, [...identityFields, ...managedFields]);
}

function hasKey(text: string, keys: readonly string[]): boolean {
  const { documents, errors } = readDocuments(text);
  if (errors.length > 0) return new RegExp(`^(?:${keys.join('|')}):`, 'mu').test(text);
  return documents.some(
    ({ value }) => isObject(value) && keys.some((key) => Object.hasOwn(value, key)),
  );
}

/** Decodes UTF-8 without its byte order mark, so that columns count from the first character. */
export function decodeText(file: string, bytes: Uint8Array): FileText {
  if (isUtf16(bytes)) {
    const message = 'The file is UTF-16. Contract files must be UTF-8.';
    return fault(file, '', { code: 'invalid-utf-8', message, hint: 'Save it as UTF-8.' });
  }
  if (!isUtf8(bytes)) {
    const message = "Invalid UTF-8: the file can't be read as text.";
    const problem = { code: 'invalid-utf-8', message, hint: 'Save it as UTF-8.' };
    return fault(file, validPrefix(bytes), problem);
  }
  const { buffer, byteOffset, length } = bytes;
  const text = withoutMark(Buffer.from(buffer, byteOffset, length).toString());
  const control = controlCharacter.exec(text);
  if (!control) return { text };
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return fault(file, text.slice(0, control.index), {
    code: 'yaml-syntax',
    message: `YAML doesn't allow the control character U+${code} here.`,
    hint: 'Remove it, or write it as an escape in a double-quoted text. End lines with a line feed.',
  });
}

export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}

/** Why a text to write could not be read again; undefined where it could. */
export function complainAboutText(file: string, text: string): Diagnostic | undefined {
  const bytes = Buffer.from(text);
  if (bytes.length > largestFile) return unreadable(file, 'file-too-large');
  const read = decodeText(file, bytes);
  return 'problem' in read ? read.problem : undefined;
}

// By its byte order mark, or by the zeros beside its first two characters, which YAML forbids.
function isUtf16(bytes: Uint8Array): boolean {
  const [first = 1, second = 1, third = 1, fourth = 1] = bytes;
  const isMarked = (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
  const odd = first + third === 0;
  const even = second + fourth === 0;
  return isMarked || odd !== even;
}

// YAML 1.2 §5.1 forbids control characters but tab, line feed, carriage return and next line; a
// terminal would obey some. A lone carriage return is a line break to YAML and none to its parser.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controlCharacter = /[\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f]|\r(?!\n)/u;

// Invalid bytes decode as U+FFFD, which has other bytes.
function validPrefix(bytes: Uint8Array): string {
  const again = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const length = bytes.findIndex((byte, index) => byte !== again[index]);
  return new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
}

function fault(file: string, before: string, problem: Finding): FileText {
  return { problem: toDiagnostic(file, linesOf(before), { ...problem, offset: before.length }) };
}

export function whyUnwritable(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  // Node says `EACCES: permission denied, open '/a/path'`.
  return /^E[A-Z0-9]+: ([^,]+)/u.exec(error.message)?.[1];
}

/** Throws any error that is not from the file system. */
export function unwritableFile(file: string, error: unknown): Diagnostic {
  const source = { file, line: 1, column: 1 };
  if (error instanceof LinkError) {
    const message =
      "The file can't be written: a symbolic link leads out of the folder, or into a hidden one.";
    const hint = 'Replace the link by a folder.';
    return { code: 'link-outside-root', severity: 'error', message, hint, source };
  }
  const reason = whyUnwritable(error);
  if (reason === undefined) throw error;
  const message = `The file can't be written: ${reason}.`;
  const hint =
    'Check the permissions of its folder and the space on its disk, then run the command again.';
  return { code: 'unwritable-file', severity: 'error', message, hint, source };
}

export function readWhole(file: string, root: string): string {
  return unless('ENOENT', '', () => readFileSync(resolve(root, file)).toString());
}

/** False if the file has changed since it was read, or is gone; a check writes nothing. */
export function replaceFile(
  file: string,
  root: string,
  { before, after }: { readonly before: string; readonly after: string },
  isCheck = false,
): boolean {
  return unless('ENOENT', false, () => {
    // A file outside of the root was named: its own folder is the bound.
    const bound = file.startsWith('../') ? dirname(resolve(root, file)) : root;
    const path = placeOfOld(file, root, bound);
    const isWanted = (): boolean => readFileSync(path).toString() === before;
    return isCheck ? isWanted() : replaceWhole(path, after, { isWanted });
  });
}

/** Whether `createFile` would create it, as far as that can be foreseen. */
export function isFree(file: string, root: string): boolean {
  return lstatSync(placeOfNew(file, root), { throwIfNoEntry: false }) === undefined;
}

/** Also creates the folders; false if the file exists. */
export function createFile(file: string, root: string, text: string, bound = root): boolean {
  const path = placeOfNew(file, root, bound);
  mkdirSync(dirname(path), { recursive: true });
  return createWhole(path, text);
}

function unless<Result>(reason: string, otherwise: Result, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === reason) return otherwise;
    throw error;
  }
}
