/** By https, or within this machine: no network can read it. */
export function isProtected({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    // WHATWG URL writes every IPv4 address, `127.1` too, as four decimal numbers.
    /^127(?:\.\d+){3}$/u.test(hostname)
  );
}

/** Keeps what its checks complain of: user names and passwords, a query, a fragment. */
export function withoutSecrets(text: string): string {
  if (isPlain(text) || harmless.test(text)) return text;
  if (/@|%40/u.test(text)) return 'https://***@***';
  const [, before = '*', sign = ''] = /^([^?#]*)([?#])/u.exec(text) ?? [];
  return harmless.test(before) ? `${before}${sign}***` : '***';
}

function isPlain(text: string): boolean {
  const { protocol, search, hash } = URL.parse(text) ?? {};
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && search === '' && hash === '' && !text.includes('@') && !parameter.test(text);
}

const parameter =
  /(?:[;&/]|%(?:3[bf]|26))[^/;&=]*(?:token|secret|passw|pwd|key|jwt|auth|credential|signature)[^/;&=]*(?:=|%3d)/iu;

// A scheme, a host, a port and a path without any sign that a password may stand behind.
const harmless = /^(?:[a-z]+:\/\/)?(?:[\w.-]*|\[[\da-f:.]+\])(?::\d+(?=\/|$))?(?:\/[\w.~/-]*)?$/iu;

const plainParameters = new Set(['fields', 'limit', 'include', 'status', 'entity', 'index']);

export function displayUrl(url: URL): string {
  const parameters = [...url.searchParams].map(
    ([name, value]) => `${name}=${plainParameters.has(name) ? value : '…'}`,
  );
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `${url.origin}${url.pathname}${query}`;
}
