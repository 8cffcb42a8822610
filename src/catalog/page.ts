/**
 * A page of the list (interface §4.5). Its contracts are parsed one by one, so that what is left
 * out of one is gone before the next: a page of 1,000 takes 8 MB once all are parsed.
 */

import { type LiveContract, parseLiveContract } from '../contract/contract.ts';
import { isArray, isObject, type JsonArray, type JsonValue } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { andThen, type Content, readAnyJson, refuseContainers, unexpected } from './answers.ts';
import type { Reduce } from './catalog.ts';
import type { Attempt } from './fault.ts';

export type ServerPage = {
  readonly contracts: readonly LiveContract[];
  readonly total?: number;
  /** The cursor of the next page; absent where the list ends (§4.5.3). */
  readonly after?: string;
  readonly oddEnd?: 'unpaged' | 'empty';
  readonly flaw?: string;
};

export function readPage(content: Content, reduce?: Reduce): Attempt<ServerPage> {
  const refused = refuseContainers(content.text);
  if (refused) return refused;
  const { elements, rest } = cutPage(content.text);
  return andThen(readAnyJson({ ...content, text: rest }), (body) => {
    const name = repeatedMember(rest);
    if (name !== undefined) return { value: { contracts: [], flaw: `a page has "${name}" twice` } };
    if (!isObject(body) || !isArray(body['data'])) return unexpected('a page has no list "data"');
    const { data, paging } = body;
    const contracts = readContracts({ data, elements }, content, reduce);
    return andThen(contracts, (read) => parsePage(read, paging ?? null));
  });
}

type CutPage = { readonly elements: readonly string[]; readonly rest: string };

/**
 * The objects and lists in `data`, and the page with `null` in their places. The page is JSON where
 * all of them are.
 */
export function cutPage(text: string): CutPage {
  const elements: string[] = [];
  const rest: string[] = [];
  let end = 0;
  for (const [start, next] of placesOfElements(text)) {
    elements.push(text.slice(start, next));
    rest.push(text.slice(end, start), 'null');
    end = next;
  }
  return { elements, rest: rest.join('') + text.slice(end) };
}

function placesOfElements(text: string) {
  const places: (readonly [start: number, end: number])[] = [];
  let [depth, start, isData] = [0, 0, false];
  for (let at = nextBracket(text, 0); at < text.length; at = nextBracket(text, at + 1)) {
    if (text[at] === '{' || text[at] === '[') {
      depth += 1;
      if (depth === 2) isData = text[at] === '[' && isBehindData(text, at);
      if (depth === 3) start = at;
    } else {
      if (depth === 3 && isData) places.push([start, at + 1]);
      depth -= 1;
    }
  }
  return places;
}

const quotationMark = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
// Square brackets are the codes of braces without it.
const bit = 0x20;

function nextBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quotationMark) at = endOfText(text, at);
    else if ((code | bit) === openBrace || (code | bit) === closeBrace) return at;
  }
  return text.length;
}

// Elsewhere, or behind more blanks, the elements are parsed with the page.
function isBehindData(text: string, at: number): boolean {
  return /"data"\s*:\s*$/u.test(text.slice(Math.max(0, at - 64), at));
}

function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

const tokens = /(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?|[{}[\]]/gu;

/** In valid JSON. A parser takes the last of two members of one name, and reports nothing. */
export function repeatedMember(page: string): string | undefined {
  const names: string[] = [];
  let depth = 0;
  for (const [token, text, colon] of page.matchAll(tokens)) {
    if (text === undefined) depth += token === '{' || token === '[' ? 1 : -1;
    else if (depth === 1 && colon !== undefined) names.push(JSON.parse(text));
  }
  return ['data', 'paging'].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
}

function readContracts(
  { data, elements }: { readonly data: JsonArray; readonly elements: readonly string[] },
  { headers }: Content,
  reduce: Reduce = (live) => live,
): Attempt<readonly LiveContract[]> {
  const places = data.filter((value) => value === null);
  if (places.length !== elements.length) return withoutId;
  const contracts: LiveContract[] = [];
  for (const value of data) {
    const text = value === null ? elements[contracts.length] : undefined;
    const read = text === undefined ? { value } : readAnyJson({ headers, text });
    if ('fault' in read) return read;
    const live = parseLiveContract(read.value);
    if (!live) return withoutId;
    contracts.push(reduce(live));
  }
  return { value: contracts };
}

const withoutId = unexpected('a listed contract has no id');

function parsePage(contracts: readonly LiveContract[], paging: JsonValue): Attempt<ServerPage> {
  if (!isObject(paging)) return { value: { contracts, oddEnd: 'unpaged' } };
  const { total = null, after = null } = paging;
  if (after !== null && typeof after !== 'string') return unexpected('a cursor is not a string');
  const page = { contracts, ...parseTotal(total) };
  // The end is empty data, or no cursor (§4.5.3): an empty one would begin from the start again.
  if (after === null || after === '') return { value: page };
  return { value: { ...page, ...(contracts.length === 0 ? { oddEnd: 'empty' } : { after }) } };
}

function parseTotal(total: JsonValue): Pick<ServerPage, 'total' | 'flaw'> {
  if (total === null) return {};
  if (typeof total === 'number' && Number.isSafeInteger(total) && total >= 0) return { total };
  const isCompound = isArray(total) || isObject(total);
  const shown =
    typeof total === 'string' ? quote(total) : isCompound ? 'a list or an object' : String(total);
  return { flaw: `its total, ${shown}, is not a count` };
}
