import { largestBody } from '../http/body.ts';
import type { NetworkFault } from '../http/fault.ts';
import type { Fault } from './fault.ts';

/** What it means to those who ask a catalog that no whole answer came. */
export function networkFault(fault: NetworkFault, host: string): Fault {
  const { kind, status, cause } = fault;
  return {
    ...meanings[kind],
    ...wordsFor(fault, host),
    ...(status !== undefined && { status, mayHaveLanded: status === 303 }),
    cause,
  };
}

/** Where no connection was made, nothing can have landed. */
const meanings = {
  timeout: { code: 'timeout', transient: true, mayHaveLanded: true },
  'too-large': { code: 'unexpected-answer', transient: false, mayHaveLanded: true },
  redirected: { code: 'redirected', transient: false, mayHaveLanded: false },
  'unknown-host': { code: 'unreachable', transient: false, mayHaveLanded: false },
  'forbidden-port': { code: 'unreachable', transient: false, mayHaveLanded: false },
  'refused-by-proxy': { code: 'unreachable', transient: false, mayHaveLanded: false },
  untrusted: { code: 'untrusted-certificate', transient: false, mayHaveLanded: false },
  unreachable: { code: 'unreachable', transient: true, mayHaveLanded: false },
  'connection-lost': { code: 'connection-lost', transient: true, mayHaveLanded: true },
} as const satisfies Record<
  NetworkFault['kind'],
  Pick<Fault, 'code' | 'transient' | 'mayHaveLanded'>
>;

type Words = Pick<Fault, 'message' | 'hint'>;

function wordsFor({ kind, code, message }: NetworkFault, host: string): Words {
  switch (kind) {
    case 'timeout':
      return {
        message: `${host} ${message}.`,
        hint: 'Allow more with --timeout, or ask for less at a time with --page-size.',
      };
    case 'too-large':
      return {
        message: `The answer is larger than ${largestBody / 2 ** 20} MB.`,
        hint: 'Ask for less at a time with --page-size.',
      };
    case 'redirected':
      return {
        message: `The catalog redirects ${message}.`,
        hint: 'Set the catalog URL to the address at which the catalog itself answers.',
      };
    case 'unknown-host':
      return {
        message: `There is no host named ${host}.`,
        hint: 'Check the catalog URL, and that this machine can resolve names of that network.',
      };
    case 'forbidden-port':
      return {
        message: `${host} is not asked: its port belongs to another protocol than HTTP.`,
        hint: 'Check the port of the catalog URL.',
      };
    case 'refused-by-proxy':
      return {
        message: `The proxy refuses to connect to the catalog: ${message}.`,
        hint: 'Check HTTPS_PROXY, with the user name and password that the proxy may want, and NO_PROXY.',
      };
    case 'untrusted': {
      const words = wordsForTls(code, host);
      return { ...words, message: `${words.message}: ${code}.` };
    }
    case 'unreachable':
      return {
        message: `No connection to ${host} could be made: ${message}.`,
        hint: 'Check the port of the catalog URL, VPN, firewall, and HTTPS_PROXY and NO_PROXY, which Node heeds from 24.14 on.',
      };
    case 'connection-lost':
      return {
        message: `The connection to ${host} broke before the whole answer was here: ${message}.`,
        hint: 'Try again later; if it stays so, look for a proxy or load balancer on the way that cuts connections, or ask for less at a time with --page-size.',
      };
  }
}

function wordsForTls(code: string, host: string): Words {
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
