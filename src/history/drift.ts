import { compareCodeUnits, defined, type JsonObject } from '../core/json.ts';
import type { DiffOptions } from '../patch/operation.ts';
import { type KeyPath, labelKeyPath, valueByKey } from '../patch/identity.ts';
import { formatPointer, parsePointer } from '../patch/pointer.ts';
import { equalPlaces } from './place.ts';
import type { IsManaged, Provenance, SourcedVersion } from './provenance.ts';
import type { ContractVersion } from './version.ts';

export type Drift = {
  /** By key: `/schema/{name=amount}/dataType`. */
  readonly path: string;
  readonly label: string;
  readonly from: ContractVersion;
  /** The version or commit that ended it; absent while it lives. */
  readonly until?: Partial<Pick<ContractVersion, 'version' | 'updatedAt'>>;
};

/** The earliest first. Nothing drifts before a version is from git, or a commit took one over. */
export function findDrift(
  versions: readonly SourcedVersion[],
  isManaged: IsManaged,
  arrays: DiffOptions,
): readonly Drift[] {
  const drifts: Drift[] = [];
  let declared: JsonObject | undefined;
  const isDeclared = (path: KeyPath, state: JsonObject): boolean => {
    const [live, left] = [state, declared ?? {}].map((each) => valueByKey(each, path));
    return equalPlaces(live, left, path, arrays);
  };
  const close = (state: JsonObject, until: NonNullable<Drift['until']>): void => {
    for (const [index, drift] of drifts.entries()) {
      const isBack = !drift.until && isDeclared(parsePointer(drift.path) ?? [], state);
      if (isBack) drifts[index] = { ...drift, until };
    }
  };
  for (const { version, provenance, asked, keptAt } of versions.toReversed()) {
    const { state } = version;
    if (provenance.kind === 'git') declared = asked ?? state;
    if (!declared) {
      if (keptAt !== undefined) declared = state;
      continue;
    }
    close(state, version);
    const open = new Set(drifts.flatMap(({ path, until }) => (until ? [] : [path])));
    for (const place of editedPlaces(version, provenance, isManaged)) {
      const path = formatPointer(place);
      if (open.has(path) || isDeclared(place, state)) continue;
      open.add(path);
      drifts.push({ path, label: labelKeyPath(place), from: version });
    }
    if (keptAt === undefined) continue;
    declared = state;
    close(state, { updatedAt: keptAt });
  }
  return drifts;
}

function editedPlaces(version: ContractVersion, { kind }: Provenance, isManaged: IsManaged) {
  if (kind === 'git' || kind === 'unknown') return [];
  const edits = version.changes.filter((change) => isManaged(version, change));
  return edits.map((edit) =>
    (parsePointer(edit.path) ?? []).slice(0, edit.kind === 'move' ? -1 : undefined),
  );
}

export type AuditedContract = {
  readonly contract: string;
  /** Newest first. */
  readonly versions: readonly SourcedVersion[];
  readonly isManaged: IsManaged;
  readonly drifts: readonly Drift[];
};

/** Epoch milliseconds. */
export type Period = { readonly since: number; readonly now: number };

type Sources = Readonly<Record<'fromGit' | 'gitSince' | 'noCommit' | 'unknown', number>>;

export type Audit = Sources & {
  readonly users: readonly (Sources & { readonly user?: string })[];
  readonly places: readonly DriftingPlace[];
  /** Times in milliseconds; what still lives counts up to now. */
  readonly drift: Readonly<Record<'ended' | 'living' | 'unknown' | 'median' | 'longest', number>>;
};

// `longest` in milliseconds.
type DriftingPlace = Readonly<Record<'contract' | 'label', string>> &
  Readonly<Record<'times' | 'longest', number>> & { readonly isDrifting: boolean };

/** Counts only versions that changed managed fields: git says nothing about others. */
export function auditContracts(contracts: readonly AuditedContract[], period: Period): Audit {
  const versions = contracts.flatMap(({ versions, isManaged }) =>
    versions.filter(
      ({ version }) =>
        (version.updatedAt ?? Infinity) >= period.since &&
        version.changes.some((change) => isManaged(version, change)),
    ),
  );
  const drifts = contracts.flatMap(({ contract, drifts }) =>
    drifts.flatMap((drift): Lived[] => {
      const { from, until } = drift;
      const end = until ? until.updatedAt : period.now;
      // It ended before the period, or its time is unknown.
      if (from.updatedAt === undefined || end === undefined || end < period.since) return [];
      return [{ contract, drift, life: Math.max(0, end - from.updatedAt) }];
    }),
  );
  const lives = drifts.map(({ life }) => life).toSorted((a, b) => a - b);
  const living = drifts.filter(({ drift }) => !drift.until).length;
  const users = [...Map.groupBy(versions, ({ version }) => version.user)].map(([user, own]) => ({
    ...defined({ user }),
    ...countSources(own),
  }));
  return {
    ...countSources(versions),
    users: users.toSorted(
      (a, b) =>
        b.noCommit - a.noCommit ||
        b.fromGit - a.fromGit ||
        compareCodeUnits(a.user ?? '', b.user ?? ''),
    ),
    places: placesThatDrift(drifts),
    drift: {
      ended: drifts.length - living,
      living,
      median: lives[Math.floor((lives.length - 1) / 2)] ?? 0,
      longest: lives.at(-1) ?? 0,
      unknown: contracts.filter((each) => isDriftUnknown(each, period)).length,
    },
  };
}

function isDriftUnknown({ versions, isManaged }: AuditedContract, { since }: Period) {
  let isUnknown = false;
  for (const { version, provenance, asked, keptAt } of versions.toReversed()) {
    const { updatedAt = Infinity, changes } = version;
    const end = keptAt ?? (provenance.kind === 'git' && !asked ? updatedAt : undefined);
    const isEdit = changes.some((change) => isManaged(version, change));
    if (provenance.kind === 'unknown' && isEdit) isUnknown = true;
    if (isUnknown && (end ?? updatedAt) >= since) return true;
    if (end !== undefined) isUnknown = false;
  }
  return isUnknown;
}

function countSources(versions: readonly SourcedVersion[]): Sources {
  const countOf = (wanted: Provenance['kind']): number =>
    versions.filter(({ provenance: { kind } }) => kind === wanted).length;
  return {
    fromGit: countOf('git'),
    gitSince: countOf('git-since'),
    noCommit: countOf('no-commit'),
    unknown: countOf('unknown'),
  };
}

type Lived = { readonly contract: string; readonly drift: Drift; readonly life: number };

function placesThatDrift(drifts: readonly Lived[]): readonly DriftingPlace[] {
  const byPlace = Map.groupBy(drifts, ({ contract, drift }) =>
    JSON.stringify([contract, drift.path]),
  );
  const places = [...byPlace.values()].flatMap((own) =>
    own.slice(0, 1).map(({ contract, drift }) => ({
      contract,
      label: drift.label,
      times: own.length,
      longest: Math.max(...own.map(({ life }) => life)),
      isDrifting: own.some((each) => !each.drift.until),
    })),
  );
  return places.toSorted(
    (a, b) =>
      b.times - a.times ||
      b.longest - a.longest ||
      compareCodeUnits(a.contract, b.contract) ||
      compareCodeUnits(a.label, b.label),
  );
}
