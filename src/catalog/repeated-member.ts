/**
 * The member, `data` or `paging`, that a page gives twice: a parser takes the last of the two and
 * says nothing. The text is one that a parser has taken.
 */
export function repeatedMember(page: string): string | undefined {
  if (!mayRepeat(page)) return undefined;
  const names = memberNames(page);
  return ['data', 'paging'].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
}

/** The names wherever they stand, and ASCII letters that are written as escapes. */
const suspects = /"(?<name>data|paging)"\s*:|\\u00[67]/gu;

/** Nearly every page gives each name once: then nobody has to tell how deep they stand. */
function mayRepeat(page: string): boolean {
  const seen = new Set<string>();
  for (const { groups } of page.matchAll(suspects)) {
    const name = groups?.['name'];
    if (name === undefined || seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

/** Of the outermost object, in their order. */
function memberNames(json: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const end = stringEnd(json, at);
      if (depth === 1 && isName(json, end)) names.push(JSON.parse(json.slice(at, end)));
      at = end - 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return names;
}

/** Behind the closing quote. */
function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

const colon = /\s*:/uy;

/** Whether a string that ends there is a name and no value. */
function isName(json: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(json);
}
