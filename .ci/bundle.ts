/** What all bundles have in common. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { InputOptions, RolldownPluginOption } from 'rolldown';
import type licensePlugin from 'rollup-plugin-license';
import type { Dependency } from 'rollup-plugin-license';

export const root = join(import.meta.dirname, '..');

export const bundleOptions: InputOptions = {
  cwd: root,
  platform: 'node',
  // Nobody reads a property, or names a global, for what else that may do.
  treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
  resolve: {
    alias: {
      // Its build for Node asks the environment about each token, and takes 1.3 times as long.
      yaml: join(root, 'node_modules', 'yaml', 'browser', 'index.js'),
      'fast-json-patch$': join(root, '.ci', 'fast-json-patch.js'),
    },
    // A package is where it is found: parts are put together by the order of their paths.
    symlinks: false,
  },
};

/** It is CommonJS, which its types do not say. */
const license: typeof licensePlugin.default = createRequire(import.meta.url)(
  'rollup-plugin-license',
);

/** Writes the licences of all packages in a bundle, which most of them ask for. */
export function licencesInto(file: string): RolldownPluginOption {
  return license({ thirdParty: { output: { file, template: licencesText } }, cwd: root });
}

/** By name: in a bundle of several parts, the order in which they are found is not always the same. */
function licencesText(packages: readonly Dependency[]): string {
  const texts = packages.map((each) => [each.name ?? '', each.text()] as const);
  const sorted = texts.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, text]) => text).join('\n\n---\n\n');
}
