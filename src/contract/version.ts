/**
 * A version with its decimal, `1.0`: JSON turns 1.0 into 1, and a versions URL needs `1.0`
 * (interface §2.1, §4.4). A server that adds 0.1 to 0.2 as doubles means 0.3.
 */
export function formatVersion(version: number | string): string {
  const text = String(typeof version === 'number' ? Number(version.toFixed(decimals)) : version);
  return /^\d+$/u.test(text) ? `${text}.0` : text;
}

/** Of a version that somebody meant; what a sum of doubles is off by lies far behind. */
const decimals = 9;

const majorFields: ReadonlySet<string> = new Set(['entityStatus', 'schema', 'entity']);

/**
 * The versions that a change of these top-level fields may lead to, lowest first (interface §3).
 * A change of major and minor fields together is not specified there, so both are possible.
 * For people to read: servers differ, and nothing relies on it.
 */
export function predictVersions(version: string, changedFields: Iterable<string>): string[] {
  const current = Number(version);
  if (!Number.isFinite(current)) return [];
  const kinds = new Set<Bump>();
  for (const field of changedFields) kinds.add(majorFields.has(field) ? 'major' : 'minor');
  return (['minor', 'major'] as const)
    .filter((kind) => kinds.has(kind))
    .map((kind) => formatVersion(bump[kind](current)));
}

/**
 * The versions that a change may lead to where each counts as minor, and one that joins an earlier
 * change of the same user counts as none. The first change of a new contract is one of its own.
 */
export function predictSmallStep(version: string): string[] {
  const current = Number(version);
  if (!Number.isFinite(current)) return [];
  const next = formatVersion(bump.minor(current));
  return current <= 0.1 ? [next] : [formatVersion(version), next];
}

type Bump = 'minor' | 'major';

/** A version is a decimal number, so the minor step after 0.9 is 1.0. */
const bump: Readonly<Record<Bump, (version: number) => number>> = {
  minor: (version) => (Math.round(version * 10) + 1) / 10,
  major: (version) => Math.floor(version) + 1,
};
