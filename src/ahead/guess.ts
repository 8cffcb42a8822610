import { composed } from '../contract/canonical-name.ts';
import type { SourceFile } from '../files/read/text.ts';

/**
 * What files seem to say, by a look at their text without parsing it. It may err in both
 * directions, so it is good for a head start and for nothing else.
 */
export type Guess<Key extends string> = {
  /** Those of the keys that were asked for. */
  readonly keys: readonly Key[];
  /** What stands behind the keys that identify a contract or its asset. */
  readonly identities: ReadonlySet<string>;
};

export function guess<Key extends string>(
  sources: readonly SourceFile[],
  keys: readonly Key[],
): Guess<Key> {
  const unseen = new Set<Key>(keys);
  const identities = new Set<string>();
  for (const source of sources) {
    const text = 'text' in source ? source.text : '';
    for (const key of unseen) if (looksLikeKey(text, key)) unseen.delete(key);
    for (const { groups } of text.matchAll(identityKey).take(mostIdentities))
      addValues(groups?.['value'] ?? '', identities);
  }
  return { keys: keys.filter((key) => !unseen.has(key)), identities };
}

/** Whether a file seems to have a document of the Open Data Contract Standard. */
export function looksLikeOdcs(source: SourceFile): boolean {
  return 'text' in source && /^kind:[ \t]*["']?DataContract\b/mu.test(source.text);
}

/** Whether one of the files seems to give one of these statuses. */
export function guessesStatus(
  sources: readonly SourceFile[],
  statuses: readonly string[],
): boolean {
  if (statuses.length === 0) return false;
  const key = String.raw`(?:^|[{,])[ \t]*["']?entityStatus["']?[ \t]*:`;
  const pattern = new RegExp(`${key}[ \\t]*["']?(?:${statuses.join('|')})\\b`, 'mu');
  return sources.some(
    (source) =>
      'text' in source &&
      statuses.some((status) => source.text.includes(status)) &&
      pattern.test(source.text),
  );
}

/** In one file: a hostile one may look as if it had a hundred thousand. */
const mostIdentities = 10_000;

function looksLikeKey(text: string, key: string): boolean {
  // Blanks of one line: across lines each start would look through all that follow it.
  const pattern = `(?:^|[{,])[ \\t]*["']?${key}["']?[ \\t]*:`;
  return text.includes(key) && new RegExp(pattern, 'mu').test(text);
}

/** More of a line is no identity. Values overlap, for several keys may stand on one line. */
const identityKey =
  /(?:^|[{,])[ \t]*["']?(?:id|fullyQualifiedName)["']?[ \t]*:[ \t]*(?=(?<value>.{1,1000}))/gmu;

/** The rest of the line, and what of it belongs to the key where it stands within braces. */
function addValues(rest: string, values: Set<string>): void {
  const line = rest.replace(/[ \t]#.*/u, '');
  values.add(composed(unquote(line.trim())));
  if (/[,}]/u.test(line)) values.add(composed(unquote(line.replace(/[,}].*/u, '').trim())));
}

function unquote(value: string): string {
  if (/^'.*'$/u.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/u.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}
