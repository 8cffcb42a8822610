import { largestBody } from '../http/body.ts';
import type { NetworkFault } from '../http/fault.ts';
import type { Fault } from './request.ts';

/** What it means to those who ask a catalog that no whole answer came. */
export function networkFault(fault: NetworkFault, host: string): Fault {
  const { kind, code, message, status, cause } = fault;
  const { sentence, ...meaning } = certificates[code] ?? meanings[kind];
  const mayHaveLanded = meaning.mayHaveLanded || status === 303;
  return { ...meaning, message: `${sentence(host, message, code)}.`, status, mayHaveLanded, cause };
}

type Meaning = Omit<Fault, 'message'> & {
  /** Without its end. */
  readonly sentence: (host: string, message: string, code: string) => string;
};

/** Where no connection was made, nothing was sent. */
const unsent = { code: 'unreachable', transient: false, mayHaveLanded: false } as const;

const untrusted = { ...unsent, code: 'untrusted-certificate' } as const;

const meanings: Readonly<Record<NetworkFault['kind'], Meaning>> = {
  timeout: {
    code: 'timeout',
    transient: true,
    mayHaveLanded: true,
    sentence: (host, message) => `${host} ${message}`,
    hint: 'Increase --timeout, or lower --page-size.',
  },
  'too-large': {
    code: 'unexpected-answer',
    transient: false,
    mayHaveLanded: true,
    sentence: () => `The answer is larger than ${largestBody / 2 ** 20} MB`,
    hint: 'Lower --page-size.',
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
  'forbidden-port': {
    ...unsent,
    sentence: (host) =>
      `Can't connect to ${host}: its port is reserved for a protocol other than HTTP`,
    hint: 'Check the port of the catalog URL.',
  },
  credentials: {
    ...unsent,
    sentence: (host, message) => `Can't send to ${host}: ${message}`,
    hint: 'Remove the user name and the password from the catalog URL.',
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
    hint: 'If your organisation signs its own certificates, set NODE_EXTRA_CA_CERTS to its root certificate.',
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
    hint: 'Try again later. If it keeps failing, look for a proxy or load balancer that cuts connections, or lower --page-size.',
  },
};

const badTime: Meaning = {
  ...untrusted,
  sentence: (host, _, code) => `The certificate of ${host} is not valid at this time: ${code}`,
  hint: "Check this machine's clock. If it is right, ask the operators of the catalog to renew the certificate.",
};

/** By OpenSSL's code, where more can be said than that a certificate is not trusted. */
const certificates: Readonly<Record<string, Meaning>> = {
  CERT_HAS_EXPIRED: badTime,
  CERT_NOT_YET_VALID: badTime,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...untrusted,
    sentence: (host, _, code) => `The certificate of ${host} is for another host: ${code}`,
    hint: 'Check the host of the catalog URL: the certificate must name it.',
  },
};
