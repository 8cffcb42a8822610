import { isProtected } from './address.ts';
import type { NetworkFault } from './fault.ts';

/** Where a redirect leads, or why it is not followed. */
type Redirect = { readonly to: URL } | { readonly fault: NetworkFault };

/** RFC 9110 §15.4. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * A read is followed anywhere but into the open; a change only within its origin, and only where
 * the answer says that nothing was done there: 303 points at the result of something done.
 */
export function followRedirect(
  { method }: { readonly method: string },
  at: URL,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): Redirect {
  const location = headers.get('location');
  const to = location === null ? null : URL.parse(location, at.href);
  if (to === null) return redirected(status, 'to nowhere: it names no location');
  if (to.protocol !== 'https:' && to.protocol !== 'http:') {
    return redirected(status, `to ${to.protocol}, which is not the web`);
  }
  if (!isProtected(to) && isProtected(at)) {
    return redirected(status, `to ${to.origin}, where the traffic would be unencrypted`);
  }
  if (method !== 'GET' && (to.origin !== at.origin || status === 303)) {
    return redirected(status, `a change to ${to.origin}, which is not followed`);
  }
  return { to };
}

/** `whither` goes on with "redirects". */
export function redirected(status: number, whither: string): { readonly fault: NetworkFault } {
  return { fault: { kind: 'redirected', code: '', message: whither, status } };
}
