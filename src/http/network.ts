import { DeadlineError, LargeBodyError } from './body.ts';
import type { Fault } from './fault.ts';

/** What it means that no whole answer came: `error` is what `fetch` or reading the body threw. */
export function networkFault(error: unknown, host: string): Fault {
  if (error instanceof DeadlineError) return deadlineFault(error, host);
  if (error instanceof LargeBodyError) return largeAnswer(error);
  const origin = originOf(error);
  const { code } = origin;
  if (code === 'ENOTFOUND') return unknownHost(host, error);
  if (code === 'bad port') return forbiddenPort(host, error);
  if (isTlsCode(code)) return tlsFault(code, host, error);
  if (origin.message.startsWith('Proxy response')) return proxyRefusal(origin, error);
  if (isConnectFailure(origin)) return unreachable(origin, host, error);
  return connectionLost(origin, host, error);
}

function deadlineFault({ phase, milliseconds }: DeadlineError, host: string): Fault {
  const missed = phase === 'headers' ? 'did not answer' : 'did not finish its answer';
  return {
    code: 'timeout',
    message: `${host} ${missed} within ${milliseconds / 1000} seconds.`,
    hint: 'Allow more with --timeout, or ask for less at a time with --page-size.',
    transient: true,
    mayHaveLanded: true,
  };
}

function largeAnswer({ limit }: LargeBodyError): Fault {
  return {
    code: 'unexpected-answer',
    message: `The answer is larger than ${limit / 2 ** 20} MB.`,
    hint: 'Ask for less at a time with --page-size.',
    transient: false,
    mayHaveLanded: true,
  };
}

function unknownHost(host: string, cause: unknown): Fault {
  return {
    code: 'unreachable',
    message: `There is no host named ${host}.`,
    hint: 'Check the catalog URL, and that this machine can resolve names of that network.',
    transient: false,
    mayHaveLanded: false,
    cause,
  };
}

/** Some ports, 25 for one: https://fetch.spec.whatwg.org/#port-blocking. */
function forbiddenPort(host: string, cause: unknown): Fault {
  return {
    code: 'unreachable',
    message: `${host} is not asked: its port belongs to another protocol than HTTP.`,
    hint: 'Check the port of the catalog URL.',
    transient: false,
    mayHaveLanded: false,
    cause,
  };
}

function proxyRefusal({ message }: Origin, cause: unknown): Fault {
  return {
    code: 'unreachable',
    message: `The proxy refuses to connect to the catalog: ${message}.`,
    hint: 'Check HTTPS_PROXY, with the user name and password that the proxy may want, and NO_PROXY.',
    transient: false,
    mayHaveLanded: false,
    cause,
  };
}

function unreachable({ message }: Origin, host: string, cause: unknown): Fault {
  return {
    code: 'unreachable',
    message: `No connection to ${host} could be made: ${message}.`,
    hint: 'Check the port of the catalog URL, VPN, firewall, and HTTPS_PROXY and NO_PROXY, which Node heeds from 24.14 on.',
    transient: true,
    mayHaveLanded: false,
    cause,
  };
}

function tlsFault(code: string, host: string, cause: unknown): Fault {
  const { message, hint } = tlsSentences(code, host);
  const fault = { code: 'untrusted-certificate', transient: false, mayHaveLanded: false } as const;
  return { ...fault, message: `${message}: ${code}.`, hint, cause };
}

function tlsSentences(code: string, host: string): { message: string; hint: string } {
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return {
      message: `${host} does not speak TLS on this port`,
      hint: 'Check the port of the catalog URL, and that it is not plain http.',
    };
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        message: `The certificate of ${host} is one for another host`,
        hint: 'Check the host of the catalog URL: the certificate has to name it.',
      };
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return {
        message: `The certificate of ${host} is not valid at this time`,
        hint: "Check this machine's clock; if it is right, ask the operators of the catalog to renew the certificate.",
      };
    default:
      return {
        message: `The certificate of ${host} is not trusted`,
        hint: 'If your organisation signs its own certificates, set NODE_EXTRA_CA_CERTS to its root certificate.',
      };
  }
}

function connectionLost({ message }: Origin, host: string, cause: unknown): Fault {
  return {
    code: 'connection-lost',
    message: `The connection to ${host} broke before the whole answer was here: ${message}.`,
    hint: 'Try again later; if it stays so, look for a proxy or load balancer on the way that cuts connections, or ask for less at a time with --page-size.',
    transient: true,
    mayHaveLanded: true,
    cause,
  };
}

const connectCodes = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Failures of making a connection: nothing was sent. */
function isConnectFailure({ code, syscall }: Origin): boolean {
  return syscall === 'connect' || connectCodes.has(code);
}

/** Codes of OpenSSL's certificate verification, and of a handshake that never came about. */
function isTlsCode(code: string): boolean {
  return (
    /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/u.test(code) ||
    code === 'HOSTNAME_MISMATCH'
  );
}

/** What went wrong at the bottom. */
type Origin = { readonly code: string; readonly message: string; readonly syscall?: string };

/** `fetch` wraps what happened in a TypeError; an AggregateError of many addresses has no message. */
function originOf(error: unknown): Origin {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const { code, syscall, message, cause } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') {
    return cause === undefined ? { code: message, message } : originOf(cause);
  }
  return { code, message: message || code, ...(syscall !== undefined && { syscall }) };
}
