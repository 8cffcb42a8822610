import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { list, orders, serve } from './served.ts';

test('the sandbox listens on the loopback address alone', async () => {
  const { url } = await serve();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/u);
});

test('a port that is taken is refused with its number', async () => {
  const { url } = await serve();
  const port = Number(new URL(url).port);
  await expect(startSandbox({ port })).rejects.toThrow(
    expect.objectContaining({ code: 'sandbox-port', message: expect.stringContaining(`${port}`) }),
  );
});

test('close ends at once, with connections open, and may be called again', async () => {
  const sandbox = await startSandbox({ seed: [orders] });
  const { hostname, port } = new URL(sandbox.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  await list(sandbox);
  const ended = once(socket, 'close');
  await sandbox.close();
  await ended;
  await sandbox.close();
  await expect(list(sandbox)).rejects.toThrow('fetch failed');
});
