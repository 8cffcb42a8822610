/** Whether nobody on a network can read what is sent there: by https, or within this machine. */
export function isProtected({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    // WHATWG URL writes every IPv4 address, `127.1` too, as four decimal numbers.
    /^127(?:\.\d+){3}$/u.test(hostname)
  );
}

/** Query parameters that say what was asked and cannot be secret. */
const plainParameters = new Set(['fields', 'limit', 'include', 'status', 'entity', 'index']);

/** A URL fit for messages: without credentials, and with only such values as cannot be secret. */
export function displayUrl(url: URL): string {
  const parameters = [...url.searchParams].map(
    ([name, value]) => `${name}=${plainParameters.has(name) ? value : '…'}`,
  );
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `${url.origin}${url.pathname}${query}`;
}
