import { offlineEffects, type Effects } from '../core/effects.ts';
import { SyncError } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts';
import { type Answer, oneLine, sendRequest, serverReason } from '../http/send.ts';
import { parseRetryAfter, retry } from '../http/retry.ts';
import { version } from '../version.ts';

export type GitHubAccess = Pick<Effects, 'fetch' | 'sleep'> & {
  readonly token: string;
  readonly log: (line: string) => void;
  /** Those that the job needs for this, where they are not those of a comment. */
  readonly permissions?: string | undefined;
};

export type GitHubRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly body?: JsonObject | undefined;
};

type GitHubFault = {
  readonly message: string;
  readonly hint: string;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

export class GitHubError extends SyncError {
  override readonly name = 'GitHubError';

  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super('github', message, options);
  }
}

export async function askGitHub(access: GitHubAccess, request: GitHubRequest): Promise<JsonValue> {
  const effects = { ...offlineEffects, ...access };
  const result = await retry(() => attempt(access, request), effects, access.log, 'limits');
  if ('value' in result) return result.value;
  const { message, hint, cause } = result.fault;
  throw new GitHubError(message, { hint, cause });
}

const timeoutMs = 30_000;

async function attempt(
  { token, fetch, permissions }: GitHubAccess,
  { method, url, body }: GitHubRequest,
): Promise<{ readonly value: JsonValue } | { readonly fault: GitHubFault }> {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': `contract-sync/${version}`,
    'x-github-api-version': '2022-11-28',
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = { method, url, headers, ...(body && { body: JSON.stringify(body) }) };
  const reply = await sendRequest(sent, { fetch, timeoutMs });
  if ('fault' in reply) {
    const message = `Can't reach GitHub at ${url.host} (${reply.fault.message}).`;
    return passing(message, { cause: reply.fault.cause });
  }
  const { status, text } = reply.answer;
  // Another run was faster, or the answer to an earlier attempt was lost.
  if (method === 'DELETE' && status === 404) return { value: null };
  if (status < 200 || status >= 300)
    return { fault: faultOfStatus(reply.answer, `${method} ${url.pathname}`, permissions) };
  const value = text === '' ? null : parseJson(text);
  if (value === undefined) return passing("GitHub's answer isn't JSON.");
  const errors = isObject(value) ? value['errors'] : undefined;
  return isArray(errors) ? { fault: faultOfQuery(errors, reply.answer) } : { value };
}

function passing(message: string, more: Partial<GitHubFault> = {}) {
  return { fault: { message, hint: 'Run the job again.', transient: true, ...more } };
}

function permit(permissions = 'permissions `pull-requests: write` and `contents: read`'): string {
  return `Give the job the ${permissions}.`;
}

// https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
function faultOfStatus(answer: Answer, request: string, permissions?: string): GitHubFault {
  const { status, text } = answer;
  const { errors } = objectOf(parseJson(text));
  const detailOf = (error: JsonValue): string => {
    const { message, code, field } = objectOf(error);
    return textOf(error) || textOf(message) || `${textOf(code)} ${textOf(field)}`;
  };
  const details = isArray(errors) ? errors.map(detailOf).join(', ') : '';
  const reason = `${serverReason(text) ?? ''}${details === '' ? '' : ` (${oneLine(details)})`}`;
  const words = reason === '' ? '' : `: ${reason.replace(/\.$/u, '')}`;
  const message = `GitHub answered ${request} with ${status}${words}.`;
  if (status >= 500 || isTooMany(answer, reason))
    return passing(message, { retryAfterMs: pauseOf(answer, reason) }).fault;
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
function faultOfQuery(errors: readonly JsonValue[], answer: Answer): GitHubFault {
  const { message: detail, type } = errors.find(isObject) ?? {};
  const reason = typeof detail === 'string' ? detail : 'no reason given';
  const message = `GitHub can't answer a query: ${reason}`;
  const isFinal = typeof type === 'string' && finalTypes.has(type);
  if (isFinal) return { message, hint: permit() };
  const retryAfterMs = isLimit(reason) ? pauseOf(answer, reason) : undefined;
  return passing(message, { retryAfterMs }).fault;
}

const finalTypes: ReadonlySet<string> = new Set(['FORBIDDEN', 'INSUFFICIENT_SCOPES', 'NOT_FOUND']);

// An id is a number in REST and a string in GraphQL.
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

export function at(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  return path.reduce((object, name) => objectOf(object[name]), objectOf(value));
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
