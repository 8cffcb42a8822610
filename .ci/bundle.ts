/** Settings of all bundles. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { InputOptions, RolldownPluginOption } from 'rolldown';
import type licensePlugin from 'rollup-plugin-license';
import type { Dependency } from 'rollup-plugin-license';

export const root = join(import.meta.dirname, '..');

export const bundleOptions: InputOptions = {
  cwd: root,
  platform: 'node',
  // No code here reads a property or a global for its side effects.
  treeshake: {
    propertyReadSideEffects: false,
    unknownGlobalSideEffects: false,
    moduleSideEffects: [{ test: /node_modules.yaml/, sideEffects: false }],
  },
  resolve: {
    alias: {
      // The build for Node reads the environment for each token, and takes 1.3 times as long.
      yaml: join(root, 'node_modules', 'yaml', 'browser', 'index.js'),
      'fast-json-patch$': join(root, '.ci', 'fast-json-patch.js'),
    },
    // Parts are ordered by path, so a package must keep its own.
    symlinks: false,
  },
};

// CommonJS, which its types do not say.
const license: typeof licensePlugin.default = createRequire(import.meta.url)(
  'rollup-plugin-license',
);

/** Most packages require their licence to be included. */
export function licencesInto(file: string): RolldownPluginOption {
  return license({ thirdParty: { output: { file, template: licencesText } }, cwd: root });
}

// Sorted by name: the order in which a bundle of several parts finds packages varies.
function licencesText(packages: readonly Dependency[]): string {
  const texts = packages.map((each) => [each.name ?? '', each.text()] as const);
  const sorted = texts.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, text]) => text).join('\n\n---\n\n');
}
