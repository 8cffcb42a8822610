/** How this program is called where it runs, for lines to paste. */

import type { Terminal } from './terminal.ts';

/** A build has no such files. */
const isClone = import.meta.url.endsWith('.ts');

/** What stands in front of a command's name. */
export function invocation({ environment }: Pick<Terminal, 'environment'>): string {
  if (isClone) return 'npm start --';
  return environment['npm_command'] === 'exec' ? 'npx contract-sync' : 'contract-sync';
}
