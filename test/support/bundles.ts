/** Builds what tests run as processes of their own, as users get it: once, when a test first asks for it. */

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildAction } from '../../.ci/build-action.ts';
import { buildCli } from '../../.ci/build-cli.ts';
import { generateAll } from '../../.ci/generate.ts';
import { root } from './root.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where `built` asks for `cli.js` and `action.js`. */
    bundles: string;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  generateAll();
  // Below the root, where the command line finds its examples.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'contract-sync-'));
  const builds: Record<string, () => Promise<void>> = {
    'cli.js': async () => buildCli(folder),
    'action.js': async () => buildAction(join(folder, 'action.js')),
  };
  const begun = new Map<string, Promise<void>>();
  const answer = async (name: string): Promise<string> => {
    const build = begun.get(name) ?? builds[name]?.();
    if (build) begun.set(name, build);
    await build;
    return join(folder, name);
  };
  const server = createServer(({ url = '' }, response) => {
    void (async () => {
      try {
        response.end(await answer(url.slice(1)));
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  project.provide('bundles', `http://127.0.0.1:${port}`);
  return () => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  };
}
