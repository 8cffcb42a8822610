import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';

/** A temporary folder with these files; gone after the test. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

/** A catalog on a free port; gone after the test. */
export async function serveCatalog(options: SandboxOptions = {}): Promise<Sandbox> {
  const catalog = await startSandbox(options);
  onTestFinished(() => catalog.close());
  return catalog;
}

/** What a process needs to talk to the catalog. */
export function accessTo({ url, token }: Pick<Sandbox, 'url' | 'token'>) {
  return { CONTRACT_SYNC_URL: url, CONTRACT_SYNC_TOKEN: token };
}

/** A text without what is another each time: the port that was free, and a commit made just now. */
export function withoutPlace(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:PORT')
    .replaceAll(/(?<=[Cc]ommit:? )[0-9a-f]{12}\b/gu, 'COMMIT');
}

/** What has git see no repository around a folder: this one is none of the test's business. */
export function alone(folder: string) {
  return { GIT_CEILING_DIRECTORIES: dirname(folder) };
}

/** A port on which nobody listens, nor will: a connection has it, so that no server is given it. */
export async function deadUrl(): Promise<string> {
  const server = createServer((socket) => socket.unref()).listen(0, '127.0.0.1');
  await once(server.unref(), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').unref();
  await once(socket, 'connect');
  return `http://127.0.0.1:${socket.localPort}/api`;
}
