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
    hint: 'Allow more with --timeout, or ask for less at a time with --page-size.',
  },
  'too-large': {
    code: 'unexpected-answer',
    transient: false,
    mayHaveLanded: true,
    sentence: () => `The answer is larger than ${largestBody / 2 ** 20} MB`,
    hint: 'Ask for less at a time with --page-size.',
  },
  redirected: {
    code: 'redirected',
    transient: false,
    mayHaveLanded: false,
    sentence: (_, message) => `The catalog redirects ${message}`,
    hint: 'Set the catalog URL to the address at which the catalog itself answers.',
  },
  'unknown-host': {
    ...unsent,
    sentence: (host) => `There is no host named ${host}`,
    hint: 'Check the catalog URL, and that this machine can resolve names of that network.',
  },
  'forbidden-port': {
    ...unsent,
    sentence: (host) => `${host} is not asked: its port belongs to another protocol than HTTP`,
    hint: 'Check the port of the catalog URL.',
  },
  'refused-by-proxy': {
    ...unsent,
    sentence: (_, message) => `The proxy refuses to connect to the catalog: ${message}`,
    hint: 'Check HTTPS_PROXY, with the user name and password that the proxy may want, and NO_PROXY.',
  },
  'no-tls': {
    ...untrusted,
    sentence: (host, _, code) => `${host} does not speak TLS on this port: ${code}`,
    hint: 'Check the port of the catalog URL, and that it is not plain http.',
  },
  untrusted: {
    ...untrusted,
    sentence: (host, _, code) => `The certificate of ${host} is not trusted: ${code}`,
    hint: 'If your organisation signs its own certificates, set NODE_EXTRA_CA_CERTS to its root certificate.',
  },
  unreachable: {
    ...unsent,
    transient: true,
    sentence: (host, message) => `No connection to ${host} could be made: ${message}`,
    hint: 'Check the port of the catalog URL, VPN, firewall, and HTTPS_PROXY and NO_PROXY, which Node heeds from 24.14 on.',
  },
  'connection-lost': {
    code: 'connection-lost',
    transient: true,
    mayHaveLanded: true,
    sentence: (host, message) =>
      `The connection to ${host} broke before the whole answer was here: ${message}`,
    hint: 'Try again later; if it stays so, look for a proxy or load balancer on the way that cuts connections, or ask for less at a time with --page-size.',
  },
};

const badTime: Meaning = {
  ...untrusted,
  sentence: (host, _, code) => `The certificate of ${host} is not valid at this time: ${code}`,
  hint: "Check this machine's clock; if it is right, ask the operators of the catalog to renew the certificate.",
};

/** By OpenSSL's code, where more can be said than that a certificate is not trusted. */
const certificates: Readonly<Record<string, Meaning>> = {
  CERT_HAS_EXPIRED: badTime,
  CERT_NOT_YET_VALID: badTime,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...untrusted,
    sentence: (host, _, code) => `The certificate of ${host} is one for another host: ${code}`,
    hint: 'Check the host of the catalog URL: the certificate has to name it.',
  },
};
