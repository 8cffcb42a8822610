/** Builds what tests run as processes of their own, once for a whole run: as users get it. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildAction } from '../../.ci/build-action.ts';
import { buildCli } from '../../.ci/build-cli.ts';
import { generateAll } from '../../.ci/generate.ts';
import { root } from './root.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder with `cli.js` and `action.js`. */
    bundles: string;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  generateAll();
  // Below the root, where the command line finds its examples.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'contract-sync-'));
  await buildCli(folder);
  await buildAction(join(folder, 'action.js'));
  project.provide('bundles', folder);
  return () => rmSync(folder, { recursive: true });
}
