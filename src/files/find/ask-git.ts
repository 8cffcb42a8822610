/** Questions to git that nobody waits long for. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Milliseconds: in a very large repository nobody waits for who has written what. */
const patience = 10_000;

/** Undefined where git says no, is not there, or takes too long. */
export async function askGit(
  args: readonly string[],
  folder: string,
  input = '',
): Promise<Buffer | undefined> {
  const options = {
    cwd: folder,
    encoding: 'buffer',
    maxBuffer: 1 << 29,
    timeout: patience,
  } as const;
  try {
    const asked = promisify(execFile)('git', args, options);
    asked.child.stdin?.on('error', () => undefined);
    asked.child.stdin?.end(input);
    return (await asked).stdout;
  } catch {
    return undefined;
  }
}
