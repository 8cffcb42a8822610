import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createServerReader } from '../../src/catalog/client.ts';
import { connectTo, sendJson, serve } from './server.ts';

const never = new AbortController().signal;

/** What a glimpse of the release comes to, and how often it was asked for. */
async function glimpse(answer: (response: ServerResponse) => void) {
  const server = await serve(({ path }, response) => {
    expect(path).toBe('/api/v1/system/version');
    answer(response);
  });
  const release = await createServerReader(connectTo(server.url)).glimpseRelease(never);
  return { release, asked: server.received.length };
}

test('a server that tells its release is asked once', async () => {
  const told = await glimpse((response) => sendJson(response, { version: '1.12.6' }));
  expect(told).toEqual({ release: '1.12.6', asked: 1 });
});

test.for<[string, (response: ServerResponse) => void]>([
  ['nothing there', (response) => sendJson(response, {}, 404)],
  ['an outage', (response) => sendJson(response, {}, 503)],
  ['too many requests', (response) => sendJson(response, {}, 429)],
  ['something else', (response) => sendJson(response, { name: 'catalog' })],
  [
    'a web page',
    (response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'),
  ],
  ['a broken connection', (response) => response.destroy()],
])('%s is no release, and no reason to ask again', async ([, answer]) => {
  expect(await glimpse(answer)).toEqual({ release: undefined, asked: 1 });
});
