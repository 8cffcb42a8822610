import { defined } from '../core/json.ts';
import { type DiffOptions, type KeyPath, labelKeyPath } from '../patch/identity.ts';
import { formatPointer } from '../patch/pointer.ts';
import { changesAt, findKeyPath } from './place.ts';
import type { Provenance } from './provenance.ts';
import type { ContractVersion, VersionChange } from './version.ts';

type SourcedVersion = {
  readonly version: ContractVersion;
  readonly provenance: Provenance;
};

export type ContractHistory = {
  readonly contract: string;
  readonly id: string;
  readonly file?: string;
  /** Fields that no version carries: their changes are unknown. */
  readonly unrecorded: readonly string[];
  /** Newest first. */
  readonly versions: readonly SourcedVersion[];
};

export type ShownHistory = Omit<ContractHistory, 'versions'> & {
  readonly place?: string;
  readonly versions: readonly ShownVersion[];
  /** How many older versions are left out. */
  readonly older: number;
};

export type ShownVersion = SourcedVersion & {
  readonly changes: readonly VersionChange[];
  /** Whether nothing is known of what came before. */
  readonly isFirst: boolean;
};

/** `since` is in epoch milliseconds. Undefined where no known version has the place. */
export function narrowHistory(
  { versions, ...contract }: ContractHistory,
  query: { place?: string | undefined; limit: number; since?: number | undefined },
  arrays: DiffOptions,
): ShownHistory | undefined {
  const { place, limit, since = -Infinity } = query;
  const states = versions.map(({ version }) => version.state);
  const path = place === undefined ? undefined : findKeyPath(place, states, arrays);
  if (place !== undefined && !path) return undefined;
  const all: readonly ShownVersion[] = path
    ? versionsThatChange(path, versions, arrays)
    : versions.map((sourced, index) => {
        const isFirst = index === versions.length - 1;
        return { ...sourced, changes: sourced.version.changes, isFirst };
      });
  const recent = all.filter(({ version: { updatedAt = Infinity } }) => updatedAt >= since);
  const shown = recent.slice(0, limit);
  return {
    ...contract,
    ...(path && { place: labelKeyPath(path) }),
    versions: shown,
    older: all.length - shown.length,
  };
}

function versionsThatChange(
  path: KeyPath,
  versions: readonly SourcedVersion[],
  arrays: DiffOptions,
) {
  const all = versions.map(({ version }) => version);
  return [...changesAt(all, path, arrays)].flatMap(({ version, before, after }) => {
    const sourced = versions[all.indexOf(version)];
    const change: VersionChange = {
      kind: before === undefined ? 'add' : after === undefined ? 'remove' : 'replace',
      path: formatPointer(path),
      label: labelKeyPath(path),
      ...defined({ before, after }),
    };
    const inside = version.changes.filter((each) => each.path.startsWith(`${change.path}/`));
    const changes = inside.length > 0 ? inside : [change];
    return sourced ? [{ ...sourced, changes, isFirst: false }] : [];
  });
}
