import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyncError } from '../core/errors.ts';

/** Where a file or folder is that stands beside `src` in a clone and beside `dist` in the package. */
export function findPackaged(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, name))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new SyncError('no-example', `${name} is missing from the package.`, {
        hint: 'Install contract-sync again.',
      });
    }
    folder = parent;
  }
  return join(folder, name);
}
