/** Drift: what has changed in the catalog away from git, and for how long. */

import { compareCodeUnits, type JsonObject } from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { type KeyPath, labelKeyPath, valueByKey } from '../patch/key-path.ts';
import { formatPointer, parsePointer } from '../patch/pointer.ts';
import { equalPlaces } from './place.ts';
import type { IsManaged, Provenance, SourcedVersion } from './provenance.ts';
import type { ContractVersion, VersionChange } from './version.ts';

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
  isManaged: IsManaged,
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
    for (const path of editsOf(version, provenance, isManaged)) {
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
  isManaged: IsManaged,
): readonly KeyPath[] {
  if (kind === 'git' || kind === 'unknown') return [];
  return version.changes.filter((change) => isManaged(version, change)).map(placeOf);
}

/** What moves is the array's order. */
function placeOf({ kind, path }: VersionChange): KeyPath {
  const place = parsePointer(path) ?? [];
  return kind === 'move' ? place.slice(0, -1) : place;
}

/** One contract that has a file, since the time that is looked at. */
export type AuditedContract = {
  /** Its name towards people. */
  readonly contract: string;
  /** Newest first. */
  readonly versions: readonly SourcedVersion[];
  readonly isManaged: IsManaged;
  readonly drifts: readonly Drift[];
};

/** The part of time that is looked at, in epoch milliseconds. */
export type Period = { readonly since: number; readonly now: number };

export type Audit = {
  readonly fromGit: number;
  readonly gitSince: number;
  readonly noCommit: number;
  /** They may be from commits that are not known. */
  readonly unknown: number;
  /** Most versions from no commit first. */
  readonly users: readonly UserShare[];
  /** Most often drifted first. */
  readonly places: readonly DriftingPlace[];
  readonly drift: DriftFigures;
};

type UserShare = {
  /** Absent where the catalog does not say who. */
  readonly user?: string;
  readonly fromGit: number;
  readonly gitSince: number;
  readonly noCommit: number;
  readonly unknown: number;
};

type DriftingPlace = {
  readonly contract: string;
  readonly label: string;
  readonly times: number;
  /** Of the longest, in milliseconds. */
  readonly longest: number;
  readonly isDrifting: boolean;
};

/** How long drift lived, in milliseconds; what still lives counts up to now. */
type DriftFigures = {
  readonly ended: number;
  readonly living: number;
  /** Contracts with a version of unknown origin that no version from git has followed. */
  readonly unknown: number;
  readonly median: number;
  readonly longest: number;
};

/** Only versions that changed what the file has a say in count: of others git has nothing to say. */
export function auditContracts(contracts: readonly AuditedContract[], period: Period): Audit {
  const versions = contracts.flatMap((contract) => countedVersions(contract, period));
  const drifts = contracts.flatMap(({ contract, drifts }) =>
    drifts.flatMap((drift) => {
      const life = lifeOf(drift, period);
      return life === undefined ? [] : [{ contract, drift, life }];
    }),
  );
  return {
    ...countSources(versions),
    users: shareByUser(versions),
    places: placesThatDrift(drifts),
    drift: {
      ...figuresOf(drifts),
      unknown: contracts.filter((each) => isDriftUnknown(each, period)).length,
    },
  };
}

function countedVersions(
  { versions, isManaged }: AuditedContract,
  { since }: Period,
): readonly SourcedVersion[] {
  return versions.filter(
    ({ version }) =>
      (version.updatedAt ?? Infinity) >= since &&
      version.changes.some((change) => isManaged(version, change)),
  );
}

/** From a version of unknown origin until one is from git, or a commit takes one over. */
function isDriftUnknown({ versions, isManaged }: AuditedContract, { since }: Period): boolean {
  let isUnknown = false;
  for (const { version, provenance, keptAt } of versions.toReversed()) {
    const { updatedAt = Infinity, changes } = version;
    const end = keptAt ?? (provenance.kind === 'git' ? updatedAt : undefined);
    const isEdit = changes.some((change) => isManaged(version, change));
    if (provenance.kind === 'unknown' && isEdit) isUnknown = true;
    if (isUnknown && (end ?? updatedAt) >= since) return true;
    if (end !== undefined) isUnknown = false;
  }
  return isUnknown;
}

function countSources(versions: readonly SourcedVersion[]) {
  const countOf = (wanted: Provenance['kind']): number =>
    versions.filter(({ provenance: { kind } }) => kind === wanted).length;
  return {
    fromGit: countOf('git'),
    gitSince: countOf('git-since'),
    noCommit: countOf('no-commit'),
    unknown: countOf('unknown'),
  };
}

function shareByUser(versions: readonly SourcedVersion[]): readonly UserShare[] {
  return [...Map.groupBy(versions, ({ version }) => version.user)]
    .map(([user, own]) => ({ ...(user !== undefined && { user }), ...countSources(own) }))
    .toSorted(
      (a, b) =>
        b.noCommit - a.noCommit ||
        b.fromGit - a.fromGit ||
        compareCodeUnits(a.user ?? '', b.user ?? ''),
    );
}

type Lived = { readonly contract: string; readonly drift: Drift; readonly life: number };

/** Undefined where it had ended before, or where nobody knows when it was. */
function lifeOf({ from, until }: Drift, { since, now }: Period): number | undefined {
  const end = until ? until.updatedAt : now;
  if (from.updatedAt === undefined || end === undefined || end < since) return undefined;
  return Math.max(0, end - from.updatedAt);
}

function placesThatDrift(drifts: readonly Lived[]): readonly DriftingPlace[] {
  const byPlace = Map.groupBy(drifts, ({ contract, drift }) =>
    JSON.stringify([contract, drift.path]),
  );
  return [...byPlace.values()]
    .flatMap((own) => own.slice(0, 1).map((first) => describePlace(first, own)))
    .toSorted(
      (a, b) =>
        b.times - a.times ||
        b.longest - a.longest ||
        compareCodeUnits(a.contract, b.contract) ||
        compareCodeUnits(a.label, b.label),
    );
}

function describePlace({ contract, drift }: Lived, all: readonly Lived[]): DriftingPlace {
  return {
    contract,
    label: drift.label,
    times: all.length,
    longest: Math.max(...all.map(({ life }) => life)),
    isDrifting: all.some(({ drift }) => !drift.until),
  };
}

function figuresOf(drifts: readonly Lived[]): Omit<DriftFigures, 'unknown'> {
  const lives = drifts.map(({ life }) => life).toSorted((a, b) => a - b);
  const living = drifts.filter(({ drift }) => !drift.until).length;
  return {
    ended: drifts.length - living,
    living,
    median: lives[Math.floor((lives.length - 1) / 2)] ?? 0,
    longest: lives.at(-1) ?? 0,
  };
}
