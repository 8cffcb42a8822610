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
