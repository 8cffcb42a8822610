import type { CustomFetch } from 'openid-client';
import { isProtected } from '../http/address.ts';
import { type NetworkFault, sendRequest } from '../http/send.ts';
import type { Client } from './choose.ts';
import type { AuthEffects } from './effects.ts';
import { IssuerError, toIssuerError } from './issuer-error.ts';

/**
 * A `fetch` for one issuer: whole answers, and none but good ones. All else is thrown as an
 * IssuerError, so that what openid-client makes of answers is not needed, nor its time limit.
 */
export function createIssuerFetch(client: Client, effects: AuthEffects): CustomFetch {
  return async (address, { method, headers: sent, body = null }) => {
    const url = new URL(address);
    if (!isProtected(url)) throw insecure(url, client);
    const form = body instanceof URLSearchParams ? body : new URLSearchParams();
    const request = { method, url, headers: sent, body: form.toString() || null } as const;
    const reply = await sendRequest({ ...request, redirect: 'manual' }, effects);
    if ('fault' in reply) throw unanswered(reply.fault, url, client, effects.timeoutMs);
    const { status, headers, text } = reply.answer;
    if (status >= 200 && status < 300)
      return new Response(text || null, { status, headers: [...headers] });
    // What is sent holds secrets, and some servers quote it.
    const shown = effects.redactor.redact(text);
    throw toIssuerError({ url, status, headers, text: shown, form }, client, effects.now());
  };
}

/** The discovery document names the other addresses: they too must be safe for secrets. */
function insecure({ host }: URL, { issuer }: Client): IssuerError {
  return new IssuerError(
    'insecure-endpoint',
    `The issuer ${issuer} asks for secrets to be sent unencrypted to ${host}.`,
    { hint: 'Its discovery document must use https URLs.' },
  );
}

function unanswered(
  { kind, message, cause }: NetworkFault,
  { host }: URL,
  { issuer }: Client,
  timeoutMs: number,
): IssuerError {
  if (kind === 'timeout') {
    const late = `The issuer ${issuer} did not answer within ${timeoutMs / 1000} seconds.`;
    const hint = 'Increase --timeout.';
    return new IssuerError('issuer-timeout', late, { hint, transient: true });
  }
  return new IssuerError(
    'issuer-unreachable',
    kind === 'unknown-host'
      ? `Can't find the host ${host} of the issuer ${issuer}.`
      : `Can't connect to the issuer ${issuer}: ${message}.`,
    {
      hint: 'Check the issuer, your VPN, the firewall and HTTPS_PROXY.',
      transient: !['unknown-host', 'no-tls', 'untrusted', 'credentials'].includes(kind),
      cause,
    },
  );
}
