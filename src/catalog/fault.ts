import { SyncError } from '../core/diagnostic.ts';
import { displayUrl } from '../http/address.ts';
import {
  type Answer,
  largestBody,
  type NetworkFault,
  parseRetryAfter,
  serverReason,
} from '../http/send.ts';
import type { CatalogRequest, OperationName } from './catalog.ts';

/** Stable names of what can go wrong with a request to a catalog. */
export type FaultCode =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'contract-gone'
  | 'conflict'
  | 'held'
  | 'too-large'
  | 'unsupported-media-type'
  | 'rate-limited'
  | 'server-error'
  | 'redirected'
  | 'unreachable'
  | 'untrusted-certificate'
  | 'timeout'
  | 'connection-lost'
  | 'unexpected-answer'
  | 'nesting-too-deep'
  | 'incomplete-read'
  | 'interrupted';

export type Fault = {
  readonly code: FaultCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly transient: boolean;
  /** The server may have carried out the request, although no answer says so. */
  readonly mayHaveLanded: boolean;
  readonly denied?: 'token' | 'permission' | undefined;
  readonly isSecondTry?: boolean;
  readonly isPaused?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

export type Attempt<T> = { readonly value: T } | { readonly fault: Fault };

export class ApiError extends SyncError {
  override readonly name = 'ApiError';
  declare readonly code: FaultCode;
  readonly method: CatalogRequest['method'];
  /** Without credentials and query secrets. */
  readonly url: string;
  readonly attempts: number;
  readonly status: number | undefined;
  /** The server's own words, if any. */
  readonly reason: string | undefined;
  /** The server's id of the request, for its operators. */
  readonly requestId: string | undefined;
  /** The same request may succeed a little later. */
  readonly transient: boolean;
  /** What the server finds lacking: it refuses the token, or lets its owner do less. */
  readonly denied: Fault['denied'];
  /** `Retry-After` in milliseconds (RFC 9110 §10.2.3). */
  readonly retryAfterMs: number | undefined;
  /** A rate limit refused an earlier sending, which may have landed all the same. */
  readonly isSecondTry: boolean;
  /** A long pause began before it was sent. */
  readonly isPaused: boolean;
  /** `unknown`: a change may have landed although no answer says so. Read before sending again. */
  readonly outcome: 'none' | 'unknown';

  constructor(request: CatalogRequest, fault: Fault, attempts: number) {
    const url = displayUrl(request.url);
    const circumstances = [
      `${request.method} ${url}`,
      fault.status !== undefined && `status ${fault.status}`,
      fault.requestId !== undefined && `request id ${fault.requestId}`,
      attempts > 1 && `${attempts} attempts`,
    ].filter((fact) => fact !== false);
    super(fault.code, `${fault.message} (${circumstances.join(', ')})`, fault);
    this.method = request.method;
    this.url = url;
    this.attempts = attempts;
    this.status = fault.status;
    this.reason = fault.reason;
    this.requestId = fault.requestId;
    this.transient = fault.transient;
    this.denied = fault.denied;
    this.retryAfterMs = fault.retryAfterMs;
    this.isSecondTry = fault.isSecondTry ?? false;
    this.isPaused = fault.isPaused ?? false;
    this.outcome = request.method !== 'GET' && fault.mayHaveLanded ? 'unknown' : 'none';
  }
}

// A time-out, a rate limit, or a gateway without the server behind it.
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Whether the catalog itself has answered, and would answer the same again. */
export function isFinalAnswer({ status, code }: ApiError): boolean {
  return status !== undefined && code !== 'redirected' && !passing.has(status);
}

export function statusFault(answer: Answer, operation: OperationName, now: number): Fault {
  const { status, headers } = answer;
  const code = codeOf(status, operation);
  const [complaint, hint] = wordsFor(code, operation, status);
  const reason = serverReason(answer.text);
  const words = reason === undefined ? complaint : `${complaint}: ${reason}`;
  return {
    code,
    message: /[.!?…]$/u.test(words) ? words : `${words}.`,
    hint,
    reason,
    status,
    denied: status === 401 ? 'token' : status === 403 ? 'permission' : undefined,
    requestId: requestIds.map((name) => headers.get(name) ?? undefined).find(Boolean),
    transient: status === 500 || passing.has(status),
    // A gateway may answer while the server behind it goes on; 429, too, where the gateway lost a
    // first answer and its own second try was refused.
    mayHaveLanded: status >= 500 || status === 408 || status === 429,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  };
}

const requestIds = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid'];

const codes: Readonly<Record<number, FaultCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  408: 'timeout',
  409: 'conflict',
  412: 'conflict',
  413: 'too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
};

function codeOf(status: number, operation: OperationName): FaultCode {
  if (status < 400) return 'unexpected-answer';
  if (status === 404) return ofService.has(operation) ? 'bad-request' : 'contract-gone';
  return codes[status] ?? (status >= 500 ? 'server-error' : 'bad-request');
}

const ofService: ReadonlySet<OperationName> = new Set(['list', 'release', 'caller']);

/** No other fault has this status. */
export const heldFault: Fault = {
  code: 'held',
  message: 'The catalog holds the change until somebody approves it.',
  hint: 'Have it approved in the catalog, or withdrawn there; then plan again.',
  status: 202,
  transient: false,
  mayHaveLanded: true,
};

