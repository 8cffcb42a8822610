/** Drift: what has changed in the catalog away from git, and for how long. */

import type { JsonObject } from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { type KeyPath, labelKeyPath, valueByKey } from '../patch/key-path.ts';
import { formatPointer, parsePointer } from '../patch/pointer.ts';
import type { VersionChange } from './changes.ts';
import { equalPlaces } from './place.ts';
import type { Provenance } from './provenance.ts';
import type { HasSay } from './say.ts';
import type { ContractVersion } from './version.ts';

/** A version and where it came from. */
export type SourcedVersion = {
  readonly version: ContractVersion;
  readonly provenance: Provenance;
  /** When a commit took over what it says, in epoch milliseconds. */
  readonly keptAt?: number;
};

/** A place that was other than git had left it. */
export type Drift = {
  /** By key: `/schema/{name=amount}/dataType`. */
  readonly path: string;
  readonly label: string;
  /** The version that changed it, and came from no commit. */
  readonly from: ContractVersion;
  /** The version that changed it back, or was from git again, or the commit that kept it; absent while it lives. */
  readonly until?: Partial<Pick<ContractVersion, 'version' | 'updatedAt'>>;
};

/**
 * In the order in which it began. Before a version is from git, or a commit has taken one over,
 * nothing drifts: there is nothing yet that it could drift from.
 */
export function findDrift(
  versions: readonly SourcedVersion[],
  hasSay: HasSay,
  arrays: DiffOptions,
): readonly Drift[] {
  const drifts: Drift[] = [];
  let declared: JsonObject | undefined;
  for (const { version, provenance, keptAt } of versions.toReversed()) {
    if (provenance.kind === 'git') declared = version.state;
    if (!declared) {
      if (keptAt !== undefined) declared = version.state;
      continue;
    }
    closeDrifts(drifts, version, { declared, arrays });
    const open = new Set(drifts.flatMap(({ path, until }) => (until ? [] : [path])));
    for (const path of editsOf(version, provenance, hasSay)) {
      const isBack = isDeclared(path, version, { declared, arrays });
      if (isBack || open.has(formatPointer(path))) continue;
      open.add(formatPointer(path));
      drifts.push({ path: formatPointer(path), label: labelKeyPath(path), from: version });
    }
    if (keptAt === undefined) continue;
    declared = version.state;
    closeDrifts(drifts, { state: version.state, updatedAt: keptAt }, { declared, arrays });
  }
  return drifts;
}

/** What git had left, and how it is compared. */
type Declared = { readonly declared: JsonObject; readonly arrays: DiffOptions };

type Ending = NonNullable<Drift['until']> & Pick<ContractVersion, 'state'>;

function closeDrifts(drifts: Drift[], version: Ending, declared: Declared): void {
  for (const [index, drift] of drifts.entries()) {
    const path = parsePointer(drift.path) ?? [];
    if (!drift.until && isDeclared(path, version, declared))
      drifts[index] = { ...drift, until: version };
  }
}

function isDeclared(
  path: KeyPath,
  { state }: Pick<ContractVersion, 'state'>,
  { declared, arrays }: Declared,
): boolean {
  return equalPlaces(valueByKey(state, path), valueByKey(declared, path), path, arrays);
}

/** The places that a version has changed which came from no commit, of those that the file has a say in. */
function editsOf(
  version: ContractVersion,
  { kind }: Provenance,
  hasSay: HasSay,
): readonly KeyPath[] {
  if (kind === 'git' || kind === 'unknown') return [];
  return version.changes.filter((change) => hasSay(version, change)).map(placeOf);
}

/** What moves is the array's order. */
function placeOf({ kind, path }: VersionChange): KeyPath {
  const place = parsePointer(path) ?? [];
  return kind === 'move' ? place.slice(0, -1) : place;
}
