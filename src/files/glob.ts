import type { Diagnostic } from '../core/diagnostic.ts';
import { quote } from '../core/text.ts';

/** A glob as the folder that it starts in and the pattern for names below it. */
export type Glob = { readonly folder: string; readonly pattern: string };

/** Splits at the first segment with a character that has a meaning in globs, if there is one. */
export function parseGlob(text: string): Glob | undefined {
  const segments = text.split('/');
  const magic = segments.findIndex((segment) => /[*?[\]{}()]/u.test(segment));
  if (magic === -1) return undefined;
  return { folder: segments.slice(0, magic).join('/'), pattern: segments.slice(magic).join('/') };
}

const longestGlob = 1000;
const mostAlternatives = 1000;

/** A matcher writes all alternatives of braces out: `{a,b}` thirty times is a thousand million. */
export function isTooComplex(glob: string): boolean {
  return (
    glob.length > longestGlob || /\{[^{}]*\.\./u.test(glob) || alternatives(glob) > mostAlternatives
  );
}

/** How many patterns the braces stand for, at most. */
function alternatives(glob: string): number {
  const open: number[] = [];
  let product = 1;
  for (const character of glob) {
    if (character === '{') open.push(1);
    else if (character === ',') open.push((open.pop() ?? 0) + 1);
    else if (character === '}') product *= open.pop() ?? 1;
  }
  return product;
}

export function globTooComplex(glob: string): Diagnostic {
  return {
    code: 'glob-too-complex',
    severity: 'error',
    message: `The glob ${quote(glob)} stands for too many patterns.`,
    hint: `Use fewer braces, no ranges, and at most ${longestGlob} characters; or give several globs.`,
  };
}
