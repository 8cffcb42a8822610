import { type Answer, bodyText } from '../http/body.ts';
import { serverReason } from '../http/reason.ts';
import { parseRetryAfter } from '../http/retry.ts';
import type { Fault, FaultCode } from './fault.ts';
import type { OperationName } from './request.ts';

/** What it means that the server answered with something else than success. */
export function statusFault(answer: Answer, operation: OperationName, now: number): Fault {
  const { status } = answer;
  const reason = serverReason(bodyText(answer));
  const code = codeOf(status);
  const hint = hints[code]?.(operation);
  const retryAfterMs = parseRetryAfter(answer.headers.get('retry-after'), now);
  return {
    code,
    message: sentence(complaint(code, operation), reason),
    ...(hint !== undefined && { hint }),
    ...requestIdOf(answer.headers),
    status,
    transient: transientStatuses.has(status),
    // It may come from a gateway whose server behind it went on and did the work; 429, too, where
    // the gateway lost a first answer and its own second try was one too many.
    mayHaveLanded: status >= 500 || status === 408 || status === 429,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function sentence(complained: string, reason: string | undefined): string {
  if (reason === undefined) return `${complained}.`;
  return `${complained}: ${reason}${/[.!?…]$/u.test(reason) ? '' : '.'}`;
}

const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);

const codes: Readonly<Record<number, FaultCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  409: 'conflict',
  412: 'conflict',
  413: 'too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
};

function codeOf(status: number): FaultCode {
  if (status < 400) return 'unexpected-answer';
  return codes[status] ?? (status >= 500 ? 'server-error' : 'bad-request');
}

const purposes: Readonly<Record<OperationName, string>> = {
  list: 'list data contracts',
  patch: 'update data contracts',
  versions: 'read the versions of a data contract',
  version: 'read a version of a data contract',
  search: 'search',
  release: 'tell its release',
};

function complaint(code: FaultCode, operation: OperationName): string {
  const purpose = purposes[operation];
  switch (code) {
    case 'unauthorized':
      return 'The catalog rejected the access token';
    case 'forbidden':
      return `The owner of the access token lacks the permission to ${purpose}`;
    case 'not-found':
      return notFound(operation);
    case 'rate-limited':
      return 'The catalog receives more requests than it allows';
    case 'server-error':
      return `The catalog failed when asked to ${purpose}`;
    default:
      return `The catalog refused to ${purpose}`;
  }
}

/** Operations that name no contract: where they find nothing, the address is wrong. */
const ofService: ReadonlySet<OperationName> = new Set(['list', 'search', 'release']);

function notFound(operation: OperationName): string {
  if (ofService.has(operation)) return 'There is no data contract service at this address';
  return operation === 'version'
    ? 'The catalog has no such data contract, or no such version of it'
    : 'The catalog has no such data contract';
}

const laterOrAsk = 'Try again later; if it stays so, ask the operators of the catalog.';

const hints: Readonly<Partial<Record<FaultCode, (operation: OperationName) => string>>> = {
  unauthorized: () =>
    'It may have expired, or belong to another catalog: contract-sync whoami tells whose it is and where it comes from (CONTRACT_SYNC_TOKEN, --token-file or an issuer).',
  forbidden: (operation) =>
    `Ask an administrator of the catalog to let this user ${purposes[operation]}.`,
  'not-found': (operation) =>
    ofService.has(operation)
      ? 'Check the catalog URL: it usually ends in /api.'
      : 'It may have been deleted since it was listed: plan again.',
  conflict: () => 'Somebody else may be changing it at this moment: plan again.',
  'too-large': () =>
    'The catalog, or a proxy in front of it, limits the size of a request: ask its operators for more.',
  'unsupported-media-type': () =>
    'The catalog takes a JSON Patch under neither of its media types: ask its operators, or those of a gateway in front of it.',
  'rate-limited': () => 'Try again later, or ask for less at once with --concurrency.',
  'bad-request': (operation) =>
    operation === 'patch'
      ? 'If the catalog names a value, correct it in the file; otherwise see with contract-sync doctor which release it is.'
      : 'Check the catalog URL, and see with contract-sync doctor which release it is.',
  timeout: () => laterOrAsk,
  'server-error': () => laterOrAsk,
};

function requestIdOf(headers: Headers): { requestId?: string } {
  for (const name of ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid']) {
    const requestId = headers.get(name);
    if (requestId !== null) return { requestId };
  }
  return {};
}
