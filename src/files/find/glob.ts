import { complainAboutPattern, composed, matchesSequence, type Wildcard } from '../../core/text.ts';

/**
 * Globs on paths: `*` matches any text within a name, `?` a character, `[a-z]` one of a set, `**`
 * any number of folders, `{a,b}` either text. Not `path.matchesGlob`: its regular expressions
 * backtrack for hours on some globs.
 */
export type MatchPath = (path: string) => boolean;

export function parseGlob(glob: string): MatchPath {
  const alternatives = expandBraces(composed(glob)).map(parseAlternative);
  return (path) => {
    const names = path === '' ? [] : composed(path).split('/');
    return alternatives.some((pattern) => matchesSequence(pattern, names, anyFolders));
  };
}

type NamePart = '**' | readonly CharacterPart[];

type CharacterPart =
  | string
  | { readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };

function parseAlternative(glob: string): NamePart[] {
  // `a/{b,}/c` has an alternative with an empty name, which is dropped. At either end it matches
  // nothing: no path of a file starts or ends with a slash.
  const all = glob.split('/');
  const names = all.filter((name, at) => name !== '' || at === 0 || at === all.length - 1);
  const parts = names.map((name) => (name === '**' ? name : parseName(name)));
  // `folder/**` does not match the folder itself.
  return parts.length > 1 && parts.at(-1) === '**' ? [...parts, ['*']] : parts;
}

// A set, of which the first character may be its closing bracket, or any UTF-16 code unit.
const characters = /\[(?<sign>[!^]?)(?<set>[^][^\]]*)\]|[^]/g;

function parseName(name: string): CharacterPart[] {
  return [...name.matchAll(characters)].map(([text, sign, set]): CharacterPart => {
    if (set === undefined) return text;
    const ranges = [...set.matchAll(/(?<first>[^])-(?<last>[^])|[^]/g)].map(
      ([one, first = one, last = one]) => [first, last] as const,
    );
    return { isNegated: sign !== '', ranges };
  });
}

const anyText: Wildcard<CharacterPart, string> = {
  symbol: '*',
  matchesItem: (part, character) => {
    if (typeof part === 'string') return part === '?' || part === character;
    const isInside = part.ranges.some(([first, last]) => first <= character && character <= last);
    return isInside !== part.isNegated;
  },
};

const anyFolders: Wildcard<NamePart, string> = {
  symbol: '**',
  matchesItem: (part, name) => part !== '**' && matchesSequence(part, name, anyText),
};

function expandBraces(glob: string): string[] {
  const brace = firstBrace(glob);
  if (!brace) return [glob];
  const rests = expandBraces(brace.behind);
  return brace.texts
    .flatMap((text) => expandBraces(text))
    .flatMap((text) => rests.map((rest) => `${brace.before}${text}${rest}`));
}

// An unclosed brace, or one without a comma, is literal.
function firstBrace(glob: string) {
  for (let start = glob.indexOf('{'); start >= 0; start = glob.indexOf('{', start + 1)) {
    const texts = textsOfBrace(glob, start);
    if (texts.length < 2) continue;
    const end = start + `{${texts.join(',')}}`.length;
    return { before: glob.slice(0, start), texts, behind: glob.slice(end) };
  }
  return undefined;
}

function textsOfBrace(glob: string, start: number): string[] {
  const texts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < glob.length; at += 1) {
    if (glob[at] === '{') depth += 1;
    if (glob[at] === '}') depth -= 1;
    const isEnd = depth === 0;
    if (!isEnd && (depth > 1 || glob[at] !== ',')) continue;
    texts.push(glob.slice(from, at));
    if (isEnd) return texts;
    from = at + 1;
  }
  return [];
}

const mostAlternatives = 1000;

export function complainAboutGlob(glob: string): string | undefined {
  const complaint = complainAboutPattern(glob);
  if (complaint !== undefined) return complaint;
  if (/\{[^{}]*\.\./u.test(glob)) return 'uses a range in braces';
  if (glob.includes('[:')) return 'uses a character class';
  return countAlternatives(glob) > mostAlternatives ? 'expands to too many patterns' : undefined;
}

function countAlternatives(glob: string): number {
  const open: number[] = [];
  let product = 1;
  for (const character of glob) {
    if (character === '{') open.push(1);
    else if (character === ',') open.push((open.pop() ?? 0) + 1);
    else if (character === '}') product *= open.pop() ?? 1;
  }
  return product;
}
