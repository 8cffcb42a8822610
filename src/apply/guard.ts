import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import type { DialectSetting } from '../catalog/dialects/choose.ts';
import type { Effects } from '../core/effects.ts';
import type { Patch } from '../patch/operation.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';

/**
 * Makes a patch land on the contract that was reviewed, or not at all: `test` operations in front
 * of it, as a patch is atomic (RFC 6902 §5). `If-Match` is no choice: the interface has no ETags.
 */
export function guard({ liveUpdatedAt, liveVersion, patch }: UpdatePlan): Patch | undefined {
  if (liveUpdatedAt !== undefined) {
    return [{ op: 'test', path: '/updatedAt', value: liveUpdatedAt }, ...patch];
  }
  if (liveVersion === undefined) return undefined;
  // The interface's version is a number (§2.1): the plan's `1.0` is the catalog's 1.
  return [{ op: 'test', path: '/version', value: Number(liveVersion) }, ...patch];
}

/** Whether a patch carries its guard; where the server knows no `test`, a fresh read goes ahead. */
export type Mode = 'guarded' | 'bare';

/** What a run learns about the server's support for `test`. */
type Guarding = {
  /** How to begin with the next change. */
  readonly mode: () => Mode;
  /** A patch has landed in this mode. */
  readonly learn: (mode: Mode) => void;
  /** Whether a refused guard may mean that the server knows no `test`. */
  readonly isDoubtful: () => boolean;
};

export function createGuarding(): Guarding {
  let known: Mode | undefined;
  return {
    mode: () => known ?? 'guarded',
    // One guard that was heeded settles it: what is refused later is refused for another reason.
    learn: (mode) => {
      if (known !== 'guarded') known = mode;
    },
    isDoubtful: () => known !== 'guarded',
  };
}

/** Whether sending the patch twice does no more than sending it once: it names no array element. */
export function isRepeatable(patch: Patch): boolean {
  return patch.every(
    ({ op, path }) => (op === 'add' || op === 'replace') && !/\/(?:-|\d+)(?:\/|$)/u.test(path),
  );
}

/** What the changes of one run share. */
export type Run = {
  readonly reader: CatalogReader;
  readonly writer: CatalogWriter;
  readonly rules: Pick<Rules, 'equivalence' | 'arrays'>;
  readonly dialect: DialectSetting;
  readonly signal?: AbortSignal;
  readonly onRetry?: (line: string) => void;
  readonly effects: Pick<Effects, 'sleep' | 'random'>;
  readonly guarding: Guarding;
};
