/** Finds the assets and columns downstream of an asset. */

import { compareCodeUnits } from '../core/json.ts';

export type Lineage = {
  readonly asset: LineageAsset;
  readonly assets: readonly LineageAsset[];
  readonly edges: readonly LineageEdge[];
};

export type LineageAsset = {
  readonly id: string;
  readonly type: string;
  readonly fullyQualifiedName: string;
  readonly displayName?: string | undefined;
  readonly isDeleted: boolean;
};

/** `columns`, by qualified names; empty where only the assets are known. */
export type LineageEdge = {
  readonly from: string;
  readonly to: string;
  readonly columns: readonly { readonly from: readonly string[]; readonly to: string }[];
};

export type DownstreamAsset = {
  readonly id: string;
  readonly type: string;
  /** For people: without what it shares with the asset that it reads. */
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly distance: number;
  /**
   * Those that come from the columns asked for; none: it reads others. Absent where only the asset
   * as a whole is known to be downstream.
   */
  readonly columns?: readonly string[];
  /** Names; absent if they can't be read. */
  readonly owners?: readonly string[];
  readonly contract?: { readonly fullyQualifiedName?: string; readonly status?: string };
};

/** Steps in the lineage that are read. */
export const farthest = 3;

type Reached = { readonly distance: number; readonly columns: ReadonlySet<string> | undefined };

/**
 * Without owners and contracts. `columns` are qualified names; absent: of the asset as a whole.
 * The nearest come first.
 */
export function findReaders({ asset, assets, edges }: Lineage, columns?: readonly string[]) {
  const reached = new Map<string, Reached>([
    [asset.id, { distance: 0, columns: columns && new Set(columns) }],
  ]);
  for (let distance = 1; distance <= farthest; distance += 1) {
    const before = new Map(reached);
    for (const edge of edges) {
      const source = before.get(edge.from);
      if (!source || edge.to === asset.id) continue;
      const known = reached.get(edge.to) ?? { distance, columns: new Set<string>() };
      const found = columnsBehind(edge, source.columns);
      // One of two ways may know only the asset: then any of its columns may be meant.
      const both = known.columns && found ? new Set([...known.columns, ...found]) : undefined;
      reached.set(edge.to, { distance: known.distance, columns: both });
    }
  }
  return assets
    .filter(({ id, isDeleted }) => id !== asset.id && !isDeleted)
    .flatMap((each) => {
      const found = reached.get(each.id);
      return found ? [readerOf(each, found, asset)] : [];
    })
    .toSorted(
      (a, b) =>
        a.distance - b.distance ||
        Number(b.columns !== undefined) - Number(a.columns !== undefined) ||
        compareCodeUnits(a.fullyQualifiedName, b.fullyQualifiedName),
    );
}

function columnsBehind({ columns: lines }: LineageEdge, columns: ReadonlySet<string> | undefined) {
  if (!columns || columns.size === 0) return columns;
  if (lines.length === 0) return undefined;
  // A nested column changes with the one around it, and the other way round.
  const isHit = (from: string) =>
    columns
      .values()
      .some((to) => `${to}.`.startsWith(`${from}.`) || `${from}.`.startsWith(`${to}.`));
  return new Set(lines.filter(({ from }) => from.some(isHit)).map(({ to }) => to));
}

function readerOf(
  { id, type, fullyQualifiedName, displayName }: LineageAsset,
  { distance, columns }: Reached,
  asset: LineageAsset,
): DownstreamAsset {
  const beside = asset.fullyQualifiedName.slice(0, asset.fullyQualifiedName.lastIndexOf('.') + 1);
  const isBeside = beside !== '' && fullyQualifiedName.startsWith(beside);
  const ownName = type === asset.type ? fullyQualifiedName : (displayName ?? fullyQualifiedName);
  const own = `${fullyQualifiedName}.`;
  return {
    id,
    type,
    name: isBeside ? fullyQualifiedName.slice(beside.length) : ownName,
    fullyQualifiedName,
    distance,
    ...(columns && {
      columns: [...columns]
        .map((column) => (column.startsWith(own) ? column.slice(own.length) : column))
        .toSorted(compareCodeUnits),
    }),
  };
}
