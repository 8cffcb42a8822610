import { type LiveContract, parseHead, parseLiveContract } from '../contract/contract.ts';
import { idKey } from '../contract/identity.ts';
import {
  deepestNesting,
  defined,
  isArray,
  isObject,
  isTooDeep,
  type JsonValue,
  numberKeeper,
  parseJson,
} from '../core/json.ts';
import { type Answer, LargeBodyError } from '../http/send.ts';
import type { Reduce, VersionHistory } from './catalog.ts';
import type { Attempt, Fault, FaultCode } from './fault.ts';

type Content = Pick<Answer, 'headers' | 'text'>;

/** Contracts are read without this: `parseLiveContract` drops fields that nest too deep. */
export function readJson<T>(content: Content, parse: (body: JsonValue) => Attempt<T>): Attempt<T> {
  return andThen(readAnyJson(content), (body) => (isTooDeep(body) ? tooDeep : parse(body)));
}

export function readAnyJson({ text, headers }: Content): Attempt<JsonValue> {
  const refused = refuseContainers(text);
  if (refused) return refused;
  try {
    return { value: JSON.parse(text, numberKeeper(text)) };
  } catch (error) {
    // A reviver, which exact numbers need, recurses for each level.
    if (error instanceof RangeError) return tooDeep;
    const type = headers.get('content-type');
    const isHtml = type?.includes('html') ?? text.trimStart().startsWith('<');
    if (isHtml) return webPage;
    return unreadable(
      'unexpected-answer',
      text === '' ? 'The answer is empty.' : 'The answer is not valid JSON, or was cut short.',
      'Try again later. If it keeps failing, ask the operators of the catalog, or of a proxy in front of it.',
      { transient: true, cause: error },
    );
  }
}

export function readContract(content: Content, id?: string): Attempt<LiveContract> {
  return andThen(readAnyJson(content), (body) => {
    const contract = parseLiveContract(body);
    const tag = content.headers.get('etag') ?? undefined;
    if (contract && (id === undefined || idKey(contract.id) === idKey(id)))
      return { value: { ...contract, ...(tag !== undefined && { tag }) } };
    return unexpected(`it is not ${id === undefined ? 'a contract' : `the contract ${id}`}`);
  });
}

export function readHistory(content: Content): Attempt<VersionHistory> {
  return readJson(content, (body) => {
    if (!isObject(body) || !isArray(body['versions']))
      return unexpected('a history has no list "versions"');
    // Each version is a JSON document serialised into a string (interface §2.5).
    const versions = body['versions']
      .map((text) => (typeof text === 'string' ? parseJson(text) : undefined))
      .filter(isObject);
    if (versions.some((snapshot) => isTooDeep(snapshot))) return tooDeep;
    if (versions.length < body['versions'].length)
      return unexpected('a version is not a contract serialised into a string');
    const { entityType } = body;
    return { value: { entityType: typeof entityType === 'string' ? entityType : '', versions } };
  });
}

function andThen<T, U>(attempt: Attempt<T>, next: (value: T) => Attempt<U>): Attempt<U> {
  return 'fault' in attempt ? attempt : next(attempt.value);
}

function unreadable(code: FaultCode, message: string, hint: string, facts: Partial<Fault> = {}) {
  return { fault: { code, message, hint, transient: false, mayHaveLanded: true, ...facts } };
}

const tooDeep = unreadable(
  'nesting-too-deep',
  `The answer is nested deeper than ${deepestNesting} levels.`,
  'Flatten what is nested so deep in the catalog, and ask its operators to remove versions that have it.',
);

const webPage = unreadable(
  'unexpected-answer',
  'The answer is a web page, not JSON.',
  'Check the catalog URL (it usually ends in /api), and whether a login page or proxy is in front of it.',
);

export function unexpected(complaint: string) {
  return unreadable(
    'unexpected-answer',
    `The answer doesn't follow the catalog's interface: ${complaint}.`,
    'Check the catalog URL (it usually ends in /api) and the release of the catalog.',
  );
}

// UTF-16 code units: a shorter answer can't hold too many containers.
const longestUncounted = 8 * 2 ** 20;

