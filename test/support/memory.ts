import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const enough = 2 ** 30;

/** Has the tests make their folders in memory, where Linux offers it: a disk takes up to ten times as long. */
export function setup(): () => void {
  const folder = mkdtempSync(join(isUsable() ? inMemory : tmpdir(), 'contract-sync-tests-'));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

// In a container it may be small, and may start no program.
function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    const [, options = 'noexec'] =
      / \/dev\/shm tmpfs (\S+)/u.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    return bavail * bsize >= enough && !options.split(',').includes('noexec');
  } catch {
    return false;
  }
}
