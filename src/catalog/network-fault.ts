import { DeadlineError } from './deadline.ts';
import type { Fault } from './fault.ts';

/** What it means that no whole answer came: `error` is what `fetch` or reading the body threw. */
export function networkFault(error: unknown, host: string): Fault {
  if (error instanceof DeadlineError) return deadlineFault(error, host);
  const { code, syscall } = systemError(error);
  if (code === 'ENOTFOUND') return unknownHost(host, error);
  if (isTlsCode(code)) return tlsFault(code, host, error);
  if (isConnectFailure(code, syscall)) return unreachable(code, host, error);
  return connectionLost(code, host, error);
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

function unreachable(code: string, host: string, cause: unknown): Fault {
  return {
    code: 'unreachable',
    message: `No connection to ${host} could be made: ${code}.`,
    hint: 'Check the catalog URL and its port, VPN, firewall and the HTTPS_PROXY and NO_PROXY variables.',
    transient: true,
    mayHaveLanded: false,
    cause,
  };
}

function tlsFault(code: string, host: string, cause: unknown): Fault {
  const speaksPlain = code === 'EPROTO' || code.startsWith('ERR_SSL_');
  return {
    code: 'untrusted-certificate',
    message: speaksPlain
      ? `${host} does not speak TLS on this port: ${code}.`
      : `The certificate of ${host} is not trusted: ${code}.`,
    hint: speaksPlain
      ? 'Check the port of the catalog URL, and that it is not plain http.'
      : 'If your organisation signs its own certificates, set NODE_EXTRA_CA_CERTS to its root certificate.',
    transient: false,
    mayHaveLanded: false,
    cause,
  };
}

function connectionLost(code: string, host: string, cause: unknown): Fault {
  return {
    code: 'connection-lost',
    message: `The connection to ${host} broke before the whole answer was here: ${code}.`,
    transient: true,
    mayHaveLanded: true,
    cause,
  };
}

/** Failures of making a connection: nothing was sent. */
function isConnectFailure(code: string, syscall: string | undefined): boolean {
  return (
    syscall === 'connect' ||
    [
      'ECONNREFUSED',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'UND_ERR_CONNECT_TIMEOUT',
    ].includes(code)
  );
}

/** Codes of OpenSSL's certificate verification, and of a handshake that never came about. */
function isTlsCode(code: string): boolean {
  return (
    /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/u.test(code) ||
    code === 'HOSTNAME_MISMATCH'
  );
}

/** `fetch` wraps what happened in a TypeError, and several tried addresses in an AggregateError. */
function systemError(error: unknown): { code: string; syscall?: string } {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, syscall } = at as NodeJS.ErrnoException;
    if (typeof code === 'string') return syscall === undefined ? { code } : { code, syscall };
    if (at.cause === undefined) return { code: at.message };
  }
  return { code: String(error) };
}
