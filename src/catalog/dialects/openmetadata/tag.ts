import { createHash } from 'node:crypto';
import type { LiveContract } from '../../../contract/contract.ts';
import { formatVersion } from '../../../contract/version.ts';
import type { Patch } from '../../../patch/operation.ts';

/** With one of these in it, a patch that carries `If-Match` is stored whole; else it loses sections. */
const kept: ReadonlySet<string> = new Set(['description', 'displayName', 'owners', 'entityStatus']);

/**
 * The strong tag of a contract's state, for the patches that may carry it: unlike a `test`, it is
 * atomic with the change, and makes the change a version of its own.
 */
export function tagFor(
  { version, updatedAt }: Pick<LiveContract, 'version' | 'updatedAt'>,
  patch: Patch,
): string | undefined {
  if (version === undefined || updatedAt === undefined) return undefined;
  if (!patch.some(({ path }) => kept.has(path.split('/')[1] ?? ''))) return undefined;
  const state = `${formatVersion(version)}-${updatedAt}`;
  return `"${createHash('sha256').update(state).digest('hex').slice(0, 16)}"`;
}
