import { type Answer, bodyText } from '../http/body.ts';
import { serverReason } from '../http/reason.ts';
import { parseRetryAfter } from '../http/retry.ts';
import type { Fault, FaultCode, OperationName } from './request.ts';

/** What it means that the server answered with something else than success. */
export function statusFault(answer: Answer, operation: OperationName, now: number): Fault {
  const { status, headers } = answer;
  const code = codeOf(status);
  const { complaint, hint } = wordsFor(code, operation);
  const reason = serverReason(bodyText(answer));
  return {
    code,
    message: reason === undefined ? `${complaint}.` : sentence(`${complaint}: ${reason}`),
    hint,
    reason,
    status,
    requestId: requestIds.map((name) => headers.get(name) ?? undefined).find(Boolean),
    transient: transientStatuses.has(status),
    // It may come from a gateway whose server behind it went on and did the work; 429, too, where
    // the gateway lost a first answer and its own second try was one too many.
    mayHaveLanded: status >= 500 || status === 408 || status === 429,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  };
}

function sentence(words: string): string {
  return /[.!?…]$/u.test(words) ? words : `${words}.`;
}

const requestIds = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid'];

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
  contract: 'read a data contract',
  entity: 'look up users, teams and assets',
  patch: 'update data contracts',
  create: 'create data contracts',
  versions: 'read the versions of a data contract',
  release: 'return its release',
  caller: 'identify the owner of the token',
};

type Words = { readonly complaint: string; readonly hint: string | undefined };

function wordsFor(code: FaultCode, operation: OperationName): Words {
  const purpose = purposes[operation];
  switch (code) {
    case 'unauthorized':
      return {
        complaint: 'The catalog rejected the access token',
        hint: 'It may have expired or belong to another catalog. Run contract-sync doctor to see its owner and source (CONTRACT_SYNC_TOKEN, --token-file or an issuer).',
      };
    case 'forbidden':
      return {
        complaint: `The owner of the access token lacks the permission to ${purpose}`,
        hint: `Ask an administrator of the catalog to let this user ${purpose}.`,
      };
    case 'not-found':
      return wordsForNothing(operation);
    case 'rate-limited':
      return {
        complaint: 'The catalog is rate-limiting requests',
        hint: 'Try again later, or lower --concurrency.',
      };
    case 'server-error':
      return { complaint: `The catalog failed to ${purpose}`, hint: hints.timeout };
    default:
      return {
        complaint: `The catalog refused to ${purpose}`,
        hint: (code === 'bad-request' ? badRequests[operation] : undefined) ?? hints[code],
      };
  }
}

/** Where an operation that names no contract finds nothing, the address is wrong. */
function wordsForNothing(operation: OperationName): Words {
  if (['list', 'release', 'caller'].includes(operation))
    return {
      complaint: 'No data contract service at this URL',
      hint: 'Check the catalog URL: it usually ends in /api, without /v1.',
    };
  return {
    complaint: 'The catalog has no such data contract',
    hint: 'It may have been deleted since it was listed: plan again.',
  };
}

const badRequests: Readonly<Partial<Record<OperationName, string>>> = {
  list: 'If the catalog takes only smaller pages, set --page-size, such as 50. Otherwise check the catalog URL, and run contract-sync doctor to see the release of the catalog.',
  patch:
    'If the catalog names a value, correct it in the file. Otherwise run contract-sync doctor to see the release of the catalog.',
};

const hints: Readonly<Partial<Record<FaultCode, string>>> = {
  'bad-request':
    'Check the catalog URL. Run contract-sync doctor to see the release of the catalog.',
  conflict: 'Somebody else may be changing it right now: plan again.',
  timeout: 'Try again later. If it keeps failing, ask the operators of the catalog.',
  'too-large':
    'The catalog, or a proxy in front of it, limits the size of requests: ask its operators to raise the limit.',
  'unsupported-media-type':
    'The catalog accepts neither media type of a JSON Patch: ask its operators, or those of a gateway in front of it.',
};
