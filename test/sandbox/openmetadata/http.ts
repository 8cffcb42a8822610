import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { JsonValue } from '../../../src/core/json.ts';

export type Sent = {
  readonly method: string;
  /** Below the base, and sent as it is: nothing is tidied. */
  readonly path: string;
  /** Null sends none. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: JsonValue;
  readonly bodyText?: string;
  readonly bodyBase64?: string;
};

export type Answered = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Of any shape: each test knows what it looks for. */
  readonly body: ReturnType<typeof JSON.parse>;
};

const agent = new Agent({ keepAlive: true });

/** Sends one request with no headers but those that are asked for. */
export async function send(base: string, sent: Sent, token?: string): Promise<Answered> {
  const { origin, hostname, port } = new URL(base);
  const payload = payloadOf(sent);
  const message = request({
    agent,
    hostname,
    port,
    method: sent.method,
    path: `${base.slice(origin.length)}${sent.path}`,
    headers: headersOf(sent, payload, token),
  });
  message.end(payload);
  const [answer] = (await once(message, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers } = answer;
  const bytes = await buffer(answer);
  const zipped = headers['content-encoding'] === 'gzip' && bytes.length > 0;
  const text = (zipped ? gunzipSync(bytes) : bytes).toString();
  return { status, headers, text, body: parse(text) };
}

function payloadOf({ body, bodyText, bodyBase64 }: Sent): Buffer | undefined {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  if (bodyText !== undefined) return Buffer.from(bodyText);
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
}

function headersOf({ method, headers = {} }: Sent, payload: Buffer | undefined, token?: string) {
  const patch = method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  const all: Record<string, string | number | null> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(payload && { 'content-type': patch, 'content-length': payload.length }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  };
  const given = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

/** Not every answer is JSON, and some have no body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}
