import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyncError } from '../core/errors.ts';

/** A folder of `examples/`, which stands beside `src` in a clone and beside `dist` in the package. */
export function findExample(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'examples', name))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new SyncError('no-example', `examples/${name} is not where the package keeps it.`, {
        hint: 'Install contract-sync again.',
      });
    }
    folder = parent;
  }
  return join(folder, 'examples', name);
}
