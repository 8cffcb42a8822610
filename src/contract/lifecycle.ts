/** Statuses and the moves between them: data, which the plan judges transitions by. */

export type TransitionRule = 'allow' | 'warn' | 'block';

/** Which statuses there are and which may follow which; what is not listed is blocked. */
export type Lifecycle = {
  /** From the first in a contract's life to the last. */
  readonly statuses: readonly string[];
  readonly transitions: readonly AllowedMove[];
  /** Other words for statuses, as files may have them: the catalog's own is what is sent. */
  readonly synonyms?: Readonly<Record<string, string>>;
};

export type AllowedMove = {
  readonly from: string;
  readonly to: string;
  readonly rule?: TransitionRule;
};

/** The status by which an unmanaged contract is retired (interface §2.1). */
export const deprecated = 'Deprecated';

/** The interface's statuses (§2.1), and moves that make sense between them: it has no rule. */
export const defaultLifecycle: Lifecycle = {
  statuses: ['Draft', 'Active', deprecated],
  transitions: [
    { from: 'Draft', to: 'Active' },
    { from: 'Active', to: deprecated },
    { from: 'Draft', to: deprecated },
    { from: deprecated, to: 'Active', rule: 'warn' },
  ],
};

/** The statuses that a file may name. */
export function writableStatuses({ statuses, synonyms = {} }: Lifecycle): string[] {
  const words = Object.keys(synonyms).filter((word) => statuses.includes(synonyms[word] ?? ''));
  return [...new Set([...statuses, ...words])];
}

/** The lifecycle that holds for a catalog: the one that is configured, in its words, or its own. */
export function adoptLifecycle(
  configured: Lifecycle,
  { lifecycle }: { readonly lifecycle: Lifecycle },
): Lifecycle {
  return configured === defaultLifecycle ? lifecycle : inOwnWords(configured, lifecycle.synonyms);
}

function inOwnWords(lifecycle: Lifecycle, synonyms: Lifecycle['synonyms'] = {}): Lifecycle {
  const own = (status: string): string => ownStatus(status, synonyms);
  return {
    statuses: [...new Set(lifecycle.statuses.map(own))],
    transitions: lifecycle.transitions.map((move) => ({
      ...move,
      from: own(move.from),
      to: own(move.to),
    })),
    synonyms,
  };
}

/** The catalog's own word for a status. */
export function ownStatus(status: string, synonyms: Lifecycle['synonyms'] = {}): string {
  return Object.hasOwn(synonyms, status) ? (synonyms[status] ?? status) : status;
}

/** Statuses that are no end, even where nothing leads on. */
const inUse: ReadonlySet<string> = new Set(['Draft', 'Active', 'In Review', 'Approved']);
/** Statuses in small letters that are an end, whatever leads on. */
const outOfUse: ReadonlySet<string> = new Set(['deprecated', 'retired', 'archived']);

/** Whether a contract goes out of use by taking this status. */
export function endsUse(status: string, lifecycle: Lifecycle): boolean {
  if (outOfUse.has(status.toLowerCase())) return true;
  return !inUse.has(status) && isFinal(status, lifecycle);
}

/** Whether no move that is not blocked leads on to a later status. */
function isFinal(status: string, lifecycle: Lifecycle): boolean {
  const rank = (name: string) => lifecycle.statuses.indexOf(name);
  return nextStatuses(status, lifecycle).every((next) => rank(next) <= rank(status));
}

/** Where a contract may go from a status, blocked moves left out. */
export function nextStatuses(from: string, lifecycle: Lifecycle): string[] {
  return lifecycle.transitions
    .filter((move) => move.from === from && move.rule !== 'block')
    .map(({ to }) => to);
}