const mostContainers = 2_500_000;

/** An empty object takes fifty times its text once parsed. */
function refuseContainers(text: string) {
  if (text.length <= longestUncounted) return undefined;
  let containers = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{' || text[at] === '[') containers += 1;
  }
  if (containers <= mostContainers) return undefined;
  const message = `The answer contains more than ${mostContainers} objects and lists.`;
  const cause = new LargeBodyError(message);
  return unreadable('unexpected-answer', message, 'Lower `page-size`.', { cause });
}

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
  const body = readAnyJson({ ...content, text: rest });
  if ('fault' in body) return body;
  const cut: (LiveContract | undefined)[] = [];
  for (const element of elements) {
    const read = readElement(element, content, reduce);
    if ('fault' in read) return read;
    cut.push(read.value);
  }
  if (!isObject(body.value) || !isArray(body.value['data']))
    return unexpected('a page has no list "data"');
  const { data, paging = null } = body.value;
  const listed = elements.length > 0 ? cut : data.map(parseLiveContract);
  const contracts = listed.filter((live) => live !== undefined);
  if (contracts.length < data.length) return unexpected('a listed contract has no id');
  return parsePage(contracts, paging);
}

// Nothing is checked of what is left out of a contract: no number, no depth, and no long list.
function readElement(
  { text, short }: Element,
  content: Content,
  reduce?: Reduce,
): Attempt<LiveContract | undefined> {
  const sent = reduce ? (parseJson(short) ?? null) : null;
  const head = parseHead(sent);
  if (reduce && head && isObject(sent)) {
    const { owners, reviewers } = sent;
    const bare = { ...head, document: defined({ owners, reviewers }) };
    const reduced = reduce(bare);
    if (reduced !== bare) return { value: reduced };
  }
  const whole = readAnyJson({ ...content, text });
  return andThen(whole, (value) => ({ value: parseLiveContract(value) }));
}

/** `short` has `null` in place of the lists that make up nearly all of a contract. */
type Element = { readonly text: string; readonly short: string };

const longLists: ReadonlySet<string> = new Set(['"schema"', '"semantics"']);

/**
 * The objects and lists in `data`, and the page with `null` in their places. The page is JSON where
 * all of them are.
 */
export function cutPage(text: string) {
  const elements: Element[] = [];
  const rest: string[] = [];
  let depth = 0;
  let isData = false;
  // The last text of the page (depth 1) or of an element (depth 3): the name of what follows.
  let nameStart = 0;
  let nameEnd = 0;
  const name = () => text.slice(nameStart, nameEnd);
  let elementStart = 0;
  let elementEnd = 0;
  let short = '';
  let shortEnd = 0;
  let listStart: number | undefined;
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const mark = text.charCodeAt(at);
    if (mark === quotationMark) {
      const start = at;
      at = endOfText(text, start);
      if (depth === 1 || depth === 3) [nameStart, nameEnd] = [start, at + 1];
    } else if ((mark | bit) === openBrace) {
      const isList = mark !== openBrace;
      depth += 1;
      // A name written with escapes is not found: its elements are parsed with the page.
      if (depth === 2) isData = isList && name() === '"data"';
      if (depth === 3) [elementStart, short, shortEnd] = [at, '', at];
      if (depth === 4) listStart = isList && longLists.has(name()) ? at : undefined;
    } else {
      if (depth === 4 && listStart !== undefined) {
        short += `${text.slice(shortEnd, listStart)}null`;
        shortEnd = at + 1;
      }
      if (depth === 3 && isData) {
        short += text.slice(shortEnd, at + 1);
        elements.push({ text: text.slice(elementStart, at + 1), short });
        rest.push(text.slice(elementEnd, elementStart), 'null');
        elementEnd = at + 1;
      }
      depth -= 1;
    }
  }
  return { elements, rest: rest.join('') + text.slice(elementEnd) };
}

const quotationMark = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const backslash = 0x5c;
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
  while (text.charCodeAt(start - 1) === backslash) start -= 1;
  return (at - start) % 2 === 1;
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
  return { flaw: 'its total is not a count' };
}
