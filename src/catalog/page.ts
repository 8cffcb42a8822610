/**
 * A page of the list (interface §4.5). Its contracts are parsed one by one, so that what is left
 * out of one is gone before the next: a page of 1,000 takes 8 MB once all are parsed.
 */

import { type LiveContract, parseLiveContract } from '../contract/contract.ts';
import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { type Content, readAnyJson, refuseContainers, unexpected } from './answers.ts';
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

export function readPage(content: Content, reduce: Reduce = (live) => live): Attempt<ServerPage> {
  const refused = refuseContainers(content.text);
  if (refused) return refused;
  const read = (value: JsonValue) => {
    const live = parseLiveContract(value);
    return live && reduce(live);
  };
  const { elements, rest } = cutPage(content.text);
  const body = readAnyJson({ ...content, text: rest });
  if ('fault' in body) return body;
  const cut: (LiveContract | undefined)[] = [];
  for (const text of elements) {
    const element = readAnyJson({ ...content, text });
    if ('fault' in element) return element;
    cut.push(read(element.value));
  }
  const name = repeatedMember(rest);
  if (name !== undefined) return { value: { contracts: [], flaw: `a page has "${name}" twice` } };
  if (!isObject(body.value) || !isArray(body.value['data']))
    return unexpected('a page has no list "data"');
  const { data, paging = null } = body.value;
  const listed = elements.length > 0 ? cut : data.map(read);
  const contracts = listed.filter((live) => live !== undefined);
  if (contracts.length < data.length) return unexpected('a listed contract has no id');
  return parsePage(contracts, paging);
}

/**
 * The objects and lists in `data`, and the page with `null` in their places. The page is JSON where
 * all of them are.
 */
export function cutPage(text: string) {
  const elements: string[] = [];
  const rest: string[] = [];
  let [depth, start, end, name, isData] = [0, 0, 0, '', false];
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    if (text[at] === '"') {
      const from = at;
      at = endOfText(text, from);
      if (depth === 1) name = text.slice(from, at + 1);
    } else if (text[at] === '{' || text[at] === '[') {
      depth += 1;
      // A name written with escapes is not found: its elements are parsed with the page.
      if (depth === 2) isData = text[at] === '[' && name === '"data"';
      if (depth === 3) start = at;
    } else {
      if (depth === 3 && isData) {
        elements.push(text.slice(start, at + 1));
        rest.push(text.slice(end, start), 'null');
        end = at + 1;
      }
      depth -= 1;
    }
  }
  return { elements, rest: rest.join('') + text.slice(end) };
}

const quotationMark = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
// Square brackets are the codes of braces without it.
const bit = 0x20;

// A quotation mark, brace or square bracket. Regular expressions that match whole texts run out of
// stack where one has millions of escapes.
function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const bracket = code | bit;
    if (code === quotationMark || bracket === openBrace || bracket === closeBrace) return at;
  }
  return text.length;
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

const colon = /\s*:/uy;

/** In valid JSON. A parser takes the last of two members of one name, and reports nothing. */
export function repeatedMember(page: string): string | undefined {
  const names: string[] = [];
  let depth = 0;
  for (let at = nextMark(page, 0); at < page.length; at = nextMark(page, at + 1)) {
    if (page[at] === '"') {
      const from = at;
      at = endOfText(page, from);
      colon.lastIndex = at + 1;
      if (depth === 1 && colon.test(page)) names.push(JSON.parse(page.slice(from, at + 1)));
    } else depth += page[at] === '{' || page[at] === '[' ? 1 : -1;
  }
  return ['data', 'paging'].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
}

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
