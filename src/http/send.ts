import type { Effects, Fetched } from '../core/effects.ts';
import { isProtected } from './address.ts';
import { type Answer, type Deadline, leaveAnswer, readAnswer, startDeadline } from './body.ts';
import { type NetworkFault, toNetworkFault } from './fault.ts';

/** A request as data. */
export type HttpRequest = {
  readonly method: string;
  readonly url: URL;
  /** By names in lower case. `authorization` is for the origin of `url` alone. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
  /** `manual`: a redirect is an answer like any other. `refuse`: it is a fault. */
  readonly redirect?: 'follow' | 'manual' | 'refuse';
  /** Gives the request up: its answer is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
};

/** A whole answer of whatever status, or why there is none. */
type Reply = { readonly answer: Answer } | { readonly fault: NetworkFault };

/** What sending needs; the server has so long to begin an answer, and again to finish it. */
type Wire = Pick<Effects, 'fetch'> & { readonly timeoutMs: number };

/** Sends a request once, redirects included. Throws only where the request is given up. */
export async function sendRequest(request: HttpRequest, wire: Wire): Promise<Reply> {
  if (holdsCredentials(request.url)) return withCredentials;
  const deadline = startDeadline(wire.timeoutMs, request.signal);
  try {
    return await follow(request, wire, deadline);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return { fault: toNetworkFault(error) };
  } finally {
    deadline.end();
  }
}

function holdsCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

const withCredentials: Reply = {
  fault: { kind: 'credentials', code: '', message: 'its address holds a user name or a password' },
};

/** A server needs one or two: from http to https, to another path. */
const maxRedirects = 5;

/** The answer at the end of the redirects. */
async function follow(request: HttpRequest, { fetch }: Wire, deadline: Deadline): Promise<Reply> {
  const { method, url, headers, body = null, redirect: policy } = request;
  const { authorization, ...others } = headers;
  let at = url;
  let isHome = true;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    deadline.begin('headers');
    const response = await fetch(at, {
      method,
      headers: isHome ? headers : others,
      body,
      redirect: 'manual',
      signal: deadline.signal,
    });
    deadline.begin('body');
    if (policy === 'manual' || !isRedirect(response.status)) {
      const answer = await readAnswer(response);
      const missesToken = answer.status === 401 && !isHome && authorization !== undefined;
      return missesToken
        ? redirected(401, `to ${at.origin}, which doesn't get the access token`)
        : { answer };
    }
    await leaveAnswer(response);
    const redirect = followRedirect(request, at, response);
    if ('fault' in redirect) return redirect;
    // A token left behind stays behind, even if the way leads back: another origin chose that way.
    isHome &&= redirect.to.origin === at.origin;
    at = redirect.to;
  }
  return redirected(302, 'too many times');
}

/** Where a redirect leads, or why it is not followed. */
type Redirect = { readonly to: URL } | { readonly fault: NetworkFault };

/** RFC 9110 §15.4. */
function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * A read is followed anywhere but into the open; a change only within its origin, and only where
 * the answer says that nothing was done there: 303 points at the result of something done.
 */
function followRedirect(
  { method, redirect }: Pick<HttpRequest, 'method' | 'redirect'>,
  at: URL,
  { status, headers }: Pick<Fetched, 'status' | 'headers'>,
): Redirect {
  const location = headers.get('location');
  const to = location === null ? null : URL.parse(location, at.href);
  if (to === null) return redirected(status, 'without a location');
  if (to.protocol !== 'https:' && to.protocol !== 'http:') {
    return redirected(status, `to ${to.protocol}, which is neither http nor https`);
  }
  if (holdsCredentials(to)) {
    return redirected(status, `to ${to.origin} with a user name or a password in the address`);
  }
  if (!isProtected(to) && isProtected(at)) {
    return redirected(status, `to ${to.origin}, which is unencrypted`);
  }
  const isUnsafe = method !== 'GET' && (to.origin !== at.origin || status === 303);
  if (isUnsafe || redirect === 'refuse') {
    return redirected(status, `a change to ${to.origin}, which is not followed`);
  }
  return { to };
}

/** `whither` goes on with "redirects". */
function redirected(status: number, whither: string): { readonly fault: NetworkFault } {
  return { fault: { kind: 'redirected', code: '', message: whither, status } };
}
