/**
 * The form in which rules compare qualified names. A rule must not be passed by another spelling of
 * a name that it means, so case, composition, ligatures, invisible characters, quotes and blanks
 * around a segment do not count. It says nothing of which contract a file means: that stays exact.
 */

import { lazyPattern } from '../core/text.ts';

/** The segments of a qualified name, or of a pattern, each in canonical form and without quotes. */
export function canonicalSegments(name: string): readonly string[] {
  // Nearly all names: of visible ASCII, none of it a quote.
  if (/^[!#-~]*$/u.test(name)) return name.toLowerCase().split('.');
  // Before it is split: a full stop and a quote have other forms as well.
  return splitSegments(name.normalize('NFKC')).map(canonicalForm);
}

/** The segments as they are written, without their quotes: one with dots of its own has them. One that is never closed is no quote. */
export function splitSegments(name: string): string[] {
  const segments = [''];
  for (const part of name.match(/"[^"]*"|\.|[^."]+|"/gu) ?? []) {
    if (part === '.') segments.push('');
    else segments[segments.length - 1] += part.replaceAll('"', '');
  }
  return segments;
}

/** What has no width, or no shape of its own. */
const invisible = lazyPattern(String.raw`[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]`, 'gu');

/** Folds case by way of the capitals, since `ß` has none but `SS`, and `ς` is a `σ` at an end. */
function canonicalForm(segment: string): string {
  return segment
    .replaceAll(invisible(), '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .trim();
}

/** Whether nothing of a name is to be seen. */
export function isBlank(name: string): boolean {
  return !/\w/u.test(name) && canonicalSegments(name).every((segment) => segment === '');
}

/** A name by its canonical segments, as a pattern would write it. */
export function writeSegments(segments: readonly string[]): string {
  return segments.map((segment) => (segment.includes('.') ? `"${segment}"` : segment)).join('.');
}

/** From here on a character may be written in more than one way. */
const composable = /[^\0-\u02FF]/u;

/** The same text for the two ways to write `é`: macOS gives the names of files the other one. */
export function composed(text: string): string {
  return composable.test(text) ? text.normalize('NFC') : text;
}
