export type TransitionRule = 'allow' | 'warn' | 'block';

/** Moves that are not listed are blocked. */
export type Lifecycle = {
  readonly statuses: readonly string[];
  readonly transitions: readonly AllowedMove[];
  /** Other words that files may use for statuses; the catalog's own is sent. */
  readonly synonyms?: Readonly<Record<string, string>>;
};

export type AllowedMove = {
  readonly from: string;
  readonly to: string;
  readonly rule?: TransitionRule;
};

/** The status by which an unmanaged contract is retired (interface §2.1). */
export const deprecated = 'Deprecated';

/** The interface has statuses (§2.1) and no rule for moves: these make sense. */
export const defaultLifecycle: Lifecycle = {
  statuses: ['Draft', 'Active', deprecated],
  transitions: [
    { from: 'Draft', to: 'Active' },
    { from: 'Active', to: deprecated },
    { from: 'Draft', to: deprecated },
    { from: deprecated, to: 'Active', rule: 'warn' },
  ],
};

export function writableStatuses(configured: Lifecycle, own: readonly Lifecycle[]): string[] {
  const all = own.flatMap((each) => {
    const { statuses, synonyms = {} } = adoptLifecycle(configured, each);
    const words = Object.keys(synonyms).filter((word) => statuses.includes(synonyms[word] ?? ''));
    return [...statuses, ...words];
  });
  return [...new Set(all)];
}

export function adoptLifecycle(configured: Lifecycle, own: Lifecycle): Lifecycle {
  return configured === defaultLifecycle ? own : inOwnWords(configured, own.synonyms);
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

export function ownStatus(status: string, synonyms: Lifecycle['synonyms'] = {}): string {
  return Object.hasOwn(synonyms, status) ? (synonyms[status] ?? status) : status;
}

export function byOwnStatus<Value>(
  values: ReadonlyMap<string, Value>,
  { synonyms }: Lifecycle,
): ReadonlyMap<string, Value> {
  return new Map([...values].map(([status, value]) => [ownStatus(status, synonyms), value]));
}

// Not an end of life, even without a move on.
const inUse: ReadonlySet<string> = new Set(['Draft', 'Active', 'In Review', 'Approved']);
// An end of life, whatever moves lead on; in lower case.
const outOfUse: ReadonlySet<string> = new Set(['deprecated', 'retired', 'archived']);

export function endsUse(status: string, lifecycle: Lifecycle): boolean {
  if (outOfUse.has(status.toLowerCase())) return true;
  return !inUse.has(status) && isFinal(status, lifecycle);
}

function isFinal(status: string, lifecycle: Lifecycle): boolean {
  const rank = (name: string) => lifecycle.statuses.indexOf(name);
  return nextStatuses(status, lifecycle).every((next) => rank(next) <= rank(status));
}

export function nextStatuses(from: string, lifecycle: Lifecycle): string[] {
  return lifecycle.transitions
    .filter((move) => move.from === from && move.rule !== 'block')
    .map(({ to }) => to);
}
