import { isAscii } from 'node:buffer';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { contractMarks, isForeign } from './foreign.ts';
import { largestFile, unreadable, whyUnreadable } from '../find/walk.ts';

/** A file's text, or the problem that makes it none. */
type FileText = { readonly text: string } | { readonly problem: Diagnostic };

/** A file, named relative to the root, as it is on disk. */
export type SourceFile = { readonly file: string } & FileText;

/** Reads a file that is named relative to the root; keys of a mapping tell it from other files. */
export function readText(
  file: string,
  root: string,
  marks: readonly string[] = contractMarks,
): FileText {
  const path = resolve(root, file);
  try {
    const named = lstatSync(path);
    const isLink = named.isSymbolicLink();
    const stats = isLink ? statSync(path) : named;
    if (!stats.isFile() && !isOpen(path)) return { problem: unreadable(file, 'not-a-file') };
    if (stats.size > largestFile) return { problem: unreadable(file, 'file-too-large') };
    const read = decodeText(file, readFileSync(path));
    const shown = 'text' in read ? read.text : '';
    return isForeign(isLink ? realPath(path) : path, shown, marks)
      ? { problem: unreadable(file, 'foreign-file') }
      : read;
  } catch (error) {
    return { problem: unreadable(file, whyUnreadable(error)) };
  }
}

/** A pipe, as `<(…)` makes one, has no other path. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** What the process has open, as `<(…)` is /dev/fd/63; any other pipe may have nobody who writes. */
function isOpen(path: string): boolean {
  return path.startsWith('/dev/');
}

/** Decodes UTF-8; a byte order mark is dropped, so that columns count from the first character. */
export function decodeText(file: string, bytes: Uint8Array): FileText {
  if (isUtf16(bytes)) return { problem: utf16(file) };
  const isPlain = isAscii(bytes);
  const text = isPlain ? latin1(bytes) : decode(bytes);
  if (text === undefined) return { problem: invalidUtf8(file, validPrefix(bytes)) };
  const control = findControl(text, isPlain);
  if (control)
    return { problem: forbiddenCharacter(file, text.slice(0, control.index), control[0]) };
  return { text };
}

/** Why a text that is to be written could not be read again; undefined where it could. */
export function complainAboutText(file: string, text: string): Diagnostic | undefined {
  const bytes = Buffer.from(text);
  if (bytes.length > largestFile) return unreadable(file, 'file-too-large');
  const read = decodeText(file, bytes);
  return 'problem' in read ? read.problem : undefined;
}

/** By its byte order mark, or by the zeros beside its first two characters, which YAML forbids. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first = 1, second = 1, third = 1, fourth = 1] = bytes;
  const isMarked = (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
  const [odd, even] = [first + third === 0, second + fourth === 0];
  return isMarked || odd !== even;
}

/** Takes a tenth of the time of a decoder, which sees to it that all is well. */
function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** One for all files: to make one takes longer than to decode a file. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Undefined where the bytes are not UTF-8; of a text's start, the last character may be cut. */
function decode(bytes: Uint8Array, isStart = false): string | undefined {
  try {
    return isStart
      ? new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
      : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

// YAML 1.2 §5.1 forbids control characters but tab, line feed, carriage return and next line; a
// terminal would obey some. A lone carriage return is a line break to YAML and none to its parser.
const controlCharacter = /[^\P{Cc}\t\n\r\u0085]|\r(?!\n)/u;

/** Those in ASCII. V8 looks for up to 16 characters at once, and for more ten times as long. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const asciiControls = [/[\0-\x08\v\f\x0e\x0f\x7f]|\r(?!\n)/u, /[\x10-\x1f]/u];

function findControl(text: string, isPlain: boolean): RegExpExecArray | null {
  const mayHaveOne = !isPlain || asciiControls.some((pattern) => pattern.test(text));
  return mayHaveOne ? controlCharacter.exec(text) : null;
}

/** The longest prefix that is valid UTF-8, by bisection: only the text of an error needs it. */
function validPrefix(bytes: Uint8Array): string {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (decode(bytes.subarray(0, middle), true) === undefined) invalid = middle;
    else valid = middle;
  }
  return decode(bytes.subarray(0, valid), true) ?? '';
}

function utf16(file: string): Diagnostic {
  return {
    code: 'utf-16',
    severity: 'error',
    message: 'The file is UTF-16. Contract files must be UTF-8.',
    hint: 'Save it as UTF-8.',
    source: { file, line: 1, column: 1 },
  };
}

function invalidUtf8(file: string, before: string): Diagnostic {
  return {
    code: 'invalid-utf-8',
    severity: 'error',
    message: "Invalid UTF-8: the file can't be read as text.",
    hint: 'Save it as UTF-8.',
    source: { file, ...endOf(before) },
  };
}

function forbiddenCharacter(file: string, before: string, character: string): Diagnostic {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    code: 'control-character',
    severity: 'error',
    message: `YAML doesn't allow the control character U+${code} here.`,
    hint: 'Remove it, or write it as an escape in a double-quoted text. End lines with a line feed.',
    source: { file, ...endOf(before) },
  };
}

/** Line and column of what follows a text. */
function endOf(text: string): { readonly line: number; readonly column: number } {
  const lines = text.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
