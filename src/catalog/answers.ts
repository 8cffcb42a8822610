import { type LiveContract, parseLiveContract } from '../contract/contract.ts';
import { idKey } from '../contract/identity.ts';
import {
  deepestNesting,
  isArray,
  isObject,
  isTooDeep,
  type JsonValue,
  numberKeeper,
  parseJson,
} from '../core/json.ts';
import { type Answer, LargeBodyError } from '../http/send.ts';
import type { VersionHistory } from './catalog.ts';
import type { Attempt, Fault, FaultCode } from './fault.ts';

export type Content = Pick<Answer, 'headers' | 'text'>;

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
export function refuseContainers(text: string) {
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
