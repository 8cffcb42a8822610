/** Asks GitHub's API, REST and GraphQL: headers, retries, limits, and what to do about a refusal. */

import { type Effects, offlineEffects } from '../core/effects.ts';
import { SyncError } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts';
import {
  type Answer,
  oneLine,
  parseRetryAfter,
  retry,
  sendRequest,
  serverReason,
} from '../http/send.ts';
import { version } from '../version.ts';

export type GitHub = Pick<Effects, 'fetch' | 'sleep'> & {
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly token: string;
  readonly log: (line: string) => void;
  /** Those that the job needs for this, where they are not those of a comment. */
  readonly permissions?: string;
};

export class GitHubError extends SyncError {
  override readonly name = 'GitHubError';

  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super('github', message, options);
  }
}

// Items of a page, GitHub's maximum.
export const pageSize = 100;
const mostPages = 300;

// `path` must end where more query parameters can follow.
export async function listAll(github: GitHub, path: string): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const url = new URL(`${github.apiUrl}${path}per_page=${pageSize}&page=${page}`);
    const answer = await ask(github, 'GET', url);
    if (!isArray(answer)) break;
    items.push(...answer.filter(isObject));
    if (answer.length < pageSize) break;
  }
  return items;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** `path` is below the repository's: `/issues/12`. */
export async function send(github: GitHub, method: Method, path: string, body?: JsonObject) {
  const url = new URL(`${github.apiUrl}/repos/${github.repository}${path}`);
  return ask(github, method, url, body);
}

export async function query(github: GitHub, text: string, more: JsonObject): Promise<JsonObject> {
  const [owner = '', name = ''] = github.repository.split('/');
  const variables = text.includes('$owner') ? { owner, name, ...more } : more;
  const answer = await ask(github, 'POST', new URL(github.graphqlUrl), { query: text, variables });
  return at(answer, 'data');
}

type Fault = {
  readonly message: string;
  readonly hint: string;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

async function ask(
  github: GitHub,
  method: Method,
  url: URL,
  body?: JsonObject,
): Promise<JsonValue> {
  const effects = { ...offlineEffects, sleep: github.sleep };
  const result = await retry(
    () => attempt(github, method, url, body),
    effects,
    github.log,
    'limits',
  );
  if ('value' in result) return result.value;
  const { message, hint, cause } = result.fault;
  throw new GitHubError(message, { hint, cause });
}

const timeoutMs = 30_000;

async function attempt(
  { token, fetch, permissions }: GitHub,
  method: Method,
  url: URL,
  body?: JsonObject,
): Promise<{ readonly value: JsonValue } | { readonly fault: Fault }> {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': `contract-sync/${version}`,
    'x-github-api-version': '2022-11-28',
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = { method, url, headers, body: body ? JSON.stringify(body) : null };
  const reply = await sendRequest(sent, { fetch, timeoutMs });
  if ('fault' in reply) {
    const message = `Can't reach GitHub at ${url.host} (${reply.fault.message}).`;
    return { fault: transientFault(message, { cause: reply.fault.cause }) };
  }
  const { status, text } = reply.answer;
  // Another run was faster, or the answer to an earlier attempt was lost.
  if (method === 'DELETE' && status === 404) return { value: null };
  if (status < 200 || status >= 300)
    return { fault: faultOfStatus(reply.answer, `${method} ${url.pathname}`, permissions) };
  const value = text === '' ? null : parseJson(text);
  if (value === undefined) return { fault: transientFault("GitHub's answer isn't JSON.") };
  const errors = isObject(value) ? value['errors'] : undefined;
  return isArray(errors) ? { fault: faultOfQuery(errors, reply.answer) } : { value };
}

function transientFault(message: string, more: Partial<Fault> = {}): Fault {
  return { message, hint: 'Run the job again.', transient: true, ...more };
}

function permit(permissions = 'permissions `pull-requests: write` and `contents: read`'): string {
  return `Give the job the ${permissions}.`;
}

// https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
function faultOfStatus(answer: Answer, request: string, permissions?: string): Fault {
  const { status, text } = answer;
  const { errors } = at(parseJson(text));
  const details = (isArray(errors) ? errors : []).map((error) => {
    const { message: detail, code, field } = at(error);
    return textOf(error) || textOf(detail) || `${textOf(code)} ${textOf(field)}`;
  });
  const more = details.length === 0 ? '' : ` (${oneLine(details.join(', '))})`;
  const reason = `${serverReason(text) ?? ''}${more}`;
  const words = reason === '' ? '' : `: ${reason.replace(/\.$/u, '')}`;
  const message = `GitHub answered ${request} with ${status}${words}.`;
  if (status >= 500 || isTooMany(answer, reason))
    return transientFault(message, { retryAfterMs: pauseOf(answer, reason) });
  return { message, hint: hintOf(status, reason, permissions) };
}

function hintOf(status: number, reason: string, permissions: string | undefined): string {
  if (status === 401)
    return 'The token of the input `github-token` is wrong or has expired: remove the input to use the job’s own token.';
  if (/\blocked\b/iu.test(reason))
    return 'Unlock the conversation of the pull request, then run the job again.';
  if (status === 410)
    return 'Turn on issues in the settings of the repository, or remove the input `drift-issue`.';
  return [403, 404].includes(status) ? permit(permissions) : 'Run the job again.';
}

// GitHub reports limits by 403 as well, secondary ones only in the message.
function isTooMany({ status, headers }: Answer, reason: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isSpent = headers.get('x-ratelimit-remaining') === '0';
  return isSpent || headers.has('retry-after') || isLimit(reason);
}

function isLimit(reason: string): boolean {
  return /rate limit/iu.test(reason);
}

// Milliseconds, after a secondary limit that names no pause.
const secondaryPause = 60_000;

function pauseOf({ headers }: Answer, reason: string): number | undefined {
  const asked = parseRetryAfter(headers.get('retry-after'), Date.now());
  if (asked !== undefined) return asked;
  if (headers.get('x-ratelimit-remaining') !== '0')
    return isLimit(reason) ? secondaryPause : undefined;
  // Seconds since 1970.
  const reset = Number(headers.get('x-ratelimit-reset'));
  return Math.max(0, reset * 1000 - Date.now());
}

// GraphQL answers with 200 even for errors.
function faultOfQuery(errors: readonly JsonValue[], answer: Answer): Fault {
  const { message: detail, type } = errors.find(isObject) ?? {};
  const reason = typeof detail === 'string' ? detail : 'no reason given';
  const message = `GitHub can't answer a query: ${reason}`;
  if (typeof type === 'string' && finalTypes.has(type)) return { message, hint: permit() };
  return transientFault(message, {
    retryAfterMs: isLimit(reason) ? pauseOf(answer, reason) : undefined,
  });
}

const finalTypes: ReadonlySet<string> = new Set(['FORBIDDEN', 'INSUFFICIENT_SCOPES', 'NOT_FOUND']);

// An id is a number in REST and a string in GraphQL.
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

/** The object at these members; empty where there is none. */
export function at(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const found = path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
  return isObject(found) ? found : {};
}