const purposes: Readonly<Record<OperationName, string>> = {
  list: 'list data contracts',
  contract: 'read a data contract',
  entity: 'look up users, teams and assets',
  lineage: 'read lineage',
  patch: 'update data contracts',
  create: 'create data contracts',
  versions: 'read the versions of a data contract',
  release: 'return its release',
  caller: 'identify the owner of the token',
};

// A complaint without a full stop, and a hint.
function wordsFor(
  code: FaultCode,
  operation: OperationName,
  status: number,
): readonly [string, string | undefined] {
  const purpose = purposes[operation];
  if (status === 404 && code === 'bad-request')
    return [
      'No data contract service at this URL',
      'Check the catalog URL: it usually ends in /api, without /v1.',
    ];
  switch (code) {
    case 'unauthorized':
      return [
        'The catalog rejected the access token',
        'It may have expired or belong to another catalog: renew it. `contract-sync doctor` shows its owner and where it comes from.',
      ];
    case 'forbidden':
      return [
        `The owner of the access token lacks the permission to ${purpose}`,
        `Ask an administrator of the catalog to let this user ${purpose}.`,
      ];
    case 'contract-gone':
      return [
        'The catalog has no such data contract',
        'It may have been deleted since it was listed: plan again.',
      ];
    case 'rate-limited':
      return ['The catalog is rate-limiting requests', 'Try again later, or lower `concurrency`.'];
    case 'server-error':
      return [`The catalog failed to ${purpose}`, hints.timeout];
    default:
      return [
        `The catalog refused ${operation === 'patch' ? 'this change' : `to ${purpose}`}`,
        (code === 'bad-request' ? badRequests[operation] : undefined) ?? hints[code],
      ];
  }
}

const badRequests: Readonly<Partial<Record<OperationName, string>>> = {
  list: 'If the catalog takes only smaller pages, lower `page-size`, to 50 for example. Otherwise check the catalog URL, and run contract-sync doctor to see the release of the catalog.',
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

export function networkFault(fault: NetworkFault, url: URL): Fault {
  const { kind, code, message, status, host = url.host, cause } = fault;
  const { sentence, ...meaning } = meanings[kind];
  const mayHaveLanded = meaning.mayHaveLanded || status === 303;
  const hint = certificateHints[code] ?? meaning.hint;
  const words = `${sentence(host, message, code)}.`;
  return { ...meaning, hint, message: words, status, mayHaveLanded, cause };
}

type Meaning = {
  readonly code: FaultCode;
  readonly transient: boolean;
  readonly mayHaveLanded: boolean;
  readonly hint: string;
  readonly sentence: (host: string, message: string, code: string) => string;
};

const unsent = { code: 'unreachable', transient: false, mayHaveLanded: false } as const;
const untrusted = { ...unsent, code: 'untrusted-certificate' } as const;

const meanings: Readonly<Record<NetworkFault['kind'], Meaning>> = {
  timeout: {
    code: 'timeout',
    transient: true,
    mayHaveLanded: true,
    sentence: (host, message) => `${host} ${message}`,
    hint: 'Increase `timeoutSeconds`, or lower `page-size`.',
  },
  'too-large': {
    code: 'unexpected-answer',
    transient: false,
    mayHaveLanded: true,
    sentence: () => `The answer is larger than ${largestBody / 2 ** 20} MB`,
    hint: 'Lower `page-size`.',
  },
  redirected: {
    code: 'redirected',
    transient: false,
    mayHaveLanded: false,
    sentence: (_, message) => `The catalog redirects ${message}`,
    hint: 'Set the catalog URL to where the catalog itself answers.',
  },
  'unknown-host': {
    ...unsent,
    sentence: (host) => `Can't find the host ${host}`,
    hint: 'Check the catalog URL, and that this machine can resolve the name.',
  },
  'refused-by-proxy': {
    ...unsent,
    sentence: (_, message) => `The proxy refuses to connect to the catalog: ${message}`,
    hint: 'Check HTTPS_PROXY, with a user name and password if the proxy needs them, and NO_PROXY.',
  },
  'no-tls': {
    ...untrusted,
    sentence: (host, _, code) => `${host} doesn't speak TLS on this port: ${code}`,
    hint: 'Check the port of the catalog URL, and whether it speaks plain http.',
  },
  untrusted: {
    ...untrusted,
    sentence: (host, _, code) => `The certificate of ${host} is not trusted: ${code}`,
    hint: "Check this machine's clock. If your organisation signs its own certificates, set NODE_EXTRA_CA_CERTS to its root certificate.",
  },
  unreachable: {
    ...unsent,
    transient: true,
    sentence: (host, message) => `Can't connect to ${host}: ${message}`,
    hint: 'Check the port of the catalog URL, your VPN, the firewall, HTTPS_PROXY and NO_PROXY (Node uses proxies from 24.14 on).',
  },
  'connection-lost': {
    code: 'connection-lost',
    transient: true,
    mayHaveLanded: true,
    sentence: (host, message) =>
      `Lost the connection to ${host} before the answer was complete: ${message}`,
    hint: 'Try again later. If it keeps failing, look for a proxy or load balancer that cuts connections, or lower `page-size`.',
  },
};

const certificateHints: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'Check the host of the catalog URL: the certificate names another.',
};
