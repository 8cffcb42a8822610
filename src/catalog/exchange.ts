import { parseBearerToken } from '../auth/token.ts';
import { createRedactor } from '../core/redact.ts';
import { displayUrl } from '../http/address.ts';
import { type Answer, type Deadline, readBody, startDeadline, textOf } from '../http/body.ts';
import type { Attempt } from '../http/fault.ts';
import { networkFault } from '../http/network.ts';
import { endlessRedirect, followRedirect, isRedirect, leftOrigin } from '../http/redirect.ts';
import type { CatalogConnection, Transport } from './connection.ts';
import type { CatalogRequest } from './request.ts';
import { statusFault } from './status-fault.ts';

/** What one attempt needs. */
export type Wire = Pick<
  CatalogConnection,
  'token' | 'timeoutMs' | 'version' | 'concurrency' | 'onRetry' | 'log'
> & { readonly transport: Transport };

/** Sends a request once, redirects included, and reads the whole answer. */
export async function exchange(wire: Wire, request: CatalogRequest): Promise<Attempt<Answer>> {
  const token = parseBearerToken(await wire.token());
  const first = await exchangeWith(wire, request, token);
  if (!('fault' in first) || first.fault.code !== 'unauthorized') return first;
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
  const started = wire.transport.now();
  try {
    const answer = await follow(wire, request, token, deadline);
    if ('fault' in answer) return answer;
    wire.log?.(answerLine(request, answer.value, wire.transport.now() - started));
    return judge(wire, request, answer.value);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return { fault: networkFault(error, request.url.host) };
  } finally {
    deadline.end();
  }
}

/** As browsers have it; a catalog needs one, from http to https or to another path. */
const maxRedirects = 5;

/** The answer at the end of the redirects. */
async function follow(
  wire: Wire,
  request: CatalogRequest,
  token: string,
  deadline: Deadline,
): Promise<Attempt<Answer>> {
  let at = request.url;
  let bearer: string | undefined = token;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    deadline.begin('headers');
    const response = await fetchOnce(wire, request, { at, bearer, signal: deadline.signal });
    deadline.begin('body');
    if (!isRedirect(response.status)) {
      const answer = await readAnswer(response, token);
      const missesToken = answer.status === 401 && bearer === undefined;
      return missesToken ? { fault: leftOrigin(at) } : { value: answer };
    }
    await response.body?.cancel();
    const redirect = followRedirect(request, at, response);
    if ('fault' in redirect) return redirect;
    // A token left behind stays behind, even if the way leads back: another origin chose that way.
    if (redirect.to.origin !== at.origin) bearer = undefined;
    at = redirect.to;
  }
  return { fault: endlessRedirect };
}

type Hop = {
  readonly at: URL;
  readonly bearer: string | undefined;
  readonly signal: AbortSignal;
};

async function fetchOnce(
  { transport, version }: Wire,
  { method, body }: CatalogRequest,
  { at, bearer, signal }: Hop,
): Promise<Response> {
  const headers = {
    accept: 'application/json',
    'user-agent': `contract-sync/${version}`,
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(body && { 'content-type': body.type }),
  };
  const payload = body && { body: body.text };
  return transport.fetch(at, { method, headers, ...payload, redirect: 'manual', signal });
}

/** A server that quotes the request in its errors must not make us print the token. */
async function readAnswer(response: Response, token: string): Promise<Answer> {
  const { status, headers, ok } = response;
  const chunks = await readBody(response);
  const type = headers.get('content-type');
  return { status, headers, type, chunks: ok ? chunks : [without(token, textOf({ chunks }))] };
}

function without(token: string, text: string): Uint8Array<ArrayBuffer> {
  const { hide, redact } = createRedactor();
  hide(token);
  return new TextEncoder().encode(redact(text));
}

function judge(wire: Wire, request: CatalogRequest, answer: Answer): Attempt<Answer> {
  return answer.status >= 200 && answer.status < 300
    ? { value: answer }
    : { fault: statusFault(answer, request.operation, wire.transport.now()) };
}

function answerLine({ method, url }: CatalogRequest, answer: Answer, milliseconds: number): string {
  const bytes = answer.chunks.reduce((sum, { length }) => sum + length, 0);
  const size = (bytes / 1000).toFixed(1);
  return `${method} ${displayUrl(url)}: ${answer.status}, ${size} kB in ${milliseconds} ms`;
}
