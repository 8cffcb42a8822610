import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { largestFile } from './obstacle.ts';

/**
 * Which of these keys the files seem to hold, by a look at their text without parsing it. It may
 * err in both directions, so it is good for a head start and for nothing else.
 */
export function guessKeys<Key extends string>(
  files: readonly string[],
  root: string,
  keys: readonly Key[],
): Key[] {
  const unseen = new Set<Key>(keys);
  for (const file of files) {
    if (unseen.size === 0) break;
    const text = peek(resolve(root, file));
    for (const key of unseen) if (looksLikeKey(text, key)) unseen.delete(key);
  }
  return keys.filter((key) => !unseen.has(key));
}

/** A file that cannot be read, or is too large, is told of when it is read in earnest. */
function peek(path: string): string {
  try {
    return statSync(path).size > largestFile ? '' : readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function looksLikeKey(text: string, key: string): boolean {
  // Blanks of one line: across lines each start would look through all that follow it.
  const pattern = `(?:^|[{,])[ \\t]*["']?${key}["']?[ \\t]*:`;
  return text.includes(key) && new RegExp(pattern, 'mu').test(text);
}
