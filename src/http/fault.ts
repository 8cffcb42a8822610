import { DeadlineError, LargeBodyError } from './body.ts';

/** Why no whole answer came; what that means for a request, its sender says in words of its own. */
export type NetworkFault = {
  readonly kind:
    | 'timeout'
    | 'too-large'
    /** A redirect that is not followed. */
    | 'redirected'
    | 'unknown-host'
    /** `fetch` leaves some ports alone, 25 for one: https://fetch.spec.whatwg.org/#port-blocking. */
    | 'forbidden-port'
    | 'refused-by-proxy'
    | 'no-tls'
    /** A certificate that nobody trusts. */
    | 'untrusted'
    /** No connection was made, so nothing was sent. */
    | 'unreachable'
    | 'connection-lost';
  /** Of the system, OpenSSL or undici; empty where there is none. */
  readonly code: string;
  /** What happened at the bottom, without an end: it goes into a sentence. */
  readonly message: string;
  /** Of a redirect. */
  readonly status?: number;
  readonly cause?: unknown;
};

/** Classifies what `fetch`, or reading the body, has thrown. */
export function toNetworkFault(error: unknown): NetworkFault {
  const origin = originOf(error);
  return { kind: kindOf(error, origin), code: origin.code, message: origin.message, cause: error };
}

function kindOf(error: unknown, origin: Origin): NetworkFault['kind'] {
  if (error instanceof DeadlineError) return 'timeout';
  if (error instanceof LargeBodyError) return 'too-large';
  if (origin.code === 'ENOTFOUND') return 'unknown-host';
  if (origin.message === 'bad port') return 'forbidden-port';
  if (/^(?:ERR_SSL_|EPROTO$)/u.test(origin.code)) return 'no-tls';
  if (certificateCodes.test(origin.code)) return 'untrusted';
  if (origin.message.startsWith('Proxy response')) return 'refused-by-proxy';
  return isOfConnecting(origin) ? 'unreachable' : 'connection-lost';
}

/** Of OpenSSL's verification, and of Node's. */
const certificateCodes =
  /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/u;

function isOfConnecting({ code, syscall }: Origin): boolean {
  return syscall === 'connect' || connectCodes.has(code);
}

const connectCodes = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type Origin = { readonly code: string; readonly message: string; readonly syscall?: string };

/** `fetch` wraps what happened in a TypeError; an AggregateError of many addresses has no message. */
function originOf(error: unknown): Origin {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const { code, syscall, message, cause } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') {
    return cause === undefined ? { code: '', message } : originOf(cause);
  }
  return { code, message: message || code, ...(syscall !== undefined && { syscall }) };
}
