import type { Answer } from './body.ts';
import { isProtected } from './address.ts';
import type { Fault } from './fault.ts';

/** Where a redirect leads, or why it is not followed. */
type Redirect = { readonly to: URL } | { readonly fault: Fault };

/** RFC 9110 §15.4. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * A read is followed anywhere but into the open; a patch only within its origin, and only where
 * the answer says that nothing was done there: 303 points at the result of something done.
 */
export function followRedirect(
  { method }: { readonly method: string },
  at: URL,
  answer: Pick<Answer, 'status' | 'headers'>,
): Redirect {
  const location = answer.headers.get('location');
  const to = location === null ? null : URL.parse(location, at.href);
  if (to === null) return refusal(answer.status, 'to nowhere: it names no location');
  if (to.protocol !== 'https:' && to.protocol !== 'http:') {
    return refusal(answer.status, `to ${to.protocol}, which is not the web`);
  }
  if (!isProtected(to) && isProtected(at)) {
    return refusal(answer.status, `to ${to.origin}, where the traffic would be unencrypted`);
  }
  if (method === 'PATCH' && (to.origin !== at.origin || answer.status === 303)) {
    return refusal(answer.status, `a change to ${to.origin}, which is not followed`);
  }
  return { to };
}

/** The token was left behind at the first origin, and was needed at the last. */
export function leftOrigin(at: URL): Fault {
  return refusal(401, `to ${at.origin}, to which the access token is not sent`).fault;
}

/** A chain of redirects that does not end. */
export const endlessRedirect: Fault = refusal(302, 'again and again').fault;

function refusal(status: number, whither: string): { readonly fault: Fault } {
  return {
    fault: {
      code: 'redirected',
      message: `The catalog redirects ${whither}.`,
      hint: 'Set the catalog URL to the address at which the catalog itself answers.',
      status,
      transient: false,
      mayHaveLanded: status === 303,
    },
  };
}
