import { DeadlineError, LargeBodyError } from './body.ts';

type Kind =
  | 'timeout'
  | 'too-large'
  /** A redirect that is not followed. */
  | 'redirected'
  | 'unknown-host'
  /** `fetch` leaves some ports alone, 25 for one: https://fetch.spec.whatwg.org/#port-blocking. */
  | 'forbidden-port'
  | 'refused-by-proxy'
  /** The URL holds a user name or a password, which `fetch` refuses and node:http would send. */
  | 'credentials'
  | 'no-tls'
  /** A certificate that nobody trusts. */
  | 'untrusted'
  /** No connection was made, so nothing was sent. */
  | 'unreachable'
  | 'connection-lost';

/** Why no whole answer came; what that means for a request, its sender says in words of its own. */
export type NetworkFault = {
  readonly kind: Kind;
  /** Of the system, of OpenSSL or of undici (the global `fetch`); empty where there is none. */
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

function kindOf(error: unknown, { code, message, syscall }: Origin): Kind {
  if (error instanceof DeadlineError) return 'timeout';
  if (error instanceof LargeBodyError) return 'too-large';
  if (message === 'bad port') return 'forbidden-port';
  const [kind] = kindsByCode.find(([, codes]) => codes.test(code)) ?? [];
  if (kind) return kind;
  if (message.startsWith('Proxy response')) return 'refused-by-proxy';
  const isUnsent = syscall === 'connect' || message.startsWith(beforeTls);
  return isUnsent ? 'unreachable' : 'connection-lost';
}

/** Of Node's tls, with the code ECONNRESET and without a syscall. */
const beforeTls = 'Client network socket disconnected before secure TLS connection';

const kindsByCode: readonly (readonly [Kind, RegExp])[] = [
  ['unknown-host', /^ENOTFOUND$/u],
  ['no-tls', /^(?:ERR_SSL_|EPROTO$)/u],
  // Of OpenSSL's verification, and of Node's.
  ['untrusted', /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/u],
  ['unreachable', /^(?:ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/u],
];

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
