import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JsonValue } from '../../src/core/json.ts';

/** When a request goes wrong, seen from the catalog. */
type Moment = 'before commit' | 'after commit' | 'during answer';

/** How it goes wrong: a gateway's status, a broken connection, no answer ever, or a wrong answer. */
export type Fault = {
  readonly moment: Moment;
  readonly how: number | 'reset' | 'silence' | { readonly json: JsonValue };
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the proxy falls silent: whoever waits need not wait for a clock. */
  readonly onSilence?: () => void;
};

export type Passing = { readonly method: string; readonly path: string; readonly body: string };

/** What is to happen to a request; it may take its time, and do things meanwhile. */
export type Decide = (request: Passing) => Promise<Fault | undefined> | Fault | undefined | void;

export const letPass: Decide = () => undefined;

export type FaultyProxy = {
  readonly url: string;
  /** From now on: which requests go wrong, and how. */
  readonly behave: (decide: Decide) => void;
  readonly close: () => void;
};

/** Stands before a catalog and lets requests go wrong, on purpose. */
export async function startFaultyProxy(catalogUrl: string): Promise<FaultyProxy> {
  let decide = letPass;
  const server = createServer((incoming, answer) => {
    // A client that has been killed no longer waits: nobody is left to tell of a failure.
    void pass(incoming, answer, catalogUrl, decide).catch(() => answer.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(catalogUrl).pathname}`,
    behave: (next) => (decide = next),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function pass(
  incoming: IncomingMessage,
  answer: ServerResponse,
  catalogUrl: string,
  decide: Decide,
): Promise<void> {
  const { method = '', url = '' } = incoming;
  const body = await text(incoming);
  const fault = await decide({ method, path: url, body });
  if (fault?.moment === 'before commit') return fail(answer, fault);
  const upstream = await fetch(new URL(url, catalogUrl), {
    method,
    headers: keptHeaders(incoming),
    ...(body !== '' && { body }),
  });
  const whole = Buffer.from(await upstream.arrayBuffer());
  if (fault?.moment === 'after commit') return fail(answer, fault);
  answer.writeHead(upstream.status, {
    'content-type': upstream.headers.get('content-type') ?? 'application/json',
    'content-length': whole.length,
  });
  if (!fault) return void answer.end(whole);
  answer.write(whole.subarray(0, whole.length / 2), () => {
    if (fault.how === 'silence') fault.onSilence?.();
    else answer.destroy();
  });
}

function keptHeaders({ headers }: IncomingMessage): Headers {
  const kept = new Headers();
  for (const name of ['authorization', 'content-type', 'accept']) {
    const value = headers[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept;
}

function fail(answer: ServerResponse, { how, headers, onSilence }: Fault): void {
  if (how === 'silence') return onSilence?.();
  if (how === 'reset') return void answer.destroy();
  if (typeof how === 'object') {
    answer.writeHead(200, { 'content-type': 'application/json' });
    return void answer.end(JSON.stringify(how.json));
  }
  answer.writeHead(how, { 'content-type': 'text/html', ...headers });
  answer.end('<html><title>Gateway</title></html>');
}
