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

export function withoutSecrets(text: string): string {
  if (isPlain(text)) return text;
  const whole = text.replaceAll(escapedSign, decodeURIComponent);
  const [scheme = ''] = /^\s*[a-z][a-z\d+.-]*:[\\/]{2}/iu.exec(whole) ?? [];
  const masked = `${scheme}${maskRest(whole.slice(scheme.length))}`;
  return isPlain(masked) ? '***' : masked;
}

function maskRest(rest: string): string {
  const at = rest.lastIndexOf('@');
  const inFront = rest.slice(0, Math.max(0, at));
  // An `@` behind such a sign may belong to a query, and the sign to a password.
  if (/[?#]/u.test(inFront)) return '***@***';
  const behind = rest.slice(at + 1);
  const sign = behind.search(secretSign);
  return `${at < 0 ? '' : '***@'}${sign < 0 ? behind : `${behind.slice(0, sign + 1)}***`}`;
}

function isPlain(text: string): boolean {
  const { protocol, search, hash } = URL.parse(text) ?? {};
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && search === '' && hash === '' && !text.includes('@') && !parameter.test(text);
}

const parameter =
  /(?:[;&/]|%(?:3[bf]|26))[^/;&=]*(?:token|secret|passw|pwd|key|jwt|auth|credential|signature)[^/;&=]*(?:=|%3d)/iu;

const escapedSign = /%(?:40|3[abdf]|23|26)/giu;

// A colon that belongs neither to a port nor to IPv6 may begin a password.
const secretSign = /[?#&;=\s]|:(?!\d+(?:[\\/]|$))(?![\da-f:.]*\])/iu;

const plainParameters = new Set(['fields', 'limit', 'include', 'status', 'entity', 'index']);

export function displayUrl(url: URL): string {
  const parameters = [...url.searchParams].map(
    ([name, value]) => `${name}=${plainParameters.has(name) ? value : '…'}`,
  );
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `${url.origin}${url.pathname}${query}`;
}
