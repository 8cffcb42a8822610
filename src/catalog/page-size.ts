/** How many contracts to ask for per page. */
export type PageSize = {
  readonly limit: number;
  /** Whether the size stays as it is, so that a next page can be asked for before this one is read. */
  readonly settled: boolean;
};

/** Within every documented maximum: 1000 by the general rule, 1,000,000 for this list (§8). */
const small = 100;
const large = 1000;

export function startPageSize(setting: number | 'auto'): PageSize {
  return setting === 'auto' ? { limit: small, settled: false } : settled(setting);
}

/** For a second walk of the same list: one size throughout, as some cursors count in pages. */
export function constantPageSize(setting: number | 'auto'): number {
  return setting === 'auto' ? large : setting;
}

/** The size for the rest of a list, after a page of `received` with `left` still to come. */
export function nextPageSize(size: PageSize, received: number, left: number): PageSize {
  if (size.settled) return size;
  if (size.limit === small) return left > small ? { limit: large, settled: false } : settled(small);
  // Asked for more than it gives, a server may fall back to a small default of its own.
  return settled(received < small && left > 0 ? small : size.limit);
}

/** The size to try after the server refused one with 400, or undefined where it is not the size. */
export function smallerPageSize({ limit }: PageSize): PageSize | undefined {
  if (limit > large) return settled(large);
  return limit > small ? settled(small) : undefined;
}

/** The size to try where so many contracts are more than can be read at once; one has to be read. */
export function tenthOf({ limit }: PageSize): PageSize | undefined {
  return limit > 1 ? settled(Math.ceil(limit / 10)) : undefined;
}

function settled(limit: number): PageSize {
  return { limit, settled: true };
}
