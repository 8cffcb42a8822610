import type { LiveContract } from '../contract/contract.ts';
import { idKey } from '../contract/identity.ts';
import { parseLiveContract } from '../contract/live.ts';
import {
  deepestNesting,
  isArray,
  isObject,
  isTooDeep,
  type JsonObject,
  type JsonValue,
  numberKeeper,
  parseJson,
} from '../core/json.ts';
import { quote } from '../core/text.ts';
import { type Content, bodyText } from '../http/body.ts';
import type { Attempt, Fault } from './request.ts';
import type { VersionHistory } from './catalog.ts';
import { repeatedMember } from './repeated-member.ts';
import { refuseRich } from './rich-answer.ts';

/** A page as the server gave it (interface §4.1, §2.4). */
export type ServerPage = {
  readonly contracts: readonly LiveContract[];
  readonly total?: number;
  /** The cursor of the next page; absent where the list ends (§4.5.3). */
  readonly after?: string;
  /** How the list ends here, where that is odd: without paging, or without rows and yet with a cursor. */
  readonly oddEnd?: 'unpaged' | 'empty';
  /** Why the list cannot be whole with this page in it. */
  readonly flaw?: string;
};

/** The JSON of a successful answer; of contracts, `parseLiveContract` leaves out the fields that nest too deep. */
export function readJson(content: Content): Attempt<JsonValue> {
  return andThen(readAnyJson(content), refuseDeep);
}

function readAnyJson(content: Content): Attempt<JsonValue> {
  return andThen(readText(content), (text) => parseBody(text, content));
}

function refuseDeep(value: JsonValue): Attempt<JsonValue> {
  return isTooDeep(value) ? tooDeep : { value };
}

function readText(content: Content): Attempt<string> {
  return andThen(refuseRich(content), (sparing) => ({ value: bodyText(sparing) }));
}

function parseBody(text: string, { type }: Content): Attempt<JsonValue> {
  try {
    return { value: JSON.parse(text, numberKeeper(text)) };
  } catch (error) {
    // A reviver, which exact numbers ask for, goes down level by level.
    if (error instanceof RangeError) return tooDeep;
    const isHtml = type?.includes('html') ?? text.trimStart().startsWith('<');
    return { fault: isHtml ? webPage : malformed(text, error) };
  }
}

/** A page of a list. */
export function readPage(content: Content): Attempt<ServerPage> {
  return andThen(readText(content), (text) =>
    andThen(andThen(parseBody(text, content), parsePage), (page) => {
      const name = repeatedMember(text);
      const flaw = `a page has "${name}" twice`;
      return { value: name === undefined ? page : { ...page, flaw } };
    }),
  );
}

/** What a page says, from its JSON. */
function parsePage(body: JsonValue): Attempt<ServerPage> {
  if (!isObject(body) || !isArray(body['data'])) return unexpected('a page has no list "data"');
  const { data, paging } = body;
  const contracts = data.map(parseLiveContract).filter((contract) => contract !== undefined);
  if (contracts.length < data.length) return unexpected('a listed contract has no id');
  if (!isObject(paging)) return { value: { contracts, oddEnd: 'unpaged' } };
  const { total = null, after = null } = paging;
  if (after !== null && typeof after !== 'string') return unexpected('a cursor is not a string');
  return {
    value: { contracts, ...parseTotal(total), ...parseCursor(after ?? '', contracts.length === 0) },
  };
}

type Total = Pick<ServerPage, 'total' | 'flaw'>;

/** JSON may hold `1e999`. */
function parseTotal(total: JsonValue): Total {
  if (total === null) return {};
  if (typeof total === 'number' && Number.isSafeInteger(total) && total >= 0) return { total };
  return { flaw: `its total, ${describeTotal(total)}, is not a count` };
}

function describeTotal(total: JsonValue): string {
  if (typeof total === 'string') return quote(total);
  return isArray(total) || isObject(total) ? 'a list or an object' : String(total);
}

/** The end is empty data, or no cursor (§4.5.3); an empty one would begin from the start again. */
function parseCursor(after: string, isEmpty: boolean): Pick<ServerPage, 'after' | 'oddEnd'> {
  if (after === '') return {};
  return isEmpty ? { oddEnd: 'empty' } : { after };
}

/** The contract that a request was answered with; it has this id, where one is known (interface §4.2). */
export function readContract(content: Content, id?: string): Attempt<LiveContract> {
  return andThen(readAnyJson(content), (body) => {
    const contract = parseLiveContract(body);
    if (contract && (id === undefined || idKey(contract.id) === idKey(id)))
      return { value: contract };
    return unexpected(`it is not ${id === undefined ? 'a contract' : `the contract ${id}`}`);
  });
}

/** The versions of a contract. */
export function readHistory(content: Content): Attempt<VersionHistory> {
  return andThen(readJson(content), parseHistory);
}

/** Each version is a JSON document serialised into a string (interface §2.5). */
function parseHistory(body: JsonValue): Attempt<VersionHistory> {
  if (!isObject(body) || !isArray(body['versions'])) {
    return unexpected('a history has no list "versions"');
  }
  const versions = body['versions'].map(parseSnapshot).filter((snapshot) => snapshot !== undefined);
  if (versions.some((snapshot) => isTooDeep(snapshot))) return tooDeep;
  if (versions.length < body['versions'].length) {
    return unexpected('a version is not a contract serialised into a string');
  }
  const { entityType } = body;
  return { value: { entityType: typeof entityType === 'string' ? entityType : '', versions } };
}

function parseSnapshot(text: JsonValue): JsonObject | undefined {
  const snapshot = typeof text === 'string' ? parseJson(text) : undefined;
  return isObject(snapshot) ? snapshot : undefined;
}

/** One version of a contract: its shape is not fixed (interface §4.4). */
export function readObject(content: Content): Attempt<JsonObject> {
  return andThen(readJson(content), (body) =>
    isObject(body) ? { value: body } : unexpected('it is not a JSON object'),
  );
}

function andThen<T, U>(attempt: Attempt<T>, next: (value: T) => Attempt<U>): Attempt<U> {
  return 'fault' in attempt ? attempt : next(attempt.value);
}

const tooDeep: { readonly fault: Fault } = {
  fault: {
    code: 'nested-too-deep',
    message: `The answer is nested deeper than ${deepestNesting} levels.`,
    hint: 'Flatten what is nested so deep in the catalog, and ask its operators to remove versions that have it.',
    transient: false,
    mayHaveLanded: true,
  },
};

const webPage: Fault = {
  code: 'not-json',
  message: 'The answer is a web page, not JSON.',
  hint: 'Check the catalog URL (it usually ends in /api), and whether a login page or proxy is in front of it.',
  transient: false,
  mayHaveLanded: true,
};

function malformed(text: string, cause: unknown): Fault {
  return {
    code: 'malformed-answer',
    message:
      text === '' ? 'The answer is empty.' : 'The answer is not valid JSON, or was cut short.',
    hint: 'Try again later. If it keeps failing, ask the operators of the catalog, or of a proxy in front of it.',
    transient: true,
    mayHaveLanded: true,
    cause,
  };
}

function unexpected(complaint: string): { readonly fault: Fault } {
  return {
    fault: {
      code: 'unexpected-answer',
      message: `The answer doesn't follow the catalog's interface: ${complaint}.`,
      hint: 'Check the catalog URL (it usually ends in /api) and the release of the catalog.',
      transient: false,
      mayHaveLanded: true,
    },
  };
}
