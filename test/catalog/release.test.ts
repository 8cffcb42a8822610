import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createServerReader } from '../../src/catalog/client.ts';
import { connectTo, sendJson, serve } from '../support/server.ts';

/** What a server says of its release, and how often it was asked. */
async function ask(...answers: ((response: ServerResponse) => void)[]) {
  let asked = 0;
  const server = await serve(({ path }, response) => {
    expect(path).toBe('/api/v1/system/version');
    answers[Math.min(asked, answers.length - 1)]?.(response);
    asked += 1;
  });
  const release = await createServerReader(connectTo(server.url)).release();
  return { release, asked };
}

const told =
  (version: string, revision: string | null = 'abc') =>
  (response: ServerResponse) =>
    sendJson(response, { version, revision, timestamp: 0 });
const lost = (response: ServerResponse) => response.destroy();
const page = (response: ServerResponse) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html>');
const outage = (response: ServerResponse) => sendJson(response, {}, 503);

test.for<[string, string]>([
  ['1.10.0', 'known'],
  ['1.12.6', 'known'],
  ['1.13.0-SNAPSHOT', 'known'],
  ['2.0', 'known'],
  ['1.9.14', 'unsupported'],
  ['0.13.3', 'unsupported'],
])('release %s is %s', async ([version, kind]) => {
  const release = { kind, version, product: 'openmetadata' };
  expect(await ask(told(version))).toEqual({ release, asked: 1 });
});

test.for<[string, (response: ServerResponse) => void]>([
  ['nothing there', (response) => sendJson(response, {}, 404)],
  ['a version without a revision', told('1.12.6', null)],
  ['an empty revision', told('1.12.6', '')],
  ['an empty version', told('')],
  ['a version that is none', told('v1.12')],
  ['markup behind a version', told('1.12.6 <b>')],
  ['something else', (response) => sendJson(response, ['1.12.6', 'abc'])],
])('%s is no release, and no reason to ask again', async ([, answer]) => {
  expect(await ask(answer)).toEqual({ release: { kind: 'other' }, asked: 1 });
});

test.for<[string, (response: ServerResponse) => void, string]>([
  ['an outage', outage, 'status 503'],
  ['a connection that is cut', lost, 'connection-lost'],
])('%s for good leaves the release unknown', async ([, answer, why]) => {
  expect(await ask(answer)).toMatchObject({ release: { kind: 'unread', why }, asked: 3 });
});

test('a web page leaves the release unknown', async () => {
  expect((await ask(page)).release).toMatchObject({ kind: 'unread' });
});

test('an answer that is lost once is asked for again', async () => {
  const release = { kind: 'known', version: '1.12.6', product: 'openmetadata' };
  expect(await ask(lost, told('1.12.6'))).toEqual({ release, asked: 2 });
  expect(await ask(outage, outage, told('1.12.6'))).toEqual({ release, asked: 3 });
});
