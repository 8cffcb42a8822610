/** What all bundles have in common. */

import { join } from 'node:path';
import type { InputOptions } from 'rolldown';

export const root = join(import.meta.dirname, '..');

export const bundleOptions: InputOptions = {
  cwd: root,
  platform: 'node',
  resolve: {
    // The build of `yaml` for Node reads the environment for every token: 1.3 times as slow.
    alias: { yaml: join(root, 'node_modules', 'yaml', 'browser', 'index.js') },
  },
};
