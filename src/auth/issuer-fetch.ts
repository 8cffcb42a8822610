import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import type { Client } from './choose.ts';
import { isProtected } from '../http/address.ts';
import { IssuerError, toRefusalError } from './refusal.ts';
import type { AuthSeams } from './seams.ts';

/**
 * A `fetch` for one issuer: whole answers, and none but good ones. All else is thrown as an
 * IssuerError, so that what openid-client makes of answers is not needed.
 */
export function createIssuerFetch(client: Client, seams: AuthSeams): CustomFetch {
  return async (address, options) => {
    const url = new URL(address);
    refuseInsecure(url, client);
    const { status, headers, text } = await fetchWhole(url, toInit(options), client, seams);
    if (status < 200 || status >= 300) {
      const skewMs = skewOf(headers, seams.now());
      // What is sent holds secrets, and some servers quote it.
      const told = seams.redactor.redact(text);
      throw toRefusalError({ url, status, headers, text: told, skewMs }, client);
    }
    return new Response(text === '' ? null : text, { status, headers });
  };
}

/** openid-client names members that it leaves undefined. */
function toInit({ method, headers, body, redirect, signal }: CustomFetchOptions): RequestInit {
  return {
    method,
    headers,
    redirect,
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  };
}

/** The discovery document names the other addresses: they too must be safe for secrets. */
function refuseInsecure(url: URL, { issuer }: Client): void {
  if (isProtected(url)) return;
  throw new IssuerError(
    'insecure-endpoint',
    `The issuer ${issuer} wants secrets to be sent unencrypted to ${url.host}.`,
    { hint: 'Its discovery document must name https addresses.' },
  );
}

type Whole = { readonly status: number; readonly headers: Headers; readonly text: string };

async function fetchWhole(
  url: URL,
  init: RequestInit,
  client: Client,
  { fetch, timeoutMs }: AuthSeams,
): Promise<Whole> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw isTimeout(error) ? tooSlow(client, timeoutMs) : unreachable(client, url, error);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function tooSlow({ issuer }: Client, timeoutMs: number): IssuerError {
  const message = `The issuer ${issuer} did not answer within ${timeoutMs / 1000} seconds.`;
  return new IssuerError('issuer-timeout', message, {
    hint: 'Allow more with --timeout.',
    transient: true,
  });
}

function unreachable({ issuer }: Client, { host }: URL, cause: unknown): IssuerError {
  const origin = deepest(cause);
  const isUnknown = origin.code === 'ENOTFOUND';
  return new IssuerError(
    'issuer-unreachable',
    isUnknown
      ? `There is no host named ${host}, where the issuer ${issuer} should be.`
      : `No connection to the issuer ${issuer} could be made: ${origin.message}.`,
    {
      hint: 'Check the issuer, VPN, firewall and HTTPS_PROXY.',
      transient:
        !isUnknown &&
        !/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/u.test(origin.code),
      cause,
    },
  );
}

/** `fetch` wraps what happened; an AggregateError of many addresses has a code and no message. */
function deepest(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  if (error.cause !== undefined) return deepest(error.cause);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return { code, message: message || code };
}

/** By the `Date` of an answer (RFC 9110 §6.6.1), which has whole seconds. */
function skewOf(headers: Headers, now: number): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date - now;
}
