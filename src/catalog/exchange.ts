import { parseBearerToken } from '../auth/bearer.ts';
import type { CatalogConnection, Transport } from './connection.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import type { Attempt } from './fault.ts';
import { networkFault } from './network-fault.ts';
import { endlessRedirect, followRedirect, isRedirect, leftOrigin } from './redirect.ts';
import type { Answer, CatalogRequest } from './request.ts';
import { statusFault } from './status-fault.ts';

/** What one attempt needs. */
export type Wire = Pick<CatalogConnection, 'token' | 'timeoutMs' | 'version'> & {
  readonly transport: Transport;
};

/** Sends a request once, redirects included, and reads the whole answer. */
export async function exchange(wire: Wire, request: CatalogRequest): Promise<Attempt<Answer>> {
  const token = parseBearerToken(await wire.token());
  const first = await exchangeWith(wire, request, token);
  if (!('fault' in first) || first.fault.status !== 401) return first;
  // 401 says that nothing was done, so even a change may be sent again with a better token.
  const renewed = parseBearerToken(await wire.token(token));
  return renewed === token ? first : exchangeWith(wire, request, renewed);
}

async function exchangeWith(
  wire: Wire,
  request: CatalogRequest,
  token: string,
): Promise<Attempt<Answer>> {
  const deadline = startDeadline(wire.timeoutMs, request.signal);
  try {
    return await follow(wire, request, token, deadline);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return { fault: networkFault(error, request.url.host) };
  } finally {
    deadline.end();
  }
}

/** As browsers have it; a catalog needs one, from http to https or to another path. */
const maxRedirects = 5;

async function follow(
  wire: Wire,
  request: CatalogRequest,
  token: string,
  deadline: Deadline,
): Promise<Attempt<Answer>> {
  let at = request.url;
  for (let hops = 0; ; hops += 1) {
    const sendsToken = at.origin === request.url.origin;
    deadline.begin('headers');
    const response = await wire.transport.fetch(at, {
      method: request.method,
      headers: headersFor(wire, request, sendsToken ? token : undefined),
      ...(request.body && { body: request.body.text }),
      redirect: 'manual',
      signal: deadline.signal,
    });
    if (!isRedirect(response.status)) {
      if (response.status === 401 && !sendsToken) return { fault: leftOrigin(at) };
      deadline.begin('body');
      return settle(wire, request, await readAnswer(response, token));
    }
    await response.body?.cancel();
    if (hops === maxRedirects) return { fault: endlessRedirect(response.status) };
    const redirect = followRedirect(request, at, response);
    if ('fault' in redirect) return redirect;
    at = redirect.to;
  }
}

/** A server that quotes the request in its errors must not make us print the token. */
async function readAnswer(response: Response, token: string): Promise<Answer> {
  const { status, headers, ok } = response;
  const text = await response.text();
  return { status, headers, text: ok ? text : text.replaceAll(token, '***') };
}

function settle(wire: Wire, request: CatalogRequest, answer: Answer): Attempt<Answer> {
  return answer.status >= 200 && answer.status < 300
    ? { value: answer }
    : { fault: statusFault(answer, request.operation, wire.transport.now()) };
}

function headersFor(wire: Wire, { body }: CatalogRequest, token: string | undefined): Headers {
  return new Headers({
    accept: 'application/json',
    'user-agent': `contract-sync/${wire.version}`,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': body.type }),
  });
}
