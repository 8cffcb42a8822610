import { parseBearerToken, parseClaims } from '../auth/token.ts';
import { createRedactor } from '../core/redact.ts';
import { quote } from '../core/text.ts';
import { displayUrl } from '../http/address.ts';
import { type Answer, bodyText } from '../http/body.ts';
import { sendRequest } from '../http/send.ts';
import type { OpenConnection } from './connection.ts';
import type { Attempt, CatalogRequest, Fault } from './request.ts';
import { networkFault } from './network-fault.ts';
import { statusFault } from './status-fault.ts';

/** Sends a request once, with a better token once more, and reads the whole answer. */
export async function attemptRequest(
  connection: OpenConnection,
  request: CatalogRequest,
): Promise<Attempt<Answer>> {
  const token = parseBearerToken(await connection.token());
  const first = await attemptWith(token, connection, request);
  if (!('fault' in first) || first.fault.code !== 'unauthorized') return first;
  // 401 says that nothing was done, so even a change may be sent again with a better token.
  const renewed = parseBearerToken(await connection.token(token));
  return renewed === token ? first : attemptWith(renewed, connection, request);
}

async function attemptWith(
  token: string,
  { effects, timeoutMs, version, log }: OpenConnection,
  { operation, method, url, body, ifMatch, signal }: CatalogRequest,
): Promise<Attempt<Answer>> {
  const started = effects.now();
  const headers = {
    accept: 'application/json',
    'user-agent': `contract-sync/${version}`,
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': body.type }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
  };
  // Followed, a patch would be sent twice: whatever redirects it may have passed it on as well.
  const redirect = method === 'GET' ? 'follow' : 'refuse';
  const sent = { method, url, headers, body: body?.text ?? null, redirect, signal } as const;
  const reply = await sendRequest(sent, { fetch: effects.fetch, timeoutMs });
  if ('fault' in reply) return { fault: networkFault(reply.fault, url.host) };
  const { answer } = reply;
  const size = answer.chunks.reduce((sum, { length }) => sum + length, 0);
  const ended = effects.now();
  log?.(
    `${method} ${displayUrl(url)}: ${answer.status}, ${(size / 1000).toFixed(1)} kB in ${ended - started} ms`,
  );
  return answer.status >= 200 && answer.status < 300
    ? { value: answer }
    : { fault: explain(statusFault(without(token, answer), operation, ended), token, url) };
}

/** A rejected token may be for somebody else: `localhost` is not `127.0.0.1`. */
function explain(fault: Fault, token: string, { origin }: URL): Fault {
  if (fault.code !== 'unauthorized') return fault;
  const { issuedBy, audience } = parseClaims(token);
  const facts = [audience && `for ${quote(audience)}`, issuedBy && `issued by ${quote(issuedBy)}`];
  const target = facts.filter(Boolean).join(', ');
  if (target === '') return fault;
  const words = `The token is ${target}; the catalog at ${origin} may expect another.`;
  return { ...fault, message: `${fault.message} ${words}` };
}

/** A server that quotes the request in its errors must not make us print the token. */
function without(token: string, answer: Answer): Answer {
  const { hide, redact } = createRedactor();
  hide(token);
  return { ...answer, chunks: [new TextEncoder().encode(redact(bodyText(answer)))] };
}
